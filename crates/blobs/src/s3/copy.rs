//! Copies an object within the store: in one request, or part by part if it is too large for that.

use std::{ops::Range, sync::Arc, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{
    Error as StoreError, ObjectStoreExt,
    client::{HttpRequest, HttpRequestBody},
    multipart::PartId,
    path::Path,
    signer::{HeaderName, HeaderValue, Method, SignedUrlOptions, Signer},
};

use super::{S3, error::unless_ok, multipart::Multipart};
use crate::error::{BoxError, Error};

/// Parts that the store copies at the same time for one object.
const COPIES_AT_ONCE: usize = 4;

/// How often the copy of a part is tried; the store's other requests have the same number.
const ATTEMPTS: u32 = 4;

/// How long the request for a part may be used: longer than the store may stay silent about it.
const SIGNED_FOR: Duration = Duration::from_secs(900);

impl S3 {
    /// Copies an object of this size. Overwrites an existing object.
    pub(super) async fn copy_object(self: &Arc<Self>, from: &Path, to: &Path, size: u64) -> Result<(), Error> {
        if size <= self.copy_limits.single_bytes {
            return unless_ok("copying to", to, self.patient_client.copy(from, to).await);
        }
        let mut upload = Multipart::create_at(self, to.clone()).await?;
        let parts = stream::iter(ranges(size, self.copy_limits.part_bytes).enumerate())
            .map(|(number, range)| self.copy_part(from, &upload, number, range))
            .buffered(COPIES_AT_ONCE)
            .try_collect()
            .await?;
        upload.assemble(parts).await
    }

    /// Copies a part, again if the store is unavailable for a moment.
    async fn copy_part(
        &self,
        from: &Path,
        upload: &Multipart,
        number: usize,
        range: Range<u64>,
    ) -> Result<PartId, Error> {
        let mut attempt = 1;
        loop {
            match self.try_copy_part(from, upload, number, &range).await {
                Err(Error::Unavailable { .. }) if attempt < ATTEMPTS => {
                    tokio::time::sleep(Duration::from_millis(100) * attempt).await;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }

    async fn try_copy_part(
        &self,
        from: &Path,
        upload: &Multipart,
        number: usize,
        range: &Range<u64>,
    ) -> Result<PartId, Error> {
        let source = format!("{}/{}", self.bucket, encoded(from));
        let bytes = format!("bytes={}-{}", range.start, range.end - 1);
        let header = |text: &str| HeaderValue::from_str(text).expect("it is encoded");
        let options = SignedUrlOptions::default()
            .with_query([("partNumber", (number + 1).to_string()), ("uploadId", upload.id.clone())])
            .with_signed_header(HeaderName::from_static("x-amz-copy-source"), header(&source))
            .with_signed_header(HeaderName::from_static("x-amz-copy-source-range"), header(&bytes));
        let url = self.client.signed_url_opts(Method::PUT, &upload.path, SIGNED_FOR, &options).await;
        let url = unless_ok("signing a URL of", &upload.path, url)?;
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.method_mut() = Method::PUT;
        *request.uri_mut() = url.as_str().parse().expect("a URL");
        request.headers_mut().extend(options.signed_headers);
        request.headers_mut().insert("content-length", HeaderValue::from_static("0"));
        let answered = self.send_copy(request).await.map_err(|source| StoreError::Generic { store: "S3", source });
        unless_ok("copying a part to", &upload.path, answered).map(|content_id| PartId { content_id })
    }

    /// Sends the request and returns the tag of the part. The store may fail after it has answered 200.
    async fn send_copy(&self, request: HttpRequest) -> Result<String, BoxError> {
        let response = self.http.execute(request).await?;
        let status = response.status();
        let text = response.into_body().bytes().await?;
        let text = String::from_utf8_lossy(&text);
        if !status.is_success() {
            return Err(format!("the response has the status code: {status}: {text}").into());
        }
        tag(&text).ok_or_else(|| format!("the response has no tag: {text}").into())
    }
}

/// Cuts a size into ranges of this length; the last one may be shorter.
fn ranges(size: u64, part_bytes: u64) -> impl Iterator<Item = Range<u64>> {
    (0..size.div_ceil(part_bytes)).map(move |number| number * part_bytes..size.min((number + 1) * part_bytes))
}

/// Writes a name as it appears in a URL.
fn encoded(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encode = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.as_ref().bytes().map(encode).collect()
}

/// Finds the tag in the XML of a response.
fn tag(text: &str) -> Option<String> {
    let tag = text.split_once("<ETag>")?.1.split_once("</ETag>")?.0;
    Some(tag.replace("&quot;", "\"").replace("&#34;", "\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_all_bytes_once() {
        assert_eq!(ranges(10, 4).collect::<Vec<_>>(), [0..4, 4..8, 8..10]);
        assert_eq!(ranges(8, 4).collect::<Vec<_>>(), [0..4, 4..8]);
    }

    #[test]
    fn a_tag_is_read_from_the_response() {
        let text = "<CopyPartResult><ETag>&quot;9b2c&quot;</ETag></CopyPartResult>";
        assert_eq!(tag(text).as_deref(), Some("\"9b2c\""));
        assert_eq!(tag("<Error><Code>InternalError</Code></Error>"), None);
    }

    #[test]
    fn a_name_is_encoded_like_a_url() {
        assert_eq!(encoded(&Path::from("a b/tmp/1-2")), "a%20b/tmp/1-2");
    }
}
