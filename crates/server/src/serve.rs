//! Serves the state on a listener.

use std::time::Duration;

use edge::{Listener, Options, Proxies, Server};
use settings::Settings;

use crate::{ServerState, service::Service};

/// Serves until `stop` is ready, then lets running requests finish within the configured time.
pub async fn serve(state: ServerState, listener: Listener, stop: impl Future<Output = ()>) {
    let options = options(state.app().settings());
    let server = Server::new(Service::new(&state), options, state.app().draining().clone());
    server.serve(listener, stop).await;
}

/// The limits of the edge.
fn options(settings: &Settings) -> Options {
    let limits = &settings.limits;
    Options {
        proxies: Proxies {
            trusted: settings.trusted_proxies.clone(),
            country_header: settings.geo.country_header.as_deref().and_then(|name| name.parse().ok()),
        },
        connections: limits.connections,
        anonymous_percent: limits.anonymous_connections_percent,
        connections_per_address: limits.connections_per_address,
        head_timeout: Duration::from_secs(limits.header_timeout_secs),
        body_gap: Duration::from_secs(limits.body_gap_secs),
        body_grace: Duration::from_secs(limits.body_grace_secs),
        body_bytes_per_sec: limits.body_bytes_per_sec,
        drain: Duration::from_secs(limits.drain_secs),
    }
}
