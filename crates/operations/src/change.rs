//! Changes that name some fields and leave the rest.

/// Gives a field its new value, when there is one.
pub(crate) fn set<T: Clone>(field: &mut T, change: &Option<T>) {
    if let Some(value) = change {
        field.clone_from(value);
    }
}
