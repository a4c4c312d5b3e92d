//! Settings of traces.

use serde::{Deserialize, Serialize};

/// `[traces]`: where the server reports how long requests took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Traces {
    /// The URL of an OpenTelemetry collector that takes traces as JSON over HTTP, such as
    /// `http://127.0.0.1:4318/v1/traces`. Not set: the server reports no traces.
    pub url: Option<String>,
}
