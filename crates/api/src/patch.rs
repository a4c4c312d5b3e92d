//! Fields of a change that tell "absent" from "null".

use serde::{Deserialize, Deserializer};

/// Present, even when null: `Some(None)` empties a field, `None` leaves it.
pub(crate) fn present<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
