use blobs::testing::SampleBlob;
use bytes::Bytes;
use http_body_util::BodyExt;

use super::*;
use crate::downloads::tests::completed_transfers::CompletedTransfers;

const SIZE: usize = 100_000;

/// A sample file in a source, with its completed transfers.
struct Sample {
    blob: SampleBlob,
    source: Source,
    transfers: CompletedTransfers,
}

/// A response, with the part of the body that arrived.
struct Answer {
    status: u16,
    headers: HeaderMap,
    body: std::result::Result<Bytes, axum::Error>,
}

impl Sample {
    async fn mapped() -> Self {
        let blob = SampleBlob::store(SIZE).await;
        let source = Source::Mapped(blob.mapped().await);
        Self { blob, source, transfers: CompletedTransfers::default() }
    }

    async fn stream() -> Self {
        let sample = Self::mapped().await;
        Self { source: Source::Stream(sample.blob.blobs.clone()), ..sample }
    }

    async fn memory() -> Self {
        let sample = Self::mapped().await;
        Self { source: Source::Memory(sample.blob.content.clone().into()), ..sample }
    }

    fn download(&self) -> Download {
        let sums = self.blob.sums;
        Download {
            size: sums.size,
            media_type: "application/java-archive",
            is_attachment: false,
            last_modified: Timestamp::from_millis(784_111_777_500),
            checksums: ChecksumHeaders { sha256: sums.sha256, sha1: sums.sha1, md5: sums.md5 },
            cache_control: HeaderValue::from_static("private, max-age=60"),
            surrogate_key: None,
            source: self.source.clone(),
            way: SendMethod::Read,
            completed: Some(self.transfers.completed()),
            key_quota: None,
            has_md5_tag: false,
        }
    }

    async fn ask(&self, method: Method, lines: &[(HeaderName, &str)]) -> Answer {
        let value = |text: &str| HeaderValue::try_from(text).unwrap();
        let headers = lines.iter().map(|(name, text)| (name.clone(), value(text))).collect();
        let (head, body) = self.download().answer(&method, &headers).await.unwrap().into_parts();
        let body = body.collect().await.map(|body| body.to_bytes());
        Answer { status: head.status.as_u16(), headers: head.headers, body }
    }

    async fn get(&self, lines: &[(HeaderName, &str)]) -> Answer {
        self.ask(Method::GET, lines).await
    }

    fn etag(&self) -> String {
        format!("\"{}\"", self.blob.sums.sha256)
    }
}

