//! The public registry that versions are pushed to.

use serde::{Deserialize, Serialize};

/// `[staging]`: the public registry that `maven_public_sync` pushes versions to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Staging {
    /// The URL of the registry. Not set: the call answers 503.
    pub url: Option<String>,
    /// The protocol of the registry: `nexus` for Nexus staging, `portal` for the portal of Maven Central.
    pub protocol: StagingProtocol,
    /// The name or id of the Nexus staging profile. Not set: the profile that matches the files.
    pub profile: Option<String>,
    /// How long a sync may take before the server gives up.
    pub timeout_secs: u64,
}

/// The protocol of the public registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StagingProtocol {
    /// Nexus staging.
    Nexus,
    /// The portal of Maven Central.
    Portal,
}

impl Default for Staging {
    fn default() -> Self {
        Self { url: None, protocol: StagingProtocol::Nexus, profile: None, timeout_secs: 900 }
    }
}
