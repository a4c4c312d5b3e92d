//! The registry where releases are staged for the public.

use serde::{Deserialize, Serialize};

/// `[staging]`: where `maven_public_sync` pushes versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Staging {
    /// The address of the registry. Not set: there is none.
    pub url: Option<String>,
    /// `nexus` for Nexus staging, `portal` for the portal of Maven Central.
    pub protocol: StagingProtocol,
    /// The name or the id of Nexus' staging profile. Not set: the one that fits the files.
    pub profile: Option<String>,
    /// How long a sync may take.
    pub timeout_secs: u64,
}

/// How the registry is talked to.
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
