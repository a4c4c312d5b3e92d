//! How much may be used before somebody is told.

use axum::{Json, extract::State, http::StatusCode};
use database::usage_thresholds::Thresholds;
use operations::usage_thresholds::{self, Change, Whose};

use crate::{
    App,
    caller::SignedIn,
    error::Result,
    json::{JsonBody, OptionalJsonBody},
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
    OptionalJsonBody(body): OptionalJsonBody<api::UsageThresholdChange>,
) -> Result<(StatusCode, Json<api::UsageThreshold>)> {
    let made = usage_thresholds::create(app.house(), &caller, &whose(&path)?, change(&body)).await?;
    Ok((StatusCode::CREATED, Json(view(made))))
}

pub(crate) async fn edit_usage_threshold(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::UsageThresholdChange>,
) -> Result<Json<api::Message>> {
    usage_thresholds::edit(app.house(), &caller, &whose(&path)?, change(&body)).await?;
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

fn whose(path: &PathNames) -> Result<Whose> {
    match path.has("repo") {
        true => Ok(Whose::Repo(path.repo_address()?)),
        false => Ok(Whose::Org(path.subject("org")?)),
    }
}

fn change(body: &api::UsageThresholdChange) -> Change {
    Change {
        monthly_storage_bytes: body.monthly_storage_bytes,
        monthly_download_bytes: body.monthly_download_bytes,
        daily_download_bytes: body.daily_download_bytes,
    }
}

fn view(thresholds: Thresholds) -> api::UsageThreshold {
    api::UsageThreshold {
        monthly_storage_bytes: thresholds.monthly_storage_bytes,
        monthly_download_bytes: thresholds.monthly_download_bytes,
        daily_download_bytes: thresholds.daily_download_bytes,
    }
}
