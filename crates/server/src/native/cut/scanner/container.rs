//! The objects and arrays that a scan is in.

/// An object or an array that is open.
pub(super) struct Container {
    pub(super) is_object: bool,
    pub(super) expects_key: bool,
    pub(super) role: Role,
    /// The last key, in objects with a role.
    pub(super) key: Option<String>,
    pub(super) has_data: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Document,
    Attachments,
    Attachment,
    Other,
}

impl Role {
    /// The role of an object or an array inside this one.
    pub(super) fn of(outer: Option<&Container>, is_object: bool) -> Self {
        match outer {
            None => Self::Document,
            Some(outer) if !is_object || outer.expects_key => Self::Other,
            Some(outer) => match (outer.role, outer.key.as_deref()) {
                (Self::Document, Some("_attachments")) => Self::Attachments,
                (Self::Attachments, Some(_)) => Self::Attachment,
                _ => Self::Other,
            },
        }
    }
}
