//! Requests to other servers.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use crate::network;

/// `[outgoing]`: requests to servers of others, whose addresses users choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outgoing {
    /// Whether they may go to private networks and to this machine; for a server whose users are all trusted.
    pub allow_private: bool,
    /// Networks that they may never go to, besides those that are always refused. None by default.
    #[serde(deserialize_with = "network::list")]
    pub refused_networks: Vec<IpNet>,
}
