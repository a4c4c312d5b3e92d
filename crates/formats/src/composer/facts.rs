//! What indexes and publishes need of a package's zip.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{inspect::ComposerPackage, name::ComposerName, version::ComposerVersion};

/// The facts of a zip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ComposerFacts {
    /// The name.
    pub(super) name: ComposerName,
    /// The version, if composer.json has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<String>,
    /// The keys of composer.json that clients need.
    pub(super) document: Map<String, Value>,
}

impl From<ComposerPackage> for ComposerFacts {
    fn from(package: ComposerPackage) -> Self {
        let version = package.version.map(|version| version.as_str().to_owned());
        Self { name: package.name, version, document: package.document }
    }
}

impl ComposerFacts {
    /// The package again.
    pub(super) fn package(self) -> Result<ComposerPackage, String> {
        let version = self.version.as_deref().map(ComposerVersion::parse).transpose()?;
        Ok(ComposerPackage { name: self.name, version, document: self.document })
    }
}
