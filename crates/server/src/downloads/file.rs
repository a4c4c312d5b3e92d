//! Sends stored files, and counts their downloads.

use std::sync::Arc;

use axum::{
    http::{HeaderValue, Method, header},
    response::Response,
};
use edge::Client;
use model::{address::RepoAddress, download_quota::PaidContent, file_path::FilePath};
use operations::{
    downloads::{CompletedDownload, CountedVersion, ResolvedFile},
    storage::suspects::suspect,
};
use web::error::Result;

use super::{
    ChecksumHeaders, Completed, Download, Source,
    caching::CacheableAnswer,
    handler::{RequestedFile, cache_control},
    handoff::Handoff,
    media_type::is_rendered,
    permit::KeyQuota,
    source::Blob,
};

impl RequestedFile<'_> {
    /// Sends a file, or hands it over to another server.
    pub(super) async fn send_file(
        &self,
        path: &FilePath,
        at: Option<&RepoAddress>,
        file: ResolvedFile,
    ) -> Result<Response> {
        self.caller.check_may_download()?;
        if file.blob.is_damaged {
            return Err(operations::Error::damaged(file.blob.sha256).into());
        }
        let checksums = ChecksumHeaders {
            sha256: file.blob.sha256,
            sha1: file.blob.sha1.as_deref().and_then(bytes_of),
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
            media_type: self.media_type(path, file.media_type),
            is_attachment: is_rendered(self.media_type(path, file.media_type)),
            last_modified: file.changed,
            checksums,
            cache_control: cache_control(file.keeping),
            surrogate_key: self.surrogate_key(at, file.keeping),
            source,
            way: self.way(),
            completed,
            key_quota,
            has_md5_tag: false,
        };
        if let Some(handoff) = handoff {
            let answer = download.answer(&Method::HEAD, &self.parts.headers).await?;
            handed_over.into_iter().for_each(|notify| notify(blob.size));
            return Ok(handoff.name(self.as_image(answer, blob)));
        }
        let answer = download.answer(&self.parts.method, &self.parts.headers).await;
        let response = answer.map_err(|error| self.failure(error, &file))?;
        let response = self.as_image(self.varying(response), blob);
        let ResolvedFile { repo_ids, depends_on, rules, counted, .. } = file;
        let source = cached_source;
        let answer = CacheableAnswer { source, blob, repo_ids, depends_on, rules, counted, text: None };
        self.cache_response(&response, answer);
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
