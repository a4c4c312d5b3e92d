//! Bodies that arrive slowly, and connections that stay open.

use std::time::{Duration, Instant};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::json;
use suite::{Person, TestHouse, exchange};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Starts a house with the default time-out for silence, and one second for bodies that trickle in.
async fn house() -> TestHouse {
    TestHouse::start_with(&[("limits.body_grace_secs", "1")]).await
}

fn authorization(who: &Person) -> String {
    format!("Authorization: Basic {}\r\n", BASE64_STANDARD.encode(format!("{}:{}", who.name(), who.key())))
}

/// Sends a request whose body arrives in pieces, a tenth of a second apart, until the response; returns how long that
/// took.
async fn drip(house: &TestHouse, line: &str, lines: &str, piece: &[u8], pieces: usize) -> (String, Duration) {
    let (mut read, mut write) = TcpStream::connect(house.address).await.expect("it listens").into_split();
    let length = piece.len() * pieces;
    let head = format!("{line} HTTP/1.1\r\nHost: house\r\n{lines}Content-Length: {length}\r\n\r\n");
    write.write_all(head.as_bytes()).await.expect("sent");
    let piece = piece.to_vec();
    let sending = tokio::spawn(async move {
        for _ in 0..pieces {
            if write.write_all(&piece).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // Keeps the connection open until the response arrives.
        std::future::pending::<()>().await;
    });
    let began = Instant::now();
    let mut answer = vec![0; 4_096];
    let size = timeout(Duration::from_secs(20), read.read(&mut answer)).await.expect("in time").expect("an answer");
    sending.abort();
    (String::from_utf8_lossy(&answer[..size]).into_owned(), began.elapsed())
}

fn is_about_a_second(time: Duration) -> bool {
    (Duration::from_millis(800)..Duration::from_secs(5)).contains(&time)
}

#[tokio::test]
async fn a_form_that_drips_is_not_waited_for() {
    let house = house().await;
    let (answer, time) = drip(&house, "POST /login", "", b"n", 2_000).await;
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("connection: close"), "{answer}");
    assert!(is_about_a_second(time), "{time:?}");
}

#[tokio::test]
async fn a_body_of_the_api_and_an_upload_that_drip_are_not_waited_for() {
    let house = house().await;
    let admin = house.admin();
    admin.post("/repos/admin/tools").await.expect(201);
    admin.post("/packages/admin/tools").json(json!({"name": "cat"})).await.expect(201);
    for line in [
        "POST /api/orgs",
        "PUT /api/content/admin/tools/cat/1/cat.bin",
        "PUT /api/content/admin/tools/cat/1/cat.zip?explode=1",
    ] {
        let (answer, time) = drip(&house, line, &authorization(&admin), b"{", 2_000).await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{line}: {answer}");
        assert!(is_about_a_second(time), "{line}: {time:?}");
    }
    assert_eq!(admin.get("/packages/admin/tools/cat/files").await.expect(200).text(), "[]");
}

#[tokio::test]
async fn an_upload_that_is_slow_but_comes_is_taken() {
    let house = house().await;
    let admin = house.admin();
    admin.post("/repos/admin/tools").await.expect(201);
    admin.post("/packages/admin/tools").json(json!({"name": "cat"})).await.expect(201);
    let line = "PUT /api/content/admin/tools/cat/1/cat.bin?publish=1";
    let (answer, time) = drip(&house, line, &authorization(&admin), &[7; 400], 25).await;
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert!(time > Duration::from_secs(2), "{time:?}");
    assert_eq!(admin.download("/admin/tools/cat.bin").await.expect(200).text().len(), 10_000);
}

