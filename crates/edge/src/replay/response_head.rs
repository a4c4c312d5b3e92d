//! The serialized head of a cached response.

use http::{HeaderMap, HeaderName, header};
use model::timestamp::Timestamp;

use crate::{HttpDate, RequestId};

/// A serialized head with placeholders for the values that differ in each response.
#[derive(Debug)]
pub struct ResponseHead {
    text: Vec<u8>,
    id_at: usize,
    date_at: usize,
    /// The position of the value of the varying header, whose length is not fixed.
    varying_at: Option<usize>,
}

impl ResponseHead {
    /// Serializes a head as the parser does, for a body of this size. The value of the header `varying` differs in each
    /// response.
    pub fn new(headers: &HeaderMap, size: u64, varying: Option<&HeaderName>) -> Self {
        let mut text = b"HTTP/1.1 200 OK\r\n".to_vec();
        let mut line = |name: &str, value: &[u8]| {
            text.extend_from_slice(name.as_bytes());
            text.extend_from_slice(b": ");
            let at = text.len();
            text.extend_from_slice(value);
            text.extend_from_slice(b"\r\n");
            at
        };
        let (mut id_at, mut varying_at) = (0, None);
        for (name, value) in headers {
            if *name == RequestId::HEADER {
                id_at = line(name.as_str(), &[b'-'; RequestId::LENGTH]);
            } else if Some(name) == varying {
                varying_at = Some(line(name.as_str(), b""));
            } else {
                line(name.as_str(), value.as_bytes());
            }
        }
        if !headers.contains_key(header::CONTENT_LENGTH) {
            line("content-length", size.to_string().as_bytes());
        }
        let date_at = line("date", HttpDate::from(Timestamp::EPOCH).header().as_bytes());
        text.extend_from_slice(b"\r\n");
        Self { text, id_at, date_at, varying_at }
    }

    /// Replaces the content of `to` with the head and its current values.
    pub(crate) fn write(&self, id: RequestId, date: &str, varying: Option<i64>, to: &mut Vec<u8>) {
        to.clear();
        to.extend_from_slice(&self.text);
        let id = id.digits();
        to[self.id_at..][..id.len()].copy_from_slice(&id);
        to[self.date_at..][..date.len()].copy_from_slice(date.as_bytes());
        if let (Some(at), Some(value)) = (self.varying_at, varying) {
            // Last, because it moves the bytes after it.
            to.splice(at..at, value.to_string().into_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::request_id::RequestIds;

    #[test]
    fn a_head_is_written_with_its_name_and_its_time() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ETAG, HeaderValue::from_static("\"a\""));
        RequestId::make_room(&mut headers);
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        let mut written = b"what was there before".to_vec();
        let id = RequestIds::default().next();
        ResponseHead::new(&headers, 7, None).write(id, "Sun, 06 Nov 1994 08:49:37 GMT", None, &mut written);
        assert_eq!(
            String::from_utf8_lossy(&written),
            format!(
                "HTTP/1.1 200 OK\r\netag: \"a\"\r\nx-request-id: {id}\r\naccept-ranges: bytes\r\n\
                 content-length: 7\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n"
            )
        );
    }

    #[test]
    fn a_varying_header_is_written_each_time() {
        let mut headers = HeaderMap::new();
        RequestId::make_room(&mut headers);
        let varying = HeaderName::from_static("x-ratelimit-remaining");
        headers.insert(varying.clone(), HeaderValue::from_static("0"));
        headers.insert(header::ETAG, HeaderValue::from_static("\"a\""));
        let (head, id, mut written) =
            (ResponseHead::new(&headers, 7, Some(&varying)), RequestIds::default().next(), Vec::new());
        for remaining in [49_999, 7] {
            head.write(id, "Sun, 06 Nov 1994 08:49:37 GMT", Some(remaining), &mut written);
            assert_eq!(
                String::from_utf8_lossy(&written),
                format!(
                    "HTTP/1.1 200 OK\r\nx-request-id: {id}\r\nx-ratelimit-remaining: {remaining}\r\netag: \"a\"\r\n\
                     content-length: 7\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n"
                )
            );
        }
    }
}
