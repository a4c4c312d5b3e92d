//! All kinds of uploads, and deleting uploaded files.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use operations::{
    Caller,
    content::{self, UploadTarget},
};
use web::{
    App,
    caller::SignedIn,
    error::Result,
    path_names::PathNames,
    signing_options::of_header,
    upload_headers::{check_announced_size, expected, is_deploy},
};

use crate::content::forms::Forms;

type Created = (StatusCode, Json<api::Message>);

pub(crate) async fn upload_content(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    forms: Forms,
    headers: HeaderMap,
    body: Body,
) -> Result<Created> {
    receive(&app, &caller, &forms.content_target(&path)?, &headers, body).await
}

pub(crate) async fn upload_maven(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    forms: Forms,
    headers: HeaderMap,
    body: Body,
) -> Result<Created> {
    receive(&app, &caller, &forms.maven_target(&path)?, &headers, body).await
}

async fn receive(
    app: &App,
    caller: &Caller,
    target: &UploadTarget,
    headers: &HeaderMap,
    body: Body,
) -> Result<Created> {
    let (expected, with) = (expected(headers)?, of_header(headers)?);
    check_announced_size(app, &expected)?;
    if is_deploy(headers)? {
        content::deploy(app.house(), caller, target, &expected, &with).await?;
    } else {
        content::upload(app.house(), caller, target, &expected, &with, body.into_data_stream()).await?;
    }
    Ok((StatusCode::CREATED, Json(api::Message::success())))
}

pub(crate) async fn delete_content(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    content::delete(app.house(), &caller, &path.repo_address()?, &path.file_path()?).await?;
    Ok(Json(api::Message::success()))
}
