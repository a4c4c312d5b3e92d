//! From a name to the addresses of it that may be connected to. What is left out here cannot be connected to.

use std::{net::SocketAddr, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::OutboundRules;

/// The system's resolver, with the addresses left out that the rules do not allow.
pub(super) struct Resolver(pub(super) Arc<OutboundRules>);

/// A name that leads to no address which may be connected to.
#[derive(Debug, thiserror::Error)]
#[error("its name leads to no public address")]
pub(super) struct NotPublic;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let rules = self.0.clone();
        Box::pin(async move {
            // The port is the connection's affair.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|address| rules.allow(address.ip())).collect();
            if allowed.is_empty() {
                return Err(NotPublic.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