impl Answer {
    fn body(&self) -> &[u8] {
        self.body.as_ref().expect("the body comes whole")
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

#[tokio::test]
async fn a_file_comes_whole_from_every_source() {
    for sample in [Sample::mapped().await, Sample::stream().await, Sample::memory().await] {
        let answer = sample.get(&[]).await;
        assert_eq!(answer.status, 200);
        assert!(answer.body() == sample.blob.content, "the content of {:?} differs", sample.source);
        assert_eq!(sample.transfers.all(), [SIZE as u64]);
    }
}

#[tokio::test]
async fn an_answer_says_what_is_known_of_the_file() {
    let sample = Sample::mapped().await;
    let answer = sample.get(&[]).await;
    let sums = sample.blob.sums;
    let expected = [
        ("accept-ranges", "bytes".to_owned()),
        ("cache-control", "private, max-age=60".to_owned()),
        ("content-length", "100000".to_owned()),
        ("content-range", String::new()),
        ("content-security-policy", "sandbox; default-src 'none'".to_owned()),
        ("content-type", "application/java-archive".to_owned()),
        ("etag", sample.etag()),
        ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT".to_owned()),
        ("x-checksum-md5", hex(&sums.md5.unwrap())),
        ("x-checksum-sha1", hex(&sums.sha1.unwrap())),
        ("x-checksum-sha2", sums.sha256.to_string()),
        ("x-content-type-options", "nosniff".to_owned()),
    ];
    assert_eq!(expected.clone().map(|(name, _)| (name, answer.header(name).to_owned())), expected);
}

#[tokio::test]
async fn an_unknown_checksum_is_not_named() {
    let mut sample = Sample::mapped().await;
    sample.blob.sums.md5 = None;
    assert!(!sample.get(&[]).await.headers.contains_key("x-checksum-md5"));
}

#[tokio::test]
async fn head_says_the_same_without_a_body() {
    let sample = Sample::stream().await;
    let (get, head) = (sample.get(&[]).await, sample.ask(Method::HEAD, &[]).await);
    assert_eq!((head.status, &head.headers), (200, &get.headers));
    assert!(head.body().is_empty());
    let ranged = sample.ask(Method::HEAD, &[(header::RANGE, "bytes=0-9")]).await;
    assert_eq!((ranged.status, &ranged.headers), (200, &get.headers));
    assert_eq!(sample.transfers.all(), [SIZE as u64], "only GET is told");
}

#[tokio::test]
async fn a_range_is_told_when_it_ends_the_file() {
    for sample in [Sample::mapped().await, Sample::stream().await, Sample::memory().await] {
        let inner = sample.get(&[(header::RANGE, "bytes=10-99998")]).await;
        assert_eq!((inner.status, inner.header("content-range")), (206, "bytes 10-99998/100000"));
        assert_eq!(inner.header("content-length"), "99989");
        assert_eq!(inner.header("content-type"), "application/java-archive");
        assert!(inner.body() == &sample.blob.content[10..99_999], "the content of {:?} differs", sample.source);
        assert!(sample.transfers.all().is_empty());
        let last = sample.get(&[(header::RANGE, "bytes=-10")]).await;
        assert_eq!((last.status, last.header("content-range")), (206, "bytes 99990-99999/100000"));
        assert!(last.body() == &sample.blob.content[99_990..], "the content of {:?} differs", sample.source);
        assert_eq!(sample.transfers.all(), [10]);
    }
}

#[tokio::test]
async fn several_ranges_come_in_one_body() {
    for sample in [Sample::mapped().await, Sample::stream().await, Sample::memory().await] {
        let answer = sample.get(&[(header::RANGE, "bytes=70000-70999,0-9,-1")]).await;
        let boundary = sample.blob.sums.sha256;
        let content = &sample.blob.content;
        let head = |range| {
            format!(
                "--{boundary}\r\nContent-Type: application/java-archive\r\nContent-Range: bytes {range}/100000\r\n\r\n"
            )
        };
        let expected = [
            head("70000-70999").as_bytes(),
            &content[70_000..71_000],
            b"\r\n",
            head("0-9").as_bytes(),
            &content[..10],
            b"\r\n",
            head("99999-99999").as_bytes(),
            &content[99_999..],
            format!("\r\n--{boundary}--\r\n").as_bytes(),
        ]
        .concat();
        assert_eq!(answer.status, 206);
        assert!(answer.body() == expected, "the content of {:?} differs", sample.source);
        assert_eq!(answer.header("content-length"), expected.len().to_string());
        assert_eq!(answer.header("content-type"), format!("multipart/byteranges; boundary={boundary}"));
        assert_eq!(answer.header("content-range"), "");
        assert_eq!(sample.transfers.all(), [1011]);
        sample.get(&[(header::RANGE, "bytes=0-9,20-29")]).await;
        assert_eq!(sample.transfers.all(), [1011], "the file's end was not sent");
    }
}

#[tokio::test]
async fn a_range_beyond_the_end_is_refused_with_the_size() {
    let sample = Sample::mapped().await;
    let answer = sample.get(&[(header::RANGE, "bytes=100000-")]).await;
    assert_eq!((answer.status, answer.header("content-range")), (416, "bytes */100000"));
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "", "the file's policy is not the refusal's");
    assert!(sample.transfers.all().is_empty());
}

#[tokio::test]
async fn a_range_of_other_content_is_answered_with_all_of_this() {
    let sample = Sample::mapped().await;
    let range = (header::RANGE, "bytes=0-9");
    assert_eq!(sample.get(&[range.clone(), (header::IF_RANGE, "\"other\"")]).await.status, 200);
    assert_eq!(sample.get(&[range, (header::IF_RANGE, &sample.etag())]).await.status, 206);
}

#[tokio::test]
async fn content_that_the_caller_has_is_not_sent() {
    let sample = Sample::stream().await;
    for method in [Method::GET, Method::HEAD] {
        let answer = sample.ask(method, &[(header::IF_NONE_MATCH, &sample.etag())]).await;
        assert_eq!(answer.status, 304);
        assert!(answer.body().is_empty());
        assert_eq!(answer.header("etag"), sample.etag());
        assert_eq!(answer.header("cache-control"), "private, max-age=60");
        // A cache copies these headers to its stored content.
        assert_eq!(answer.header("content-security-policy"), "sandbox; default-src 'none'");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("content-length"), "");
        assert_eq!(answer.header("content-type"), "");
    }
    assert!(sample.transfers.all().is_empty());
}

#[tokio::test]
async fn a_failed_condition_is_refused() {
    let sample = Sample::mapped().await;
    let answer = sample.get(&[(header::IF_MATCH, "\"other\"")]).await;
    assert_eq!((answer.status, answer.header("content-type")), (412, "application/json"));
    assert!(sample.transfers.all().is_empty());
}

#[tokio::test]
async fn an_empty_file_is_complete_at_once() {
    let blob = SampleBlob::store(0).await;
    let source = Source::Stream(blob.blobs.clone());
    let sample = Sample { blob, source, transfers: CompletedTransfers::default() };
    let answer = sample.get(&[(header::RANGE, "bytes=0-9")]).await;
    assert_eq!((answer.status, answer.header("content-length"), answer.body()), (200, "0", [].as_slice()));
    assert_eq!(sample.transfers.all(), [0]);
}

#[tokio::test]
async fn a_blob_that_is_gone_is_an_error_and_no_answer() {
    let sample = Sample::stream().await;
    sample.blob.blobs.delete(sample.blob.sums.sha256).await.unwrap();
    let error = sample.download().answer(&Method::GET, &HeaderMap::new()).await.unwrap_err();
    assert!(error.to_string().contains("it is missing"), "{error}");
    assert!(sample.transfers.all().is_empty());
}

#[tokio::test]
async fn a_blob_of_another_size_is_an_error_and_no_answer() {
    for mut sample in [Sample::mapped().await, Sample::stream().await, Sample::memory().await] {
        sample.blob.sums.size += 1;
        let error = sample.download().answer(&Method::GET, &HeaderMap::new()).await.unwrap_err();
        assert!(error.to_string().contains("it has 100000 bytes and not 100001"), "{error}");
    }
}

#[tokio::test]
async fn a_transfer_that_breaks_off_is_not_told() {
    let blob = SampleBlob::store(3 << 20).await;
    let source = Source::Stream(blob.blobs.clone());
    let sample = Sample { blob, source, transfers: CompletedTransfers::default() };
    let answer = sample.download().answer(&Method::GET, &HeaderMap::new()).await.unwrap();
    sample.blob.truncate(1 << 20);
    answer.into_body().collect().await.unwrap_err();
    assert!(sample.transfers.all().is_empty());
}
