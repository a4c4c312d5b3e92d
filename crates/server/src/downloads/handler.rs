//! GET and HEAD of the download surface.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::State,
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::Response,
};
use edge::{Client, RequestId, add_security_headers};
use model::{
    address::RepoAddress,
    download_quota::PaidContent,
    file_path::FilePath,
    names::{RepoName, SubjectName},
    target::Target,
};
use operations::{
    Caller,
    accounts::query_limits::Limited,
    cache::Epoch,
    downloads::{
        self, CachePolicy, CompletedDownload, CountedVersion, GeneratedText, Resolved, ResolvedFile, ResolvedIndex,
    },
    storage::suspects::suspect,
};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use web::{
    App,
    caller::{RequestCaller, RequestEpoch},
    error::{Failure, Result},
    path_names::PathNames,
    refusal::refuse_download,
};

use super::{
    ChecksumHeaders, Completed, Download, Source, assembled, listing,
    media_type::{is_rendered, media_type},
    permit::KeyQuota,
    signed::{self, Signed},
    source::{Blob, SendMethod},
};
use crate::downloads::{
    cache::{CachedDownload, DownloadCache, Validity},
    handoff::Handoff,
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

/// The repository and the path in it; `None` if no repository can have this name.
pub(super) fn address(target: &Target) -> Result<Option<(RepoAddress, Option<FilePath>)>> {
    let [_, owner, repo, rest @ ..] = target.segments.as_slice() else { return Ok(None) };
    let (Ok(owner), Ok(repo)) = (SubjectName::parse(owner), RepoName::parse(repo)) else { return Ok(None) };
    let path = match rest {
        [] => None,
        rest => Some(FilePath::parse(&rest.join("/")).map_err(Failure::bad_request)?),
    };
    Ok(Some((RepoAddress { owner, repo }, path)))
}

/// The response for names that no repository can have: the same as for a missing repository.
fn missing(caller: &Caller) -> Failure {
    match caller.check_signed_in() {
        Err(error) => error.into(),
        Ok(()) => Failure::new(StatusCode::NOT_FOUND, "This URL does not exist"),
    }
}

struct RequestedFile<'a> {
    app: &'a App,
    cache: &'a DownloadCache,
    caller: &'a Caller,
    parts: &'a Parts,
    path: String,
    /// The epoch at the start of the look-up, before the caller was identified.
    began: Option<Epoch>,
    /// Whether the request asks for the path only, without a query or matrix parameters.
    is_plain: bool,
    /// The contents of a signed URL, if the request uses one.
    signed: Option<Signed>,
}

impl<'a> RequestedFile<'a> {
    fn new(app: &'a App, cache: &'a DownloadCache, caller: &'a Caller, parts: &'a Parts) -> Self {
        let began = parts.extensions.get::<RequestEpoch>().map(|began| began.0);
        let target = parts.extensions.get::<Target>();
        let is_plain = target.is_some_and(|target| target.query.is_empty() && target.matrix.is_empty());
        Self { app, cache, caller, parts, path: parts.uri.path().to_owned(), began, is_plain, signed: None }
    }

