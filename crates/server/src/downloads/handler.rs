//! GET and HEAD of the download surface.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::Response,
};
use edge::Client;
use model::{
    address::RepoAddress,
    file_path::FilePath,
    names::{RepoName, SubjectName},
    target::Target,
};
use operations::{
    Caller,
    cache::Epoch,
    downloads::{self, CachePolicy, Resolved},
};
use web::{
    App,
    caller::{RequestCaller, RequestEpoch},
    error::{Failure, Result},
    path_names::PathNames,
    refusal::refuse_download,
};

use super::{
    cache::DownloadCache,
    image::SentImage,
    listing,
    media_type::media_type,
    signed::{self, Signed},
    source::SendMethod,
};

/// Resolves the path of a download for the caller and answers it.
pub(crate) async fn download(
    State(app): State<App>,
    State(cache): State<Arc<DownloadCache>>,
    RequestCaller(caller): RequestCaller,
    parts: Parts,
) -> Result<Response> {
    caller.check_may_download()?;
    let request = RequestedFile::new(&app, &cache, &caller, &parts);
    let target = parts.extensions.get::<Target>().cloned().unwrap_or_default();
    if signed::is_signed(&target) {
        return request.answer_signed(&target).await;
    }
    let Some((at, path)) = address(&target)? else { return Err(missing(&caller)) };
    request.answer(&target, &at, path.as_ref()).await
}

/// The same below the URL that build tools deploy to: they read the existing index before they write.
pub(crate) async fn download_maven(
    State(app): State<App>,
    State(cache): State<Arc<DownloadCache>>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    parts: Parts,
) -> Result<Response> {
    let (at, file) = (path.repo_address()?, path.file_path()?);
    let segments = ["dl", at.owner.as_str(), at.repo.as_str()].into_iter().chain(file.as_str().split('/'));
    let target = Target { segments: segments.map(str::to_owned).collect(), ..Target::default() };
    // Not cached: the URL is not a download URL.
    let request = RequestedFile { is_plain: false, ..RequestedFile::new(&app, &cache, &caller, &parts) };
    request.answer(&target, &at, Some(&file)).await
}

/// Serves another path than the one that was requested, as a format has it for its clients.
pub(crate) async fn read(
    app: &App,
    cache: &DownloadCache,
    caller: &Caller,
    parts: &Parts,
    at: &RepoAddress,
    native: NativeRead,
) -> Result<Response> {
    caller.check_may_download()?;
    let target = parts.extensions.get::<Target>().cloned().unwrap_or_default();
    let mut request = RequestedFile::new(app, cache, caller, parts);
    if target.is_folder {
        request.path.push('/');
    }
    let path = native.path.clone();
    let request = RequestedFile { native: Some(native), ..request };
    // Callers know the path of their request, not the one that the format reads for it.
    let requested = target.segments[3..].join("/");
    request.answer(&target, at, Some(&path)).await.map_err(|failure| failure.renamed(path.as_str(), &requested))
}

/// The repository and the path in it; `None` if no repository can have this name.
pub(super) fn address(target: &Target) -> Result<Option<(RepoAddress, Option<FilePath>)>> {
    let Some(at) = repo_address(target) else { return Ok(None) };
    let path = match &target.segments[3..] {
        [] => None,
        rest => Some(FilePath::parse(&rest.join("/")).map_err(Failure::bad_request)?),
    };
    Ok(Some((at, path)))
}

/// The repository; `None` if no repository can have this name.
pub(crate) fn repo_address(target: &Target) -> Option<RepoAddress> {
    let [_, owner, repo, ..] = target.segments.as_slice() else { return None };
    let (owner, repo) = (SubjectName::parse(owner).ok()?, RepoName::parse(repo).ok()?);
    Some(RepoAddress { owner, repo })
}

/// The response for names that no repository can have: the same as for a missing repository.
pub(crate) fn missing(caller: &Caller) -> Failure {
    match caller.check_signed_in() {
        Err(error) => error.into(),
        Ok(()) => Failure::new(StatusCode::NOT_FOUND, "This URL does not exist"),
    }
}

/// What a format serves for a request of its clients.
pub(crate) struct NativeRead {
    /// The path to serve.
    pub(crate) path: FilePath,
    /// The media type, if it is not the path's own.
    pub(crate) media_type: Option<&'static str>,
    /// Whether the answer depends on `Accept`.
    pub(crate) varies: bool,
}

