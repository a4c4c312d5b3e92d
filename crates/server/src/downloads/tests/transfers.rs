//! Tests downloads over the edge's connections, plain and encrypted, with several kinds of clients.

use std::{
    net::{Ipv4Addr, SocketAddr},
    ops::Range,
    sync::Arc,
    time::Duration,
};

use axum::{
    body::Body,
    http::{HeaderValue, Request},
};
use blobs::testing::{SampleBlob, resident};
use edge::{
    Backend, Client, CompletedReplay, Context, Draining, FileRange, Listener, Options, Proxies, Replay, Reply,
    RequestBody, TlsFiles,
};
use model::timestamp::Timestamp;
use reqwest::{ClientBuilder, Version, header};
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
};

use crate::{
    downloads::{
        ChecksumHeaders, Download, SendMethod, Source, media_type, tests::completed_transfers::CompletedTransfers,
    },
    service::Service,
};

const MIB: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server that answers every request with the same file.
struct Server {
    blob: Arc<SampleBlob>,
    source: Source,
    transfers: CompletedTransfers,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Server {
    async fn start(size: usize) -> Self {
        Self::start_with(size, None).await
    }

    async fn start_tls(size: usize) -> Self {
        let folder = TempDir::new().unwrap();
        let files = TlsFiles { certificate: folder.path().join("certificate"), key: folder.path().join("key") };
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(&files.certificate, made.cert.pem()).unwrap();
        std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        Self::start_with(size, Some(files)).await
    }

    async fn start_with(size: usize, tls: Option<TlsFiles>) -> Self {
        let blob = Arc::new(SampleBlob::store(size).await);
        let source = Source::Mapped(blob.mapped().await);
        let transfers = CompletedTransfers::default();
        let listener = Listener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), tls).await.unwrap();
        let address = listener.address();
        let service = OneFile { blob: Arc::clone(&blob), source: source.clone(), transfers: transfers.clone() };
        let server = edge::Server::new(service, options(), Draining::default());
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.serve(listener, async move { drop(stopped.await) }));
        Self { blob, source, transfers, address, stop, serving }
    }

    /// The sizes of completed transfers, after all connections have closed.
    async fn transfers(self) -> Vec<u64> {
        drop(self.stop);
        tokio::time::timeout(TIMEOUT, self.serving).await.expect("the connections end").unwrap();
        self.transfers.all()
    }
}

fn options() -> Options {
    Options {
        proxies: Proxies::default(),
        connections: 100,
        anonymous_percent: 100,
        connections_per_address: 100,
        head_timeout: TIMEOUT,
        body_gap: TIMEOUT,
        body_grace: TIMEOUT,
        body_bytes_per_sec: 1_024,
        drain: TIMEOUT,
    }
}

/// Answers every request with one file.
#[derive(Clone)]
struct OneFile {
    blob: Arc<SampleBlob>,
    source: Source,
    transfers: CompletedTransfers,
}

impl Backend for OneFile {
    type Body = Body;
    type Cached = ();

    async fn call(&self, request: Request<RequestBody>, context: Context) -> Reply<Body, ()> {
        let sums = self.blob.sums;
        let download = Download {
            size: sums.size,
            media_type: media_type("sample.jar"),
            is_attachment: false,
            last_modified: Timestamp::EPOCH,
            checksums: ChecksumHeaders { sha256: sums.sha256, sha1: sums.sha1, md5: sums.md5 },
            cache_control: HeaderValue::from_static("no-cache"),
            surrogate_key: None,
            source: self.source.clone(),
            way: SendMethod::of(&context.client, request.version()),
            completed: Some(self.transfers.completed()),
            key_quota: None,
            has_md5_tag: false,
        };
        let response = download.answer(request.method(), request.headers()).await.unwrap();
        Reply { response, cached: None }
    }

    fn replay<'c>(&self, (): &'c (), _: &Client, _: bool) -> Option<Replay<'c>> {
        None
    }

    fn completed(&self, (): &(), _: CompletedReplay<'_>) {}

    fn locate(bytes: &[u8]) -> Option<FileRange> {
        Service::locate(bytes)
    }

    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }
}

