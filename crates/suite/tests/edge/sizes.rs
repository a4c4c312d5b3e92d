//! The size limit of request heads.

use suite::TestHouse;

use crate::wire::{NONE, get, head, not_refused, send};

#[tokio::test]
async fn a_path_over_4_kib_is_too_long() {
    let house = TestHouse::start().await;
    let most = format!("/api/{}", "a/".repeat(2_045));
    assert_eq!(send(&house, get(&most)).await.status(), Some(404));
    let over = send(&house, get(&format!("{most}aa"))).await;
    assert_eq!(over.status(), Some(414));
    assert!(over.text.ends_with(r#"{"message":"the request's path or query is too long"}"#), "{}", over.text);
}

#[tokio::test]
async fn a_query_over_8_kib_is_too_long() {
    let house = TestHouse::start().await;
    let most = format!("/livez?{}", "a".repeat(8_192));
    assert_eq!(send(&house, get(&most)).await.status(), Some(200));
    assert_eq!(send(&house, get(&format!("{most}a"))).await.status(), Some(414));
}

#[tokio::test]
async fn heads_over_the_limits_are_refused() {
    let house = TestHouse::start().await;
    let with = |lines: &str| head("GET /livez HTTP/1.1", lines).into_bytes();
    let value = |bytes: usize| with(&format!("X-Other: {}\r\n", "a".repeat(bytes)));
    let cases = vec![
        ("101 fields", with(&"X-Other: a\r\n".repeat(101))),
        ("10,000 fields", with(&"A: b\r\n".repeat(10_000))),
        ("a value of 64 KiB", value(64 * 1024)),
        ("a value of 512 KiB", value(512 * 1024)),
        ("a name of 64 KiB", with(&format!("{}: a\r\n", "a".repeat(64 * 1024)))),
        ("a URI of 60 KiB", get(&format!("/{}", "a".repeat(60 * 1024))).into_bytes()),
        ("a URI of 70 KiB", get(&format!("/{}", "a".repeat(70 * 1024))).into_bytes()),
        ("a query of 60 KiB", get(&format!("/livez?{}", "a".repeat(60 * 1024))).into_bytes()),
        ("a method of 60 KiB", head(&format!("{} /livez HTTP/1.1", "A".repeat(60 * 1024)), "").into_bytes()),
        ("a first line without end", vec![b'A'; 512 * 1024]),
        ("blank lines without end", b"\r\n".repeat(256 * 1024)),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
}

#[tokio::test]
async fn a_head_within_the_limits_is_answered() {
    let house = TestHouse::start().await;
    let lines = format!("{}X-Long: {}\r\n", "X-Other: a\r\n".repeat(60), "a".repeat(8 * 1024));
    assert_eq!(send(&house, head("GET /livez HTTP/1.1", &lines)).await.status(), Some(200));
}

#[tokio::test]
async fn a_segment_longer_than_any_file_name_is_refused() {
    let house = TestHouse::start().await;
    assert_eq!(send(&house, get(&format!("/dl/s/r/{}", "a".repeat(255)))).await.status(), Some(401));
    assert_eq!(send(&house, get(&format!("/dl/s/r/{}", "a".repeat(256)))).await.status(), Some(400));
}
