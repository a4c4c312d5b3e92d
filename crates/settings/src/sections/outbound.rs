//! Settings of outbound requests.

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
