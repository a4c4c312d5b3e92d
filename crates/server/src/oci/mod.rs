//! The registry below `/v2`, for clients of the OCI distribution specification.

mod caller;
mod failure;
mod lists;
mod manifests;
mod reads;
mod tokens;
mod uploads;

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use formats::oci::{
    ImageName, OciPath,
    error::{OciError, OciErrorCode},
    token::API_VERSION,
};
use model::{
    address::PackageAddress,
    names::{RepoName, SubjectName},
    target::Target,
};
use operations::{Error, oci};
use web::App;

use crate::downloads::DownloadCache;

use self::{
    caller::{Identified, ImageAction},
    failure::Refused,
};

/// The result of a call of the registry.
type Result<T> = std::result::Result<T, Refused>;

/// Answers every request below `/v2`.
pub(crate) async fn registry(
    State(app): State<App>,
    State(cache): State<Arc<DownloadCache>>,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let path = OciPath::parse(&path_of(&parts));
    let answered = match &path {
        Ok(path) => answer(&app, &cache, &mut parts, path, body).await,
        Err(error) => refuse_path(&app, &mut parts, error.clone()).await,
    };
    let mut response = answered.unwrap_or_else(|refused| refused.answer(&app, &parts, path.ok().as_ref()));
    add_version(response.headers_mut());
    response
}

/// Adds the header that every answer has.
pub(crate) fn add_version(headers: &mut HeaderMap) {
    let (name, value) = API_VERSION;
    headers.insert(lower(name), HeaderValue::from_static(value));
}

/// The decoded path behind `/v2/`.
fn path_of(parts: &Parts) -> String {
    let target = parts.extensions.get::<Target>().cloned().unwrap_or_default();
    target.segments.get(1..).unwrap_or_default().join("/")
}

/// Refuses a path that means nothing. Wrong credentials are refused first, as everywhere.
async fn refuse_path(app: &App, parts: &mut Parts, error: OciError) -> Result<Response> {
    Identified::of(app, parts).await?;
    // No manifest has a tag that is not valid.
    let is_bad_tag = error.code == OciErrorCode::ManifestInvalid;
    if is_bad_tag && is_read(&parts.method) {
        return Err(OciError::new(OciErrorCode::ManifestUnknown, error.message).into());
    }
    Err(error.into())
}

async fn answer(app: &App, cache: &DownloadCache, parts: &mut Parts, path: &OciPath, body: Body) -> Result<Response> {
    if *path == OciPath::Token {
        return tokens::answer(app, parts, body).await;
    }
    let who = Identified::of(app, parts).await?;
    let wanted = ImageAction::by(&parts.method);
    let Some(name) = path.name() else { return no_image(app, &who, parts, path).await };
    who.check_scope(name, wanted)?;
    let at = address(app, name).await?;
    let call = Call { app, cache, who: &who, parts, name, at };
    match (path, parts.method.as_str()) {
        (OciPath::Manifest(_, reference), "GET" | "HEAD") => call.read_manifest(reference.as_str()).await,
        (OciPath::Manifest(_, reference), "PUT") => call.put_manifest(reference, body).await,
        (OciPath::Manifest(_, reference), "DELETE") => call.delete_manifest(reference.as_str()).await,
        (OciPath::Blob(_, digest), "GET" | "HEAD") => call.read_blob(digest).await,
        (OciPath::Uploads(_), "POST") => call.begin_upload(body).await,
        (OciPath::Upload(_, id), "PATCH") => call.append(id, body).await,
        (OciPath::Upload(_, id), "PUT") => call.finish(id, body).await,
        (OciPath::Upload(_, id), "GET" | "HEAD") => call.show_upload(id).await,
        (OciPath::Upload(_, id), "DELETE") => call.cancel(id).await,
        (OciPath::Tags(_), "GET" | "HEAD") => call.list_tags().await,
        (OciPath::Referrers(_, digest), "GET" | "HEAD") => call.list_referrers(digest).await,
        _ => Err(unsupported()),
    }
}

/// The calls that are about no image.
async fn no_image(app: &App, who: &Identified, parts: &Parts, path: &OciPath) -> Result<Response> {
    match (path, parts.method.as_str()) {
        // Clients learn here how to sign in, so a caller without a token is always challenged.
        (OciPath::Base, "GET" | "HEAD") if who.is_shown => Ok(json(StatusCode::OK, "{}".to_owned())),
        (OciPath::Base, "GET" | "HEAD") => Err(Error::Unauthenticated("This resource requires authentication").into()),
        (OciPath::Catalog, "GET" | "HEAD") => lists::list_images(app, who, parts).await,
        _ => Err(unsupported()),
    }
}

/// A call about an image.
struct Call<'c> {
    app: &'c App,
    cache: &'c DownloadCache,
    who: &'c Identified,
    parts: &'c Parts,
    name: &'c ImageName,
    at: PackageAddress,
}

/// The package of an image. Subject and repository are found without regard to letter case.
async fn address(app: &App, name: &ImageName) -> Result<PackageAddress> {
    let package = name.package()?;
    let invalid = |error: model::names::InvalidName| OciError::new(OciErrorCode::NameInvalid, error.to_string());
    let owner = SubjectName::parse(&name.subject).map_err(invalid)?;
    let repo = RepoName::parse(&name.repo).map_err(invalid)?;
    Ok(PackageAddress { repo: oci::resolve(app.house(), &owner, &repo).await?, package })
}

fn unsupported() -> Refused {
    OciError::new(OciErrorCode::Unsupported, "the URL does not support this method").into()
}

/// A query parameter.
fn query<'p>(parts: &'p Parts, name: &str) -> Result<Option<&'p str>> {
    let Some(target) = parts.extensions.get::<Target>() else { return Ok(None) };
    target.query(name).map_err(|error| Refused::Failure(error.into()))
}

/// A header name in the form that HTTP/2 needs.
fn lower(name: &str) -> HeaderName {
    HeaderName::try_from(name.to_ascii_lowercase()).expect("the names of this module are header names")
}

/// A header value that is made of names and digests.
fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("names and digests fit a header")
}

/// An answer without a body.
fn empty(status: StatusCode, headers: &[(&str, String)]) -> Response {
    let mut response = status.into_response();
    for (name, text) in headers {
        response.headers_mut().insert(lower(name), value(text));
    }
    response
}

/// A document.
fn json(status: StatusCode, text: String) -> Response {
    let mut response = (status, text).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Whether a method only reads.
fn is_read(method: &Method) -> bool {
    [Method::GET, Method::HEAD].contains(method)
}
