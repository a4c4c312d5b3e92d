//! The limit of connections.

use std::time::Duration;

use suite::TestHouse;

use crate::wire::Wire;

const REQUEST: &str = "GET /livez HTTP/1.1\r\nHost: house\r\n\r\n";

/// Opens a connection, sends one request, and leaves it open.
async fn connect(house: &TestHouse) -> Wire {
    let mut wire = Wire::open(house).await;
    wire.send(REQUEST).await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 200 "));
    wire
}

#[tokio::test]
async fn a_connection_over_the_limit_is_closed_and_the_others_go_on() {
    let house = TestHouse::start_with(&[("limits.connections", "2")]).await;
    let (mut first, _second) = (connect(&house).await, connect(&house).await);
    let mut third = Wire::open(&house).await;
    third.send(REQUEST).await;
    third.time_to_close(Duration::from_secs(2)).await.expect("the third is closed");
    assert_eq!(third.rest(), "");
    first.send(REQUEST).await;
    assert!(first.answer().await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn a_freed_place_is_taken_again() {
    let house = TestHouse::start_with(&[("limits.connections", "1")]).await;
    for _ in 0..5 {
        let mut wire = connect(&house).await;
        wire.send("GET /livez HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n").await;
        wire.time_to_close(Duration::from_secs(2)).await.expect("it is closed as asked");
        wait_for_a_place(&house).await;
    }
}

#[tokio::test]
async fn a_client_that_goes_away_frees_its_place() {
    let house = TestHouse::start_with(&[("limits.connections", "1")]).await;
    let mut half = Wire::open(&house).await;
    half.send("GET /livez HTT").await;
    drop(half);
    wait_for_a_place(&house).await;
}

/// Retries until a request succeeds: the server notices a closed connection a moment after the client.
async fn wait_for_a_place(house: &TestHouse) {
    let answered = async {
        loop {
            let mut wire = Wire::open(house).await;
            wire.send("GET /livez HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n").await;
            wire.time_to_close(Duration::from_secs(2)).await.expect("it is closed as asked, or for want of a place");
            if wire.rest().starts_with("HTTP/1.1 200 ") {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(5), answered).await.expect("a place comes free");
}
