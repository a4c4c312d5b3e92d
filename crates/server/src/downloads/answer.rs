//! The response to a GET or HEAD of a file.

use std::ops::Range;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::prelude::{BASE64_STANDARD, Engine};
use model::{
    digest::{Digest, hex},
    timestamp::Timestamp,
};
use operations::Result;
use web::error::Failure;

use super::{
    body::{Completed, Completion, DownloadBody, NoBody},
    conditional::{Validators, Verdict},
    etag::ETag,
    multipart::{Section, Whole, content_range},
    permit::KeyQuota,
    range::ByteRanges,
    source::{Blob, SendMethod, Source},
};

/// A file that the caller may download.
pub(crate) struct Download {
    pub(crate) size: u64,
    pub(crate) media_type: &'static str,
    /// Whether browsers must save the file even if they could display it.
    pub(crate) is_attachment: bool,
    pub(crate) last_modified: Timestamp,
    pub(crate) checksums: ChecksumHeaders,
    /// Which caches may store the response, and for how long.
    pub(crate) cache_control: HeaderValue,
    /// The tags by which a CDN purges the file.
    pub(crate) surrogate_key: Option<HeaderValue>,
    pub(crate) source: Source,
    pub(crate) way: SendMethod,
    /// Called for every transfer that reaches the end of the file.
    pub(crate) completed: Option<Completed>,
    /// The download quota that the bytes count against, if one applies.
    pub(crate) key_quota: Option<KeyQuota>,
    /// Whether the MD5 is the entity tag. Then a header also has the SHA-256 as RFC 9530 writes it.
    pub(crate) has_md5_tag: bool,
}

/// The checksums of a file; some may be missing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChecksumHeaders {
    pub(crate) sha256: Digest,
    pub(crate) sha1: Option<[u8; 20]>,
    pub(crate) md5: Option<[u8; 16]>,
}

const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
const SURROGATE_KEY: HeaderName = HeaderName::from_static("surrogate-key");
const CHECKSUM_SHA1: HeaderName = HeaderName::from_static("x-checksum-sha1");
const CHECKSUM_SHA2: HeaderName = HeaderName::from_static("x-checksum-sha2");
const CHECKSUM_MD5: HeaderName = HeaderName::from_static("x-checksum-md5");

impl Download {
    /// Answers a GET or HEAD with these headers. Fails before a byte is sent when the store fails or the quota is used
    /// up.
    pub(crate) async fn answer(self, method: &Method, headers: &HeaderMap) -> Result<Response> {
        let etag = match self.checksums.md5.filter(|_| self.has_md5_tag) {
            Some(md5) => ETag::of_md5(md5),
            None => ETag::of(self.checksums.sha256),
        };
        let validators = Validators { etag, last_modified: self.last_modified.into() };
        match validators.judge(headers) {
            Verdict::Proceed => {}
            Verdict::NotModified => return Ok(self.not_modified(&validators)),
            Verdict::Failed => return Ok(precondition_failed()),
        }
        // RFC 9110 section 14.2 defines ranges for GET only.
        let takes_ranges = method == Method::GET && validators.allow_ranges(headers);
        let ranges = if takes_ranges { ByteRanges::by(headers, self.size) } else { ByteRanges::Whole };
        let Some(plan) = self.plan(ranges) else { return Ok(no_such_range(self.size)) };
        let mut response = plan.status.into_response();
        *response.headers_mut() = self.headers(&validators, &plan);
        if method != Method::HEAD {
            *response.body_mut() = Body::new(self.body(plan.sections).await?);
        }
        Ok(response)
    }

    /// Plans which bytes to send; `None` if the file has none of the requested bytes.
    fn plan(&self, ranges: ByteRanges) -> Option<ResponsePlan> {
        let media_type = HeaderValue::from_static(self.media_type);
        match ranges {
            ByteRanges::Nothing => None,
            ByteRanges::Whole => {
                let sections = vec![Section::File(0..self.size)];
                Some(ResponsePlan { status: StatusCode::OK, media_type, content_range: None, sections })
            }
            ByteRanges::Parts(parts) => Some(match parts.as_slice() {
                [part] => {
                    let content_range = Some(content_range(part, self.size));
                    let sections = vec![Section::File(part.clone())];
                    ResponsePlan { status: StatusCode::PARTIAL_CONTENT, media_type, content_range, sections }
                }
                _ => self.plan_multipart(parts),
            }),
        }
    }

