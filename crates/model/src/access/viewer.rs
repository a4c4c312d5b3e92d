//! Who looks at a list.

/// Who looks at a list.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    /// The user who has signed in, or the key for outsiders.
    pub id: Option<i64>,
    /// Site administrators see what is private.
    pub sees_everything: bool,
}
