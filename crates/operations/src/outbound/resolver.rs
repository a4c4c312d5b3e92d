//! Resolves a name to the addresses that may be connected to. Addresses filtered out here cannot be connected to.

use std::{net::SocketAddr, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::OutboundRules;

/// The system's resolver, without addresses that the rules do not allow.
pub(super) struct Resolver(pub(super) Arc<OutboundRules>);

/// The error for a name without any allowed address.
#[derive(Debug, thiserror::Error)]
#[error("its host name has no public address")]
pub(super) struct NotPublic;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let rules = self.0.clone();
        Box::pin(async move {
            // The connection sets the port.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| rules.allow(address.ip())).collect();
            if allowed.is_empty() {
                return Err(NotPublic.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
