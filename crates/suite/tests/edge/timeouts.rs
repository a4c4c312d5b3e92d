//! Slow clients are cut off.

use std::time::Duration;

use serde_json::json;
use suite::TestHouse;

use crate::wire::{Wire, authorization};

const HALF: &str = "GET /livez HTTP/1.1\r\nHost: ho";
const WHOLE: &str = "GET /livez HTTP/1.1\r\nHost: house\r\n\r\n";

/// Starts a house that waits one second for heads and for bodies.
async fn impatient_house() -> TestHouse {
    TestHouse::start_with(&[("limits.header_timeout_secs", "1"), ("limits.body_gap_secs", "1")]).await
}

/// Returns whether a time is about a second, with a margin for a busy machine.
fn is_about_a_second(time: Option<Duration>) -> bool {
    time.is_some_and(|time| (Duration::from_millis(800)..Duration::from_secs(4)).contains(&time))
}

#[tokio::test]
async fn half_a_head_is_cut_after_ten_seconds() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send(HALF).await;
    let time = wire.time_to_close(Duration::from_secs(20)).await.expect("the connection is cut");
    assert!((Duration::from_secs(9)..Duration::from_secs(13)).contains(&time), "{time:?}");
}

#[tokio::test]
async fn half_a_head_is_cut_after_the_time_that_is_set() {
    let house = impatient_house().await;
    let mut wire = Wire::open(&house).await;
    wire.send(HALF).await;
    let time = wire.time_to_close(Duration::from_secs(8)).await;
    assert!(is_about_a_second(time), "{time:?}");
}

#[tokio::test]
async fn a_connection_that_sends_nothing_is_cut() {
    let house = impatient_house().await;
    let time = Wire::open(&house).await.time_to_close(Duration::from_secs(8)).await;
    assert!(is_about_a_second(time), "{time:?}");
}

#[tokio::test]
async fn a_head_that_trickles_is_cut() {
    let house = impatient_house().await;
    let mut wire = Wire::open(&house).await;
    // At one byte per tenth of a second, the head takes almost three seconds.
    for byte in HALF.bytes() {
        wire.send_apart([byte]).await;
    }
    wire.send("use\r\n\r\n").await;
    wire.time_to_close(Duration::from_secs(8)).await.expect("the connection is cut");
    assert_eq!(wire.rest(), "");
}

#[tokio::test]
async fn a_beginning_of_http_2_does_not_stop_the_clock() {
    let house = impatient_house().await;
    for beginning in ["PRI ", "PRI * HTTP/2.0\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r"] {
        let mut wire = Wire::open(&house).await;
        wire.send(beginning).await;
        let time = wire.time_to_close(Duration::from_secs(8)).await;
        assert!(is_about_a_second(time), "{beginning:?}: {time:?}");
    }
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let house = impatient_house().await;
    let mut wire = Wire::open(&house).await;
    wire.send(WHOLE).await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 200 "));
    wire.time_to_close(Duration::from_secs(8)).await.expect("the connection is closed");
    assert_eq!(wire.rest(), "");
}

#[tokio::test]
async fn half_a_later_head_is_cut() {
    let house = impatient_house().await;
    let mut wire = Wire::open(&house).await;
    wire.send(WHOLE).await;
    wire.answer().await;
    wire.send(HALF).await;
    wire.time_to_close(Duration::from_secs(8)).await.expect("the connection is cut");
    assert!(!wire.rest().contains("200 OK"), "{}", wire.rest());
}

/// Sends a POST whose body breaks off, and returns what arrives before the connection closes.
async fn broken_off(house: &TestHouse, path: &str, lines: &str, body: &str) -> String {
    let mut wire = Wire::open(house).await;
    let authorization = authorization(&house.admin());
    wire.send(format!("POST {path} HTTP/1.1\r\nHost: house\r\n{authorization}{lines}\r\n{body}")).await;
    wire.time_to_close(Duration::from_secs(8)).await.unwrap_or_else(|| panic!("{path} {lines}: it stays open"));
    wire.rest()
}

#[tokio::test]
async fn a_body_that_stops_coming_is_not_waited_for() {
    let house = impatient_house().await;
    for (lines, body) in [
        ("Content-Length: 100\r\n", r#"{"name":"#),
        ("Content-Length: 100\r\n", ""),
        ("Transfer-Encoding: chunked\r\n", "8\r\n{\"name\":\r\n"),
        ("Transfer-Encoding: chunked\r\n", "8\r\n{\"na"),
        ("Transfer-Encoding: chunked\r\n", "e\r\n{\"name\":\"one\"}\r\n0\r\nX-Tr"),
    ] {
        let answer = broken_off(&house, "/api/orgs", lines, body).await;
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{lines} {body}: {answer}");
    }
}

#[tokio::test]
async fn a_body_that_nobody_reads_does_not_hold_its_connection() {
    let house = impatient_house().await;
    let answer = broken_off(&house, "/api/nothing", "Content-Length: 100\r\n", "half").await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
}

/// More than the buffers of two sockets.
const LARGE: usize = 32 << 20;

/// Downloads a large file with a client that pauses, and returns the number of bytes.
async fn download_with_a_pause(house: &TestHouse, pause: Duration) -> usize {
    let mut wire = Wire::open(house).await;
    wire.send("GET /dl/admin/tools/large.bin HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n").await;
    tokio::time::sleep(pause).await;
    wire.time_to_close(Duration::from_secs(20)).await.expect("the connection is closed");
    wire.rest().len()
}

#[tokio::test]
async fn a_client_that_takes_nothing_of_an_answer_is_cut() {
    let house = impatient_house().await;
    let admin = house.admin();
    admin.post("/repos/admin/tools").await.expect(201);
    admin.post("/packages/admin/tools").json(json!({"name": "large"})).await.expect(201);
    admin.put("/content/admin/tools/large/1/large.bin?publish=1").body(vec![7; LARGE]).await.expect(201);
    assert!(download_with_a_pause(&house, Duration::from_millis(100)).await > LARGE);
    assert!(download_with_a_pause(&house, Duration::from_secs(6)).await < LARGE);
}

#[tokio::test]
async fn a_body_with_short_gaps_is_waited_for() {
    let house = impatient_house().await;
    let mut wire = Wire::open(&house).await;
    let authorization = authorization(&house.admin());
    wire.send(format!("POST /api/orgs HTTP/1.1\r\nHost: house\r\n{authorization}Content-Length: 15\r\n\r\n")).await;
    for byte in br#"{"name":"acme"}"# {
        wire.send_apart([*byte]).await;
    }
    assert!(wire.answer().await.starts_with("HTTP/1.1 201 "));
}
