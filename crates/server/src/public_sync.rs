//! Syncs with a public registry.

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use operations::{
    Error,
    public_sync::{self, Credentials, ReleaseMode, SyncOutcome},
    run_to_end,
};
use serde_json::Value;
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::OptionalJsonBody,
    path_names::PathNames,
};

const NOT_CONFIGURED: &str = "No staging registry is set up on this server; ask the operator to set staging.url";

/// Syncs a version. Runs to the end even if the client disconnects: half a sync would be left behind at the registry.
pub(crate) async fn sync_version(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    OptionalJsonBody(body): OptionalJsonBody<api::NewSync>,
) -> Result<Response> {
    let at = path.version_address()?;
    let syncing = async move {
        let credentials = credentials(body.username, body.password);
        public_sync::sync(app.house(), &caller, &at, credentials, ending(body.close)).await
    };
    let outcome = run_to_end(syncing).await?;
    let (status, said, messages) = match outcome {
        SyncOutcome::NotConfigured => return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, NOT_CONFIGURED)),
        SyncOutcome::Invalid(messages) => (StatusCode::BAD_REQUEST, "Validation Failed", messages),
        SyncOutcome::Failed(messages) => (StatusCode::BAD_GATEWAY, "Sync Failed", messages),
        SyncOutcome::Done { ending: ReleaseMode::Release, messages } => {
            (StatusCode::OK, "Successfully synced and closed", messages)
        }
        SyncOutcome::Done { ending: ReleaseMode::LeaveOpen, messages } => {
            (StatusCode::OK, "Successfully synced", messages)
        }
    };
    Ok((status, Json(api::Sync { status: said.to_owned(), messages })).into_response())
}

fn credentials(username: Option<Value>, password: Option<Value>) -> operations::Result<Credentials> {
    Credentials::new(text("username", username)?, text("password", password)?)
}

fn text(field: &'static str, value: Option<Value>) -> operations::Result<Option<String>> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Error::invalid(field, "it must be a text")),
    }
}

fn ending(close: Option<Value>) -> operations::Result<ReleaseMode> {
    match close.as_ref().filter(|close| !close.is_null()).map(Value::as_str) {
        None | Some(Some("1")) => Ok(ReleaseMode::Release),
        Some(Some("0")) => Ok(ReleaseMode::LeaveOpen),
        Some(_) => Err(Error::invalid("close", "it must be the text \"1\" or \"0\"")),
    }
}
