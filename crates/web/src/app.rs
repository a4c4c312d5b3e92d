//! The app that handlers work on.

use std::sync::Arc;

use axum::http::HeaderMap;
use edge::{Client, Draining};
use operations::House;
use settings::Settings;

/// The application behind the edge. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    house: House,
    settings: Settings,
    draining: Draining,
}

impl App {
    /// Creates the app for this house and these settings.
    pub fn new(house: House, settings: Settings) -> Self {
        Self(Arc::new(Inner { house, settings, draining: Draining::default() }))
    }

    /// The house that operations work on.
    pub fn house(&self) -> &House {
        &self.0.house
    }

    /// The operator's settings.
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Whether the node is shutting down and asks to be taken out of rotation.
    pub fn draining(&self) -> &Draining {
        &self.0.draining
    }

    /// Tells a browser that connected over TLS to use nothing else, if the settings ask for it.
    pub fn insist_on_tls(&self, client: &Client, headers: &mut HeaderMap) {
        if client.is_https && self.0.settings.insists_on_tls() {
            edge::add_hsts(headers);
        }
    }
}
