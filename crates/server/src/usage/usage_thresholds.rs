//! Usage thresholds. Crossing one is an event in the stream.

use axum::{Json, extract::State, http::StatusCode};
use model::usage::Thresholds;
use operations::usage::usage_thresholds::{self, ThresholdChange, ThresholdOwner};
use serde_json::{Map, Value};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::{JsonBody, OptionalJsonBody, understand_fields},
    path_names::PathNames,
};

pub(crate) async fn show_usage_threshold(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::UsageThreshold>> {
    Ok(Json(view(usage_thresholds::show(app.house(), &caller, &whose(&path)?).await?)))
}

pub(crate) async fn create_usage_threshold(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    OptionalJsonBody(fields): OptionalJsonBody<Map<String, Value>>,
) -> Result<(StatusCode, Json<api::UsageThreshold>)> {
    let made = usage_thresholds::create(app.house(), &caller, &whose(&path)?, change(fields)?).await?;
    Ok((StatusCode::CREATED, Json(view(made))))
}

pub(crate) async fn edit_usage_threshold(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(fields): JsonBody<Map<String, Value>>,
) -> Result<Json<api::Message>> {
    usage_thresholds::edit(app.house(), &caller, &whose(&path)?, change(fields)?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_usage_threshold(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    usage_thresholds::delete(app.house(), &caller, &whose(&path)?).await?;
    Ok(Json(api::Message::success()))
}

fn whose(path: &PathNames) -> Result<ThresholdOwner> {
    if path.has("repo") {
        Ok(ThresholdOwner::Repo(path.repo_address()?))
    } else {
        Ok(ThresholdOwner::Org(path.subject("org")?))
    }
}

/// Old clients may ask for mails. The server sends none, so the request is rejected instead of leaving people waiting.
fn change(fields: Map<String, Value>) -> Result<ThresholdChange> {
    let is_asked_for = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty() && text != "false",
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    let mut alerts = fields.iter().filter(|(name, _)| name.starts_with("alert_to_"));
    if let Some((name, _)) = alerts.find(|(_, value)| is_asked_for(value)) {
        let name: String = name.chars().take(60).collect();
        let reason = "e-mail is not supported; leave it out, and read the event stream, which reports \
                      crossed thresholds";
        return Err(Failure::bad_request(format!("{name}: {reason}")));
    }
    let body: api::UsageThresholdChange = understand_fields(fields)?;
    Ok(ThresholdChange {
        monthly_storage_bytes: body.monthly_storage_bytes,
        monthly_download_bytes: body.monthly_download_bytes,
        daily_download_bytes: body.daily_download_bytes,
    })
}

fn view(thresholds: Thresholds) -> api::UsageThreshold {
    api::UsageThreshold {
        monthly_storage_bytes: thresholds.monthly_storage_bytes,
        monthly_download_bytes: thresholds.monthly_download_bytes,
        daily_download_bytes: thresholds.daily_download_bytes,
    }
}
