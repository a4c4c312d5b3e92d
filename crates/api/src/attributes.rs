//! Typed attributes of packages and versions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An attribute.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its values, all of one kind; null for none.
    pub values: Option<Vec<Value>>,
    /// The type of the values: `string`, `date`, `number`, `boolean` or `version`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// An attribute as it is sent.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewAttribute {
    /// Its name, without commas.
    pub name: String,
    /// Its values, all of one kind; null for none.
    #[serde(deserialize_with = "Option::deserialize")]
    pub values: Option<Vec<Value>>,
    /// The type of the values; inferred from them when absent.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// The values of attributes, by their names.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct AttributeValues(pub BTreeMap<String, Option<Vec<Value>>>);

/// One clause of a search: the name of an attribute, and a value, a list of values, or an interval.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct AttributeClause(pub BTreeMap<String, Value>);
