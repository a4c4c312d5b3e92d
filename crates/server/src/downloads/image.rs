//! Sends files of container images like other files, with the headers that clients of the registry read.

use axum::{
    http::{HeaderValue, request::Parts},
    response::Response,
};
use model::{address::RepoAddress, file_path::FilePath, timestamp::Timestamp};
use operations::{Caller, downloads::ResolvedFile};
use web::{App, error::Result};

use super::{cache::DownloadCache, handler::RequestedFile, source::Blob};

/// A file of a container image that the caller may read.
pub(crate) struct ImageDownload<'i> {
    pub(crate) at: &'i RepoAddress,
    pub(crate) path: &'i FilePath,
    pub(crate) file: ResolvedFile,
    pub(crate) media_type: &'static str,
    /// Until when the token of the request is good, if it has one.
    pub(crate) until: Option<Timestamp>,
    /// Whether the response may be cached: content without a file may go without notice.
    pub(crate) is_lasting: bool,
}

/// How a file of a container image is sent.
#[derive(Clone, Copy)]
pub(super) struct SentImage {
    pub(super) media_type: &'static str,
    /// Until when the token of the request is good.
    pub(super) until: Option<Timestamp>,
}

/// Sends a file of a container image like any other file.
pub(crate) async fn send_image(
    app: &App,
    cache: &DownloadCache,
    caller: &Caller,
    parts: &Parts,
    image: ImageDownload<'_>,
) -> Result<Response> {
    let ImageDownload { at, path, file, media_type, until, is_lasting } = image;
    let image = Some(SentImage { media_type, until });
    let request = RequestedFile::new(app, cache, caller, parts);
    let request = RequestedFile { image, is_plain: request.is_plain && is_lasting, ..request };
    request.send_file(path, Some(at), file).await
}

impl RequestedFile<'_> {
    /// Adds the headers that clients of the registry read.
    pub(super) fn as_image(&self, mut response: Response, blob: Blob) -> Response {
        if self.image.is_some() {
            let digest = HeaderValue::try_from(format!("sha256:{}", blob.digest)).expect("a digest fits a header");
            response.headers_mut().insert("docker-content-digest", digest);
            response.headers_mut().insert("docker-distribution-api-version", HeaderValue::from_static("registry/2.0"));
        }
        response
    }
}
