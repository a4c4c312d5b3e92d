//! The limit of copies, which the library lacks: S3 copies at most 5 GiB in one request.

use std::path::PathBuf;

use hyper::{HeaderMap, StatusCode};
use s3s::{Body, HttpResponse};

/// Where the objects are, and how much of one is copied in one request.
#[derive(Clone)]
pub(crate) struct Copies {
    pub(crate) root: PathBuf,
    pub(crate) max_bytes: u64,
}

impl Copies {
    /// Returns the refusal of a request that copies too much.
    pub(crate) fn refuse(&self, headers: &HeaderMap) -> Option<HttpResponse> {
        let header = |name: &str| headers.get(name)?.to_str().ok();
        let source = header("x-amz-copy-source")?;
        let copied = match header("x-amz-copy-source-range").and_then(range_bytes) {
            Some(bytes) => bytes,
            None => std::fs::metadata(self.root.join(decoded(source.trim_start_matches('/')))).ok()?.len(),
        };
        (copied > self.max_bytes).then(|| self.refusal())
    }

    fn refusal(&self) -> HttpResponse {
        let text = format!(
            "<Error><Code>InvalidRequest</Code><Message>The specified copy source is larger than the maximum \
             allowable size for a copy source: {}</Message></Error>",
            self.max_bytes
        );
        let mut response = HttpResponse::new(Body::from(text));
        *response.status_mut() = StatusCode::BAD_REQUEST;
        response
    }
}

/// The number of bytes of `bytes=0-499`.
fn range_bytes(range: &str) -> Option<u64> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let (first, last) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
    Some(last.checked_sub(first)? + 1)
}

fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2).unwrap_or(("", part));
        decoded.extend(u8::from_str_radix(code, 16));
        decoded.extend(rest.bytes());
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
