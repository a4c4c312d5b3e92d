//! A stop lets running requests finish and accepts no new ones.

use std::time::Duration;

use suite::TestHouse;
use tokio::{net::TcpStream, task::JoinHandle};

use crate::wire::{PATIENCE, Wire, authorization};

/// Asks the house to stop, and returns when it no longer listens.
async fn begin_stop(house: TestHouse) -> JoinHandle<()> {
    let address = house.address;
    let stopping = tokio::spawn(house.stop());
    let refused = async { while TcpStream::connect(address).await.is_ok() {} };
    tokio::time::timeout(PATIENCE, refused).await.expect("new connections are refused");
    stopping
}

async fn ends(stopping: JoinHandle<()>) {
    tokio::time::timeout(PATIENCE, stopping).await.expect("the server ends soon").expect("the server ends well");
}

#[tokio::test]
async fn a_request_in_flight_finishes_and_new_connections_are_refused() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    let authorization = authorization(&house.admin());
    let head = "POST /api/orgs HTTP/1.1\r\nHost: house\r\nExpect: 100-continue\r\nContent-Length: 15\r\n";
    wire.send(format!("{head}{authorization}\r\n")).await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 100 "), "the request is in flight");
    let stopping = begin_stop(house).await;
    wire.send(r#"{"name":"acme"}"#).await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 201 "));
    wire.time_to_close(PATIENCE).await.expect("the connection is closed after its answer");
    ends(stopping).await;
}

#[tokio::test]
async fn a_stopping_server_says_that_it_is_not_ready() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send_apart("GET /readyz HTTP/1.1\r\nHost: ho").await;
    let stopping = begin_stop(house).await;
    wire.send("use\r\n\r\n").await;
    let answer = wire.answer().await;
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.contains("\r\nretry-after: "), "{answer}");
    assert!(answer.ends_with(r#"{"message":"The server is stopping"}"#), "{answer}");
    ends(stopping).await;
}

#[tokio::test]
async fn idle_connections_do_not_hold_a_stop_up() {
    let house = TestHouse::start().await;
    let (mut idle, mut fresh) = (Wire::open(&house).await, Wire::open(&house).await);
    idle.send("GET /livez HTTP/1.1\r\nHost: house\r\n\r\n").await;
    assert!(idle.answer().await.starts_with("HTTP/1.1 200 "));
    let stopping = begin_stop(house).await;
    idle.time_to_close(PATIENCE).await.expect("an idle connection is closed");
    fresh.time_to_close(PATIENCE).await.expect("a connection without a request is closed");
    ends(stopping).await;
}

#[tokio::test]
async fn a_request_whose_connection_was_just_made_is_answered() {
    let house = TestHouse::start().await;
    let mut fresh = Wire::open(&house).await;
    let stopping = begin_stop(house).await;
    fresh.send("GET /livez HTTP/1.1\r\nHost: house\r\n\r\n").await;
    assert!(fresh.answer().await.starts_with("HTTP/1.1 200 "));
    ends(stopping).await;
}

#[tokio::test]
async fn a_connection_that_is_kept_is_told_that_it_ends_and_not_cut() {
    let house = TestHouse::start().await;
    let mut kept = Wire::open(&house).await;
    kept.send("GET /livez HTTP/1.1\r\nHost: house\r\n\r\n").await;
    let first = kept.answer().await;
    assert!(!first.contains("connection: close"), "{first}");
    let stopping = begin_stop(house).await;
    kept.send("GET /livez HTTP/1.1\r\nHost: house\r\n\r\n").await;
    let last = kept.answer().await;
    assert!(last.starts_with("HTTP/1.1 200 ") && last.contains("\r\nconnection: close\r\n"), "{last}");
    ends(stopping).await;
}

#[tokio::test]
async fn a_request_that_never_ends_is_cut_when_the_time_is_over() {
    let house = TestHouse::start_with(&[("limits.drain_secs", "1")]).await;
    let mut wire = Wire::open(&house).await;
    let authorization = authorization(&house.admin());
    let head = "POST /api/orgs HTTP/1.1\r\nHost: house\r\nExpect: 100-continue\r\nContent-Length: 15\r\n";
    wire.send(format!("{head}{authorization}\r\n")).await;
    wire.answer().await;
    let stopping = begin_stop(house).await;
    tokio::time::timeout(Duration::from_secs(4), stopping)
        .await
        .expect("the stop does not wait")
        .expect("it ends well");
}