fn request(part: &Range<usize>) -> String {
    format!("GET /sample.jar HTTP/1.1\r\nHost: house\r\nRange: bytes={}-{}\r\n\r\n", part.start, part.end - 1)
}

/// The next response on a connection: its head, and the body of the length that the head announces.
async fn answer(stream: &mut (impl AsyncRead + Unpin), received: &mut Vec<u8>) -> (String, Vec<u8>) {
    let end = loop {
        match received.windows(4).position(|four| four == b"\r\n\r\n") {
            Some(end) => break end + 4,
            None => assert!(stream.read_buf(received).await.unwrap() > 0, "closed in a head"),
        }
    };
    let head = String::from_utf8(received.drain(..end).collect()).unwrap();
    let length = head.split_once("content-length: ").unwrap().1.split_once("\r\n").unwrap().0.parse().unwrap();
    while received.len() < length {
        assert!(stream.read_buf(received).await.unwrap() > 0, "closed in a body");
    }
    let rest = received.split_off(length);
    (head, std::mem::replace(received, rest))
}

fn client() -> ClientBuilder {
    reqwest::Client::builder().no_proxy().tls_danger_accept_invalid_certs(true)
}

/// Downloads the whole file, then ranges of it, and compares.
async fn compare(server: &Server, client: &reqwest::Client, scheme: &str, version: Version) {
    let url = format!("{scheme}://{}/sample.jar", server.address);
    let whole = client.get(&url).send().await.unwrap();
    assert_eq!((whole.status().as_u16(), whole.version()), (200, version));
    assert!(whole.bytes().await.unwrap() == server.blob.content, "the content differs");
    for part in server.blob.parts(20).into_iter().filter(|part| !part.is_empty()) {
        let range = format!("bytes={}-{}", part.start, part.end - 1);
        let answer = client.get(&url).header(header::RANGE, range).send().await.unwrap();
        assert_eq!(answer.status(), 206);
        assert!(answer.bytes().await.unwrap() == server.blob.content[part], "the content differs");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_mapped_file_is_sent_without_being_read() {
    let server = Server::start(64 * MIB).await;
    let mut far = TcpStream::connect(server.address).await.unwrap();
    far.write_all(b"GET /sample.jar HTTP/1.1\r\nHost: house\r\n\r\n").await.unwrap();
    let (head, body) = answer(&mut far, &mut Vec::new()).await;
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(body == server.blob.content, "the content differs");
    let Source::Mapped(mapped) = &server.source else { panic!("the sample is mapped") };
    assert_eq!(resident(&mapped.bytes(0..1).unwrap()), "0 kB");
    drop(far);
    assert_eq!(server.transfers().await, [64 << 20]);
}

#[tokio::test]
async fn requests_that_do_not_wait_for_answers_get_theirs_in_order() {
    let server = Server::start(8 * MIB).await;
    let parts: Vec<_> = server.blob.parts(60).into_iter().filter(|part| !part.is_empty()).collect();
    let (mut read, mut write) = TcpStream::connect(server.address).await.unwrap().into_split();
    let requests: String = parts.iter().map(request).collect();
    let sending = tokio::spawn(async move { write.write_all(requests.as_bytes()).await.map(|()| write) });
    let mut received = Vec::new();
    for part in parts {
        let (head, body) = answer(&mut read, &mut received).await;
        let range = format!("content-range: bytes {}-{}/{}\r\n", part.start, part.end - 1, 8 * MIB);
        assert!(head.contains(&range), "{head}");
        assert!(body == server.blob.content[part], "the content differs");
    }
    assert!(received.is_empty());
    sending.await.unwrap().unwrap();
}

#[tokio::test]
async fn several_ranges_of_a_mapped_file_arrive() {
    let server = Server::start(4 * MIB).await;
    let mut far = TcpStream::connect(server.address).await.unwrap();
    let request = "GET / HTTP/1.1\r\nHost: house\r\nRange: bytes=0-999999,2000000-2000009,-1000000\r\n\r\n";
    far.write_all(request.as_bytes()).await.unwrap();
    let (_, body) = answer(&mut far, &mut Vec::new()).await;
    let content = &server.blob.content;
    let mut rest = body.as_slice();
    for part in [&content[..1_000_000], &content[2_000_000..2_000_010], &content[4 * MIB - 1_000_000..]] {
        let head = rest.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        assert!(rest[head..].starts_with(part), "the content differs");
        rest = &rest[head + part.len()..];
    }
    assert!(rest.ends_with(b"--\r\n"));
    drop(far);
    assert_eq!(server.transfers().await, [2_000_010]);
}

#[tokio::test]
async fn http_2_without_encryption_gets_the_same() {
    let server = Server::start(3 * MIB).await;
    compare(&server, &client().http2_prior_knowledge().build().unwrap(), "http", Version::HTTP_2).await;
}

#[tokio::test]
async fn http_1_over_tls_gets_the_same() {
    let server = Server::start_tls(3 * MIB).await;
    compare(&server, &client().http1_only().build().unwrap(), "https", Version::HTTP_11).await;
}

#[tokio::test]
async fn http_2_over_tls_gets_the_same() {
    let server = Server::start_tls(3 * MIB).await;
    compare(&server, &client().build().unwrap(), "https", Version::HTTP_2).await;
}

#[tokio::test]
async fn a_mapped_file_that_becomes_shorter_ends_the_transfer_and_not_the_process() {
    for (server, client, scheme) in [
        (Server::start(3 * MIB).await, client().build().unwrap(), "http"),
        (Server::start(3 * MIB).await, client().http2_prior_knowledge().build().unwrap(), "http"),
        (Server::start_tls(3 * MIB).await, client().http1_only().build().unwrap(), "https"),
        (Server::start_tls(3 * MIB).await, client().build().unwrap(), "https"),
    ] {
        server.blob.truncate(1 << 20);
        let answer = client.get(format!("{scheme}://{}/sample.jar", server.address)).send().await;
        let received = match answer {
            Ok(answer) => answer.bytes().await.is_ok(),
            Err(_) => false,
        };
        assert!(!received, "a file that is too short does not arrive");
        drop(client);
        assert!(server.transfers().await.is_empty());
    }
}

#[tokio::test]
async fn a_transfer_is_told_in_every_protocol() {
    for (server, client, scheme) in [
        (Server::start(3 * MIB).await, client().build().unwrap(), "http"),
        (Server::start(3 * MIB).await, client().http2_prior_knowledge().build().unwrap(), "http"),
        (Server::start_tls(3 * MIB).await, client().http1_only().build().unwrap(), "https"),
        (Server::start_tls(3 * MIB).await, client().build().unwrap(), "https"),
    ] {
        let url = format!("{scheme}://{}/sample.jar", server.address);
        let head = client.head(&url).send().await.unwrap().headers().clone();
        assert_eq!(head[header::CONTENT_LENGTH], "3145728");
        let known = HeaderValue::try_from(format!("\"{}\"", server.blob.sums.sha256)).unwrap();
        let known = client.get(&url).header(header::IF_NONE_MATCH, known).send().await.unwrap().headers().clone();
        assert!(known.contains_key(header::ETAG) && !known.contains_key(header::CONTENT_LENGTH), "{known:?}");
        client.get(&url).send().await.unwrap().bytes().await.unwrap();
        drop(client);
        assert_eq!(server.transfers().await, [3 << 20], "{url}");
    }
}

#[tokio::test]
async fn a_transfer_that_the_client_gives_up_is_not_told() {
    for (server, client, scheme) in [
        (Server::start(16 * MIB).await, client().build().unwrap(), "http"),
        (Server::start(16 * MIB).await, client().http2_prior_knowledge().build().unwrap(), "http"),
        (Server::start_tls(16 * MIB).await, client().http1_only().build().unwrap(), "https"),
        (Server::start_tls(16 * MIB).await, client().build().unwrap(), "https"),
    ] {
        let url = format!("{scheme}://{}/sample.jar", server.address);
        let mut answer = client.get(&url).send().await.unwrap();
        assert!(answer.chunk().await.unwrap().is_some());
        drop((answer, client));
        assert!(server.transfers().await.is_empty(), "{url}");
    }
}
