//! Fields of a change that distinguish "absent" from "null".

use serde::{Deserialize, Deserializer};

/// Deserializes a field that is present, even if null: `Some(None)` clears a field, `None` leaves it unchanged.
pub(crate) fn present<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