pub(super) struct RequestedFile<'a> {
    pub(super) app: &'a App,
    pub(super) cache: &'a DownloadCache,
    pub(super) caller: &'a Caller,
    pub(super) parts: &'a Parts,
    /// The path of the request, by which its response is cached.
    pub(super) path: String,
    /// The epoch at the start of the look-up, before the caller was identified.
    pub(super) began: Option<Epoch>,
    /// Whether the request asks for the path only, without a query or matrix parameters.
    pub(super) is_plain: bool,
    /// The contents of a signed URL, if the request uses one.
    pub(super) signed: Option<Signed>,
    /// What is served instead of the path, if a format says so.
    pub(super) native: Option<NativeRead>,
    /// How a file of a container image is sent, if it is one.
    pub(super) image: Option<SentImage>,
}

impl<'a> RequestedFile<'a> {
    pub(super) fn new(app: &'a App, cache: &'a DownloadCache, caller: &'a Caller, parts: &'a Parts) -> Self {
        let began = parts.extensions.get::<RequestEpoch>().map(|began| began.0);
        let target = parts.extensions.get::<Target>();
        let is_plain = target.is_some_and(|target| target.query.is_empty() && target.matrix.is_empty());
        Self {
            app,
            cache,
            caller,
            parts,
            path: parts.uri.path().to_owned(),
            began,
            is_plain,
            signed: None,
            native: None,
            image: None,
        }
    }

    async fn answer(&self, target: &Target, at: &RepoAddress, path: Option<&FilePath>) -> Result<Response> {
        if let Some(text) = self.cached_text() {
            return self.answer_text(&text).await;
        }
        let found = downloads::find(self.app.house(), self.caller, at, path).await;
        let found = match found {
            Err(error @ operations::Error::AgreementNeeded { .. }) => {
                return Ok(pages::agreement(self.app, &self.parts.headers, error));
            }
            other => other.map_err(|error| refuse_download(self.app, error))?,
        };
        match (found, path) {
            (Resolved::Folder(_), Some(path)) if self.native.is_some() => {
                Err(operations::Error::NotFound { what: "File", name: path.to_string() }.into())
            }
            (Resolved::Folder(folder), _) => Ok(listing::respond(target, &self.parts.headers, &folder)),
            (Resolved::File(file), Some(path)) => self.send_file(path, Some(at), file).await,
            (Resolved::Text(text), Some(path)) => self.send_text(path, at, text).await,
            (Resolved::Index(index), Some(path)) => self.send_index(path, at, index).await,
            (_, None) => Err(missing(self.caller)),
        }
    }

    /// Answers a signed URL. The response does not say why a signed URL was rejected.
    async fn answer_signed(self, target: &Target) -> Result<Response> {
        let (path, file, signed) = signed::open(self.app, self.caller, target).await?;
        let request = Self { is_plain: signed.query.is_some(), signed: Some(signed), ..self };
        request.send_file(&path, None, file).await
    }

    /// The media type of a path: what the request's route says, then the format, then the name's extension.
    pub(super) fn media_type(&self, path: &FilePath, of_format: Option<&'static str>) -> &'static str {
        let of_image = self.image.map(|image| image.media_type);
        let of_route = self.native.as_ref().and_then(|native| native.media_type);
        of_image.or(of_route).or(of_format).unwrap_or_else(|| media_type(path.file_name()))
    }

    /// The response, which says if it depends on `Accept`.
    pub(super) fn varying(&self, mut response: Response) -> Response {
        if self.varies() {
            response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
        }
        response
    }

    pub(super) fn varies(&self) -> bool {
        self.native.as_ref().is_some_and(|native| native.varies)
    }

    pub(super) fn way(&self) -> SendMethod {
        let client = self.parts.extensions.get::<Client>();
        client.map_or(SendMethod::Read, |client| SendMethod::of(client, self.parts.version))
    }

    /// The tags by which a CDN purges a file: its owner and its repository.
    pub(super) fn surrogate_key(&self, at: Option<&RepoAddress>, policy: CachePolicy) -> Option<HeaderValue> {
        let is_wanted = self.app.settings().downloads.surrogate_keys && !matches!(policy, CachePolicy::Private);
        let RepoAddress { owner, repo } = at.filter(|_| is_wanted)?;
        HeaderValue::from_str(&format!("{owner} {owner}/{repo}")).ok()
    }

    pub(super) fn user(&self) -> Option<Arc<str>> {
        self.caller.name().map(Arc::from)
    }

    pub(super) fn callback_id(&self) -> Option<Arc<str>> {
        self.signed.as_ref().and_then(|signed| signed.callback_id.clone())
    }
}

pub(super) fn cache_control(policy: CachePolicy) -> HeaderValue {
    HeaderValue::from_static(match policy {
        CachePolicy::Immutable => "public, max-age=31536000, immutable, no-transform",
        CachePolicy::Short => "public, max-age=60, no-transform",
        CachePolicy::Revalidate => "public, no-cache, no-transform",
        CachePolicy::Private => "private, no-cache, no-transform",
    })
}
