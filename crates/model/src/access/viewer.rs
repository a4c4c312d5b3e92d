//! The viewer of a list.

/// The viewer of a list.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    /// The id of the signed-in user or of the access key.
    pub id: Option<i64>,
    /// Whether private items are included, as for site administrators.
    pub sees_everything: bool,
}
