//! Uploads of single files by the script of a version page.

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use model::{access::Right, address::VersionAddress, file_path::FilePath};
use operations::{
    catalogue::versions,
    content::{self, UploadFlags, UploadTarget},
};
use serde::Serialize;
use web::{
    App,
    error::Result,
    path_names::PathNames,
    signing_options::of_header,
    upload_headers::{check_announced_size, expected},
};

use crate::{
    form::{check_token, session_of},
    visitor::Visitor,
};

/// The header with which the script proves its session.
const TOKEN_HEADER: &str = "x-form-token";

/// The response to the page's script about a stored file.
#[derive(Debug, Serialize)]
pub(super) struct Stored {
    path: String,
    /// `None` if the server stores content that differs from the received bytes.
    sha256: Option<String>,
}

/// Receives one file as the body of a request.
pub(super) async fn upload_file(
    State(app): State<App>,
    visitor: Visitor,
    path: PathNames,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Stored>)> {
    let session = session_of(&visitor)?;
    let token = headers.get(TOKEN_HEADER).and_then(|token| token.to_str().ok()).unwrap_or_default();
    check_token(&app, session, token)?;
    let at = check_version(&app, &visitor, &path).await?;
    let flags =
        UploadFlags { publish: path.flag("publish")?, replace: path.flag("override")?, explode: path.flag("explode")? };
    let (target, expected, with) = (target(&at, path.file_path()?, flags), expected(&headers)?, of_header(&headers)?);
    check_announced_size(&app, &expected)?;
    let body = body.into_data_stream();
    let sha256 = content::upload(app.house(), &visitor.caller, &target, &expected, &with, body).await?;
    let sha256 = sha256.map(|sum| sum.to_string());
    Ok((StatusCode::CREATED, Json(Stored { path: target.path.to_string(), sha256 })))
}

/// The version, for those who may publish in it.
pub(super) async fn check_version(app: &App, visitor: &Visitor, path: &PathNames) -> Result<VersionAddress> {
    let at = path.version_address()?;
    versions::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(at)
}

/// The target of a file of the version.
pub(super) fn target(at: &VersionAddress, path: FilePath, flags: UploadFlags) -> UploadTarget {
    let (repo, package, version) = (at.package.repo.clone(), at.package.package.clone(), Some(at.version.clone()));
    UploadTarget { repo, package, version, path, flags, hints: Vec::new() }
}
