//! The state shared by all handlers.

use std::sync::Arc;

use axum::http::HeaderMap;
use edge::{Client, Draining};
use metrics_exporter_prometheus::PrometheusHandle;
use operations::House;
use settings::Settings;

use crate::{download::DownloadCache, health};

/// The application behind the edge. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    house: House,
    settings: Settings,
    metrics: PrometheusHandle,
    draining: Draining,
    kept: DownloadCache,
}

impl App {
    /// Creates the app for this house and these settings.
    pub fn new(house: House, settings: Settings) -> Self {
        Self(Arc::new(Inner {
            house,
            settings,
            metrics: health::recorder(),
            draining: Draining::default(),
            kept: DownloadCache::default(),
        }))
    }

    /// The house that operations work on.
    pub fn house(&self) -> &House {
        &self.0.house
    }

    /// The operator's settings.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn metrics(&self) -> &PrometheusHandle {
        &self.0.metrics
    }

    /// The cache of downloads.
    pub(crate) fn kept(&self) -> &DownloadCache {
        &self.0.kept
    }

    /// Tells a browser that connected over TLS to use nothing else, if the settings ask for it.
    pub(crate) fn insist_on_tls(&self, client: &Client, headers: &mut HeaderMap) {
        if client.is_https && self.0.settings.insists_on_tls() {
            edge::add_hsts(headers);
        }
    }

    /// Whether the node is shutting down and asks to be taken out of rotation.
    pub(crate) fn draining(&self) -> &Draining {
        &self.0.draining
    }
}
