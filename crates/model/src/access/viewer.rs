//! The viewer of a list.

use crate::id::GranteeId;

/// The viewer of a list.
#[derive(Debug, Clone, Copy)]
pub struct Viewer {
    /// The id of the signed-in user or of the access key.
    pub id: Option<GranteeId>,
    /// Whether private items are included, as for site administrators.
    pub sees_everything: bool,
}
