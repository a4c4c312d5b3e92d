//! Reads and writes a plan by its name.

use model::plan::Plan;
use serde::{Deserialize, Deserializer, Serializer, de::Error};

pub(super) fn serialize<S: Serializer>(plan: &Plan, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(plan.as_str())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Plan, D::Error> {
    let text = String::deserialize(deserializer)?;
    let unknown = || D::Error::custom(format_args!("`{text}` is not one of `free`, `premium`, `enterprise`"));
    Plan::parse(&text).ok_or_else(unknown)
}