    fn plan_multipart(&self, parts: Vec<Range<u64>>) -> ResponsePlan {
        let boundary = self.checksums.sha256.to_string();
        let whole = Whole { size: self.size, media_type: self.media_type, boundary: &boundary };
        ResponsePlan {
            status: StatusCode::PARTIAL_CONTENT,
            media_type: whole.media_type(),
            content_range: None,
            sections: whole.sections(parts),
        }
    }

    fn headers(&self, validators: &Validators, plan: &ResponsePlan) -> HeaderMap {
        let mut headers = self.lasting_headers(validators);
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        headers.insert(header::CONTENT_TYPE, plan.media_type.clone());
        headers.insert(header::CONTENT_LENGTH, plan.size().into());
        if self.is_attachment {
            // The browser takes the file name from the last segment of the URL.
            headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
        }
        if let Some(range) = &plan.content_range {
            headers.insert(header::CONTENT_RANGE, text(range));
        }
        if let Some(sha1) = &self.checksums.sha1 {
            headers.insert(CHECKSUM_SHA1, text(&hex(sha1)));
        }
        headers.insert(CHECKSUM_SHA2, text(&self.checksums.sha256.to_string()));
        if let Some(md5) = &self.checksums.md5 {
            headers.insert(CHECKSUM_MD5, text(&hex(md5)));
        }
        if self.has_md5_tag {
            let sha256 = BASE64_STANDARD.encode(self.checksums.sha256.as_bytes());
            headers.insert(REPR_DIGEST, text(&format!("sha-256=:{sha256}:")));
        }
        headers
    }

    /// Headers that a cache stores with the file and updates from every response, including 304.
    fn lasting_headers(&self, validators: &Validators) -> HeaderMap {
        let key = self.surrogate_key.clone().map(|key| (SURROGATE_KEY, key));
        let lasting = [
            (header::ETAG, validators.etag.header()),
            (header::LAST_MODIFIED, validators.last_modified.header()),
            (header::CACHE_CONTROL, self.cache_control.clone()),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            // A page inside a package can run no scripts and load nothing.
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'")),
        ];
        lasting.into_iter().chain(key).collect()
    }

    fn not_modified(&self, validators: &Validators) -> Response {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        *response.headers_mut() = self.lasting_headers(validators);
        *response.body_mut() = Body::new(NoBody);
        response
    }

    async fn body(mut self, sections: Vec<Section>) -> Result<DownloadBody> {
        let size = sections.iter().map(Section::size).sum();
        let parts = || sections.iter().filter_map(Section::file);
        let file_bytes = parts().map(|part| part.end - part.start).sum();
        let reservation = match self.key_quota.take() {
            Some(key_quota) => Some(key_quota.reserve(file_bytes).await?),
            None => None,
        };
        let reaches_end = parts().any(|part| part.end == self.size);
        let completed = self.completed.filter(|_| reaches_end).map(|notify| Completion { notify, file_bytes });
        let blob = Blob { digest: self.checksums.sha256, size: self.size };
        let body = DownloadBody::new(size, self.source.open(blob, sections, self.way).await?, completed);
        Ok(body.paid_with(reservation))
    }
}

/// The response to a request that the file can satisfy.
struct ResponsePlan {
    status: StatusCode,
    media_type: HeaderValue,
    content_range: Option<String>,
    sections: Vec<Section>,
}

impl ResponsePlan {
    fn size(&self) -> u64 {
        self.sections.iter().map(Section::size).sum()
    }
}

fn text(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("digits, letters and blanks fit a header")
}

fn precondition_failed() -> Response {
    let message = "The file is not the one that the conditions of the request name";
    Failure::new(StatusCode::PRECONDITION_FAILED, message).into_response()
}

fn no_such_range(size: u64) -> Response {
    let message = format!("The file has {size} bytes, and the ranges lie beyond them");
    let mut response = Failure::new(StatusCode::RANGE_NOT_SATISFIABLE, message).into_response();
    response.headers_mut().insert(header::CONTENT_RANGE, text(&format!("bytes */{size}")));
    response
}

#[cfg(test)]
mod tests;