#[tokio::test]
async fn silence_in_an_upload_is_408() {
    let house = TestHouse::start_with(&[("limits.body_gap_secs", "1")]).await;
    let admin = house.admin();
    admin.post("/repos/admin/tools").await.expect(201);
    admin.post("/packages/admin/tools").json(json!({"name": "cat"})).await.expect(201);
    for (path, sent) in [("cat.bin", 4), ("large.bin", 100_000), ("cat.zip?explode=1", 4)] {
        let authorization = authorization(&admin);
        let head = format!(
            "PUT /api/content/admin/tools/cat/1/{path} HTTP/1.1\r\nHost: house\r\n{authorization}Content-Length: 200000\r\n\r\n"
        );
        let bytes = [head.as_bytes(), &vec![7; sent]].concat();
        let answer = exchange(house.address, &bytes, Duration::from_secs(5)).await;
        assert_eq!(answer.status(), Some(408), "{path}: {}", answer.text);
        assert!(answer.text.contains("The content came too slowly"), "{path}: {}", answer.text);
        assert!(answer.is_closed);
    }
}

/// Opens a connection, sends a request, and returns the response.
async fn ask(house: &TestHouse, line: &str, lines: &str) -> (TcpStream, String) {
    let mut socket = TcpStream::connect(house.address).await.expect("it listens");
    socket.write_all(format!("{line} HTTP/1.1\r\nHost: house\r\n{lines}\r\n").as_bytes()).await.expect("sent");
    let mut answer = vec![0; 8_192];
    let size = timeout(Duration::from_secs(5), socket.read(&mut answer)).await.expect("in time").unwrap_or_default();
    (socket, String::from_utf8_lossy(&answer[..size]).into_owned())
}

/// Returns whether the server closes a connection within this time.
async fn is_closed(socket: &mut TcpStream, within: Duration) -> bool {
    matches!(timeout(within, socket.read(&mut [0; 1])).await, Ok(Ok(0) | Err(_)))
}

#[tokio::test]
async fn those_who_have_not_signed_in_cannot_take_all_connections() {
    let limits = [("limits.connections", "8"), ("limits.anonymous_connections_percent", "50")];
    let house = TestHouse::start_with(&limits).await;
    let (open, authorization) = ("GET /api/licenses/oss_licenses", authorization(&house.admin()));
    let mut anonymous = Vec::new();
    for _ in 0..4 {
        let (socket, answer) = ask(&house, open, "").await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        anonymous.push(socket);
    }
    let (mut socket, answer) = ask(&house, open, "").await;
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("retry-after: "), "{answer}");
    assert!(is_closed(&mut socket, Duration::from_secs(2)).await);
    let wrong = "Authorization: Basic YWRtaW46d3Jvbmc=\r\n";
    let (mut socket, answer) = ask(&house, open, wrong).await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert!(is_closed(&mut socket, Duration::from_secs(2)).await);
    let (_, answer) = ask(&house, "GET /livez", "").await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("connection: close"), "{answer}");
    let mut signed_in = Vec::new();
    for _ in 0..4 {
        let (mut socket, answer) = ask(&house, open, &authorization).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        assert!(!is_closed(&mut socket, Duration::from_millis(50)).await);
        signed_in.push(socket);
    }
    // A caller who signs in frees an anonymous slot.
    drop(signed_in.pop());
    let again = format!("{open} HTTP/1.1\r\nHost: house\r\n{authorization}\r\n");
    anonymous[0].write_all(again.as_bytes()).await.expect("sent");
    assert!(anonymous[0].read(&mut [0; 8_192]).await.expect("an answer") > 0);
    let answered = async { while !ask(&house, open, "").await.1.starts_with("HTTP/1.1 200 ") {} };
    timeout(Duration::from_secs(5), answered).await.expect("a place for one who has not signed in");
}

#[tokio::test]
async fn a_connection_beyond_the_share_that_says_nothing_is_closed() {
    let limits = [
        ("limits.connections", "2"),
        ("limits.anonymous_connections_percent", "1"),
        ("limits.header_timeout_secs", "1"),
    ];
    let house = TestHouse::start_with(&limits).await;
    let (_first, answer) = ask(&house, "GET /api/licenses/oss_licenses", "").await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    // An HTTP/2 connection could otherwise be silent forever.
    let mut silent = TcpStream::connect(house.address).await.expect("it listens");
    silent.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.expect("sent");
    let closed = async { while !matches!(silent.read(&mut [0; 1_024]).await, Ok(0) | Err(_)) {} };
    timeout(Duration::from_secs(5), closed).await.expect("it is closed");
}