    async fn answer(&self, target: &Target, at: &RepoAddress, path: Option<&FilePath>) -> Result<Response> {
        let found = downloads::find(self.app.house(), self.caller, at, path).await;
        match (found.map_err(|error| refuse_download(self.app, error))?, path) {
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

    async fn send_file(&self, path: &FilePath, at: Option<&RepoAddress>, file: ResolvedFile) -> Result<Response> {
        self.caller.check_may_download()?;
        if file.blob.is_damaged {
            return Err(operations::Error::damaged(file.blob.sha256).into());
        }
        let checksums = ChecksumHeaders {
            sha256: file.blob.sha256,
            sha1: bytes_of(&file.blob.sha1).unwrap_or_default(),
            md5: file.blob.md5.as_deref().and_then(bytes_of),
        };
        let blobs = &self.app.house().blobs;
        let source = Source::find(blobs, &file.blob).await.map_err(|error| self.failure(error, &file))?;
        let cached_source = source.clone();
        let blob = Blob { digest: file.blob.sha256, size: file.blob.size.unsigned_abs() };
        let completed = file.counted.map(|counted| self.count(counted, blob.size));
        let key_quota = file.counted.and_then(|_| self.key_quota(&file));
        // Another server does not report how many bytes it sent, so a key with a quota is served here.
        let handoff = match key_quota {
            Some(_) => None,
            None => Handoff::find(self.app, self.parts, &source, blob, file.keeping).await?,
        };
        let (handed_over, completed) = if handoff.is_some() { (completed, None) } else { (None, completed) };
        let download = Download {
            size: file.blob.size.unsigned_abs(),
            media_type: media_type(path.file_name()),
            is_attachment: is_rendered(media_type(path.file_name())),
            last_modified: file.changed,
            checksums,
            cache_control: cache_control(file.keeping),
            surrogate_key: self.surrogate_key(at, file.keeping),
            source,
            way: self.way(),
            completed,
            key_quota,
        };
        if let Some(handoff) = handoff {
            let answer = download.answer(&Method::HEAD, &self.parts.headers).await?;
            handed_over.into_iter().for_each(|notify| notify(blob.size));
            return Ok(handoff.name(answer));
        }
        let answer = download.answer(&self.parts.method, &self.parts.headers).await;
        let response = answer.map_err(|error| self.failure(error, &file))?;
        self.cache_response(&response, cached_source, blob, file);
        Ok(response)
    }

    async fn send_text(&self, path: &FilePath, at: &RepoAddress, text: GeneratedText) -> Result<Response> {
        let bytes = text.content.as_bytes();
        let checksums = ChecksumHeaders {
            sha256: model::digest::Digest::from_bytes(Sha256::digest(bytes).into()),
            sha1: Sha1::digest(bytes).into(),
            md5: None,
        };
        let download = Download {
            size: bytes.len() as u64,
            media_type: media_type(path.file_name()),
            // Generated by this server, so it is safe to display.
            is_attachment: false,
            last_modified: text.changed,
            checksums,
            cache_control: cache_control(text.keeping),
            surrogate_key: self.surrogate_key(Some(at), text.keeping),
            source: Source::Memory(bytes.to_vec().into()),
            way: self.way(),
            completed: None,
            key_quota: None,
        };
        self.send(download).await
    }

    /// Sends a file of the repository's indexes. Its response is cached like that of a file.
    async fn send_index(&self, path: &FilePath, at: &RepoAddress, index: ResolvedIndex) -> Result<Response> {
        let (content, keeping) = (&index.content, index.keeping);
        let source = assembled::source(&content.bytes);
        let download = Download {
            size: content.size,
            media_type: index.media_type.unwrap_or_else(|| media_type(path.file_name())),
            // Generated by this server, so it is safe to display.
            is_attachment: false,
            last_modified: content.changed,
            checksums: ChecksumHeaders { sha256: content.sha256, sha1: content.sha1, md5: None },
            cache_control: cache_control(keeping),
            surrogate_key: self.surrogate_key(Some(at), keeping),
            source: source.clone(),
            way: self.way(),
            completed: None,
            key_quota: None,
        };
        // Another generation may follow within the second that the header can say.
        let is_dated = self.app.house().clock.now().millis() / 1_000 > content.changed.millis() / 1_000;
        let mut headers = self.parts.headers.clone();
        if !is_dated {
            headers.remove(header::IF_MODIFIED_SINCE);
        }
        let mut response = download.answer(&self.parts.method, &headers).await?;
        if !is_dated {
            response.headers_mut().remove(header::LAST_MODIFIED);
        }
        let blob = Blob { digest: content.sha256, size: content.size };
        self.cache_response(&response, source, blob, assembled::file(&index));
        Ok(response)
    }

    /// Converts a store error for a file that should exist. A blob that looks damaged is queued for an early check.
    fn failure(&self, error: impl Into<operations::Error>, file: &ResolvedFile) -> operations::Error {
        let error = error.into();
        if matches!(error, operations::Error::Damaged(_)) {
            suspect(self.app.house(), &file.blob);
        }
        error
    }

    fn way(&self) -> SendMethod {
        let client = self.parts.extensions.get::<Client>();
        client.map_or(SendMethod::Read, |client| SendMethod::of(client, self.parts.version))
    }

    async fn send(&self, download: Download) -> Result<Response> {
        Ok(download.answer(&self.parts.method, &self.parts.headers).await?)
    }

    /// The tags by which a CDN purges a file: its owner and its repository.
    fn surrogate_key(&self, at: Option<&RepoAddress>, policy: CachePolicy) -> Option<HeaderValue> {
        let is_wanted = self.app.settings().downloads.surrogate_keys && !matches!(policy, CachePolicy::Private);
        let RepoAddress { owner, repo } = at.filter(|_| is_wanted)?;
        HeaderValue::from_str(&format!("{owner} {owner}/{repo}")).ok()
    }

    /// Caches the response for identical requests.
    fn cache_response(&self, response: &Response, source: Source, blob: Blob, file: ResolvedFile) {
        let is_whole = self.parts.method == Method::GET && response.status() == StatusCode::OK && self.is_plain;
        if !is_whole {
            return;
        }
        let maker_key_id = self.signed.as_ref().and_then(|signed| signed.maker_key_id);
        let validity = self
            .began
            .and_then(|began| Validity::of(self.app.house(), began, file.repo_ids, self.caller.key(), maker_key_id));
        let Some(mut validity) = validity else { return };
        if let Some(signed) = &self.signed {
            validity = validity.signed_until(signed.until);
        }
        let (user, callback_id) = (self.user(), self.callback_id());
        let path: Arc<str> = Arc::from(self.path.as_str());
        let client = self.parts.extensions.get::<Client>().cloned().unwrap_or_default();
        let limited = self.caller.counted().and_then(|user| Limited::of(self.app.house(), user));
        let mut headers = response.headers().clone();
        self.app.insist_on_tls(&client, &mut headers);
        add_security_headers(&mut headers);
        RequestId::make_room(&mut headers);
        CachedDownload::make_room(limited, &mut headers);
        let (size, counted, rules) = (blob.size, file.counted, file.rules);
        let head_bytes = OnceLock::new();
        let answer = CachedDownload {
            source,
            blob,
            size,
            headers,
            counted,
            rules,
            user,
            callback_id,
            path,
            validity,
            limited,
            head_bytes,
        };
        let query = self.signed.as_ref().and_then(|signed| signed.query.as_deref());
        self.cache.insert(&client, &self.path, query, &self.parts.headers, answer);
    }

    fn user(&self) -> Option<Arc<str>> {
        self.caller.name().map(Arc::from)
    }

    fn callback_id(&self) -> Option<Arc<str>> {
        self.signed.as_ref().and_then(|signed| signed.callback_id.clone())
    }

    /// The quota for the bytes sent to a key with a limit.
    fn key_quota(&self, file: &ResolvedFile) -> Option<KeyQuota> {
        let key = self.caller.key().filter(|key| key.has_download_limit)?;
        Some(KeyQuota::new(self.app, key, PaidContent { blob_id: file.blob.id, size: file.blob.size }))
    }

    /// Records the download once the last byte has been handed to the connection.
    fn count(&self, counted: CountedVersion, size: u64) -> Completed {
        let client = self.parts.extensions.get::<Client>().cloned().unwrap_or_default();
        let header_value =
            |name| self.parts.headers.get(name).and_then(|value: &HeaderValue| Some(value.to_str().ok()?.into()));
        let app = self.app.clone();
        let completed_download = CompletedDownload {
            counted,
            at: app.house().clock.now(),
            address: client.address,
            country: client.country,
            user: self.user(),
            callback_id: self.callback_id(),
            key_id: self.caller.key().map(|key| key.id),
            path: Arc::from(self.path.as_str()),
            status: 200,
            bytes: 0,
            referer: header_value(header::REFERER),
            agent: header_value(header::USER_AGENT),
        };
        Box::new(move |bytes| {
            let status = if bytes < size { 206 } else { 200 };
            app.house().counter.record(CompletedDownload { bytes, status, ..completed_download });
        })
    }
}

fn bytes_of<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if digits.len() != 2 * N {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(bytes)
}

fn cache_control(policy: CachePolicy) -> HeaderValue {
    HeaderValue::from_static(match policy {
        CachePolicy::Immutable => "public, max-age=31536000, immutable, no-transform",
        CachePolicy::Short => "public, max-age=60, no-transform",
        CachePolicy::Revalidate => "public, no-cache, no-transform",
        CachePolicy::Private => "private, no-cache, no-transform",
    })
}
