//! The state of the server: the app, and the parts that only the server itself uses.

use std::sync::Arc;

use axum::extract::FromRef;
use metrics_exporter_prometheus::PrometheusHandle;
use operations::House;
use settings::Settings;
use web::App;

use crate::{downloads::DownloadCache, metrics};

/// The state behind the router. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct ServerState {
    app: App,
    downloads: Arc<DownloadCache>,
    metrics: PrometheusHandle,
}

impl ServerState {
    /// Creates the state for this house and these settings, with an empty cache.
    pub fn new(house: House, settings: Settings) -> Self {
        Self { app: App::new(house, settings), downloads: Arc::default(), metrics: metrics::recorder() }
    }

    /// The app that handlers work on.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The cache of downloads.
    pub(crate) fn downloads(&self) -> &DownloadCache {
        &self.downloads
    }
}

impl FromRef<ServerState> for App {
    fn from_ref(state: &ServerState) -> Self {
        state.app.clone()
    }
}

impl FromRef<ServerState> for Arc<DownloadCache> {
    fn from_ref(state: &ServerState) -> Self {
        state.downloads.clone()
    }
}

impl FromRef<ServerState> for PrometheusHandle {
    fn from_ref(state: &ServerState) -> Self {
        state.metrics.clone()
    }
}
