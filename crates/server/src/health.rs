//! Liveness, readiness and metrics.

use axum::{
    Extension, Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use edge::Client;
use metrics_exporter_prometheus::PrometheusHandle;
use operations::{
    maintenance::{scrub, site},
    signing,
};
use web::{
    App,
    error::{Failure, Result},
};

/// The expiry times of signing keys, in seconds since 1970.
const KEY_EXPIRY: &str = "packhouse_gpg_key_expiry_timestamp_seconds";

/// The metrics of the scrub: the bytes that this node has read, the bytes of the current pass on all nodes, the end of
/// the last pass, and the number of withheld blobs.
const SCRUBBED: &str = "packhouse_scrubbed_bytes_total";
const SCRUB_PASS: &str = "packhouse_scrub_pass_bytes";
const SCRUB_LAST: &str = "packhouse_scrub_last_pass_timestamp_seconds";
const DAMAGED_BLOBS: &str = "packhouse_damaged_blobs";

/// Answers while the process runs.
pub(crate) async fn livez() -> Json<api::Message> {
    Json(api::Message { message: "alive".into() })
}

/// Answers whether the process can work: its database responds, and it is not draining.
pub(crate) async fn readyz(State(app): State<App>) -> Result<Json<api::Message>> {
    if app.draining().has_begun() {
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "The server is stopping"));
    }
    match site::check_ready(app.house()).await {
        Ok(()) => Ok(Json(api::Message { message: "ready".into() })),
        // For any cause: a node that cannot work should get no requests.
        Err(error) => Err(operations::Error::Unavailable(error.to_string()).into()),
    }
}

/// The metrics, for the networks that may read them. For others the page does not exist.
pub(crate) async fn metrics(
    State(app): State<App>,
    State(recorded): State<PrometheusHandle>,
    Extension(client): Extension<Client>,
) -> Result<Response> {
    if !app.settings().metrics_from.iter().any(|network| network.contains(&client.address)) {
        return Err(Failure::new(StatusCode::NOT_FOUND, "This URL does not exist"));
    }
    let text = "text/plain; version=0.0.4; charset=utf-8";
    let numbers = recorded.render() + &key_expiry(&app).await + &scrubbing(&app).await;
    Ok(([(header::CONTENT_TYPE, text)], numbers).into_response())
}

/// The expiry times of signing keys. Read each time, so that a deleted key is not reported; empty while the database is
/// unavailable.
async fn key_expiry(app: &App) -> String {
    let keys = signing::list_expiring(app.house()).await.unwrap_or_default();
    let line = |key: signing::OwnedExpiringKey| {
        let (owner, seconds) = (key.owner.unwrap_or_default(), key.expiry.millis() / 1_000);
        format!("{KEY_EXPIRY}{{owner=\"{owner}\",fingerprint=\"{}\"}} {seconds}\n", key.fingerprint)
    };
    let lines: String = keys.into_iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("# TYPE {KEY_EXPIRY} gauge\n{lines}") }
}

/// The progress of the scrub and the number of withheld blobs; empty while the database is unavailable.
async fn scrubbing(app: &App) -> String {
    let Ok(status) = scrub::status(app.house()).await else { return String::new() };
    let last = status.scrub.and_then(|scrub| scrub.last);
    let under_way = status.scrub.map_or(0, |scrub| scrub.read.bytes);
    format!(
        "# TYPE {SCRUBBED} counter\n{SCRUBBED} {}\n# TYPE {SCRUB_PASS} gauge\n{SCRUB_PASS} {under_way}\n\
         # TYPE {SCRUB_LAST} gauge\n{SCRUB_LAST} {}\n# TYPE {DAMAGED_BLOBS} gauge\n{DAMAGED_BLOBS} {}\n",
        status.read_bytes,
        last.map_or(0, |pass| pass.ended.millis() / 1_000),
        status.damaged,
    )
}
