//! What every handler can reach.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use metrics_exporter_prometheus::PrometheusHandle;
use operations::House;
use tokio::time::MissedTickBehavior;

use crate::{download::DownloadCache, health, settings::Settings};

/// How often outdated downloads are looked for: how long a removed file may take up room at most.
const TIDY_EVERY: Duration = Duration::from_secs(2);

/// The service behind the edge. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    house: House,
    settings: Settings,
    metrics: PrometheusHandle,
    is_draining: AtomicBool,
    kept: DownloadCache,
}

impl App {
    /// The service on this house, with these settings.
    pub fn new(house: House, settings: Settings) -> Self {
        Self(Arc::new(Inner {
            house,
            settings,
            metrics: health::recorder(),
            is_draining: AtomicBool::new(false),
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

    /// Lets go of outdated downloads, for as long as it runs.
    pub async fn keep_tidy(&self) {
        let mut ticks = tokio::time::interval(TIDY_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.0.kept.drop_outdated(&self.0.house);
        }
    }

    /// From now on the node asks to be taken out of rotation.
    pub(crate) fn drain(&self) {
        self.0.is_draining.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.0.is_draining.load(Ordering::Relaxed)
    }
}
