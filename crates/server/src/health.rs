//! Liveness, readiness and metrics.

use axum::{
    Extension, Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use edge::Client;
use metrics_exporter_prometheus::PrometheusHandle;
use operations::maintenance::site;
use web::{
    App,
    error::{Failure, Result},
};

use crate::exposition;

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
    let numbers = recorded.render() + &exposition::measured(&app).await;
    Ok(([(header::CONTENT_TYPE, text)], numbers).into_response())
}
