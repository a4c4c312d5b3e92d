//! Settings of outbound requests, and of the images that the server fetches.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use crate::network;

/// `[outgoing]`: outbound requests, whose URLs users choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outgoing {
    /// Whether outbound requests may go to private networks and to this machine, for a server whose users are all
    /// trusted. Link-local addresses and those of clouds stay blocked.
    pub allow_private: bool,
    /// Networks that outbound requests may never go to, in addition to those that are always blocked. Empty by default.
    #[serde(deserialize_with = "network::list")]
    pub refused_networks: Vec<IpNet>,
}

/// `[readme_images]`: images of other sites in readmes. The server fetches them, so that no visitor has to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadmeImages {
    /// Whether pages show images of other sites. Otherwise, they show the alternative texts.
    pub enabled: bool,
    /// The maximum size of all cached images of this node. The oldest make room for new ones.
    pub cache_bytes: u64,
}

impl Default for ReadmeImages {
    fn default() -> Self {
        Self { enabled: true, cache_bytes: 256 << 20 }
    }
}
