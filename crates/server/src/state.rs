//! What every handler can reach.

use std::sync::Arc;

use axum::http::HeaderMap;
use edge::{Client, Draining};
use metrics_exporter_prometheus::PrometheusHandle;
use operations::House;
use settings::Settings;

use crate::{download::DownloadCache, health};

/// The service behind the edge. Cheap to clone.
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
    /// The service on this house, with these settings.
    pub fn new(house: House, settings: Settings) -> Self {
        Self(Arc::new(Inner {
            house,
            settings,
            metrics: health::recorder(),
            draining: Draining::default(),
            kept: DownloadCache::default(),
        }))
    }

    /// What operations need.
    pub fn house(&self) -> &House {
        &self.0.house
    }

    /// What the operator has set.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn metrics(&self) -> &PrometheusHandle {
        &self.0.metrics
    }

    /// Downloads that are ready to be sent again.
    pub(crate) fn kept(&self) -> &DownloadCache {
        &self.0.kept
    }

    /// Tells a browser that came over TLS to use nothing else, where the settings say so.
    pub(crate) fn insist_on_tls(&self, client: &Client, headers: &mut HeaderMap) {
        if client.is_https && self.0.settings.insists_on_tls() {
            edge::add_hsts(headers);
        }
    }

    /// Whether the node is stopping, and asks to be taken out of rotation.
    pub(crate) fn draining(&self) -> &Draining {
        &self.0.draining
    }
}
