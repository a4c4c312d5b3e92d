//! Secrets in JSON: never shown, not even in an error about them.

use std::fmt;

use serde::{Deserialize, Deserializer, de};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type},
    },
};
use zeroize::Zeroizing;

/// A passphrase or a private key.
#[derive(Clone, Default)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// The secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The usual error would quote the value.
        let text = String::deserialize(deserializer).map_err(|_| de::Error::custom("it must be a text"))?;
        Ok(Self(Zeroizing::new(text)))
    }
}

impl PartialSchema for Secret {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

impl ToSchema for Secret {}
