//! The state of the server: the app, and the parts that only the server itself uses.

use std::sync::Arc;

use axum::extract::FromRef;
use metrics_exporter_prometheus::PrometheusHandle;
use operations::House;
use settings::Settings;
use tokio::sync::mpsc::Receiver;
use web::App;

use crate::{
    downloads::DownloadCache,
    metrics,
    objects::ObjectCache,
    traces::{Span, TraceQueue},
};

/// The state behind the router. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct ServerState {
    app: App,
    downloads: Arc<DownloadCache>,
    objects: Arc<ObjectCache>,
    metrics: PrometheusHandle,
    /// Finished requests, if a collector of traces is configured.
    traces: Option<Arc<TraceQueue>>,
}

impl ServerState {
    /// Creates the state for this house and these settings, with an empty cache.
    pub fn new(house: House, settings: Settings) -> Self {
        let traces = settings.traces.url.is_some().then(|| Arc::new(TraceQueue::new()));
        let (downloads, objects) = (Arc::default(), Arc::default());
        Self { app: App::new(house, settings), downloads, objects, metrics: metrics::recorder(), traces }
    }

    /// The app that handlers work on.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The finished requests for a collector of traces: the first call returns them, if a collector is configured.
    pub fn take_spans(&self) -> Option<Receiver<Span>> {
        self.traces.as_ref()?.take()
    }

    /// The queue of finished requests.
    pub(crate) fn traces(&self) -> Option<&TraceQueue> {
        self.traces.as_deref()
    }

    /// The cache of downloads.
    pub(crate) fn downloads(&self) -> &DownloadCache {
        &self.downloads
    }

    /// The cache of objects.
    pub(crate) fn objects(&self) -> &Arc<ObjectCache> {
        &self.objects
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
