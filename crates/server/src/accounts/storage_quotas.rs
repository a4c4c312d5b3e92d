//! Storage quotas of subjects and repositories.

use axum::{Json, extract::State};
use operations::accounts::storage_quotas::{self, Quota};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn show_subject_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::StorageQuota>> {
    Ok(Json(view(storage_quotas::show_of_subject(app.house(), &caller, &path.subject("subject")?).await?)))
}

pub(crate) async fn set_subject_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewStorageQuota>,
) -> Result<Json<api::Message>> {
    storage_quotas::set_of_subject(app.house(), &caller, &path.subject("subject")?, bytes(&body)?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn show_repo_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::StorageQuota>> {
    Ok(Json(view(storage_quotas::show_of_repo(app.house(), &caller, &path.repo_address()?).await?)))
}

pub(crate) async fn set_repo_quota(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewStorageQuota>,
) -> Result<Json<api::Message>> {
    storage_quotas::set_of_repo(app.house(), &caller, &path.repo_address()?, bytes(&body)?).await?;
    Ok(Json(api::Message::success()))
}

fn bytes(body: &api::NewStorageQuota) -> Result<Option<i64>> {
    let too_large = |_| Failure::bad_request("quota_bytes: it is too large a number of bytes");
    body.quota_bytes.map(|bytes| i64::try_from(bytes).map_err(too_large)).transpose()
}

fn view(quota: Quota) -> api::StorageQuota {
    api::StorageQuota { quota_bytes: quota.bytes.map(i64::unsigned_abs), used_bytes: quota.used.unsigned_abs() }
}
