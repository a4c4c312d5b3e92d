//! Bodies: chunks, trailers, and `Expect: 100-continue`.

use suite::{Person, TestHouse};

use crate::wire::{PATIENCE, Wire, authorization, head, send};

const BODY: &str = r#"{"name":"acme"}"#;

/// Returns the head of a POST that waits for `100 Continue` before it sends its 15 bytes.
fn asking_first(person: Option<&Person>) -> String {
    let authorization = person.map(authorization).unwrap_or_default();
    format!(
        "POST /api/orgs HTTP/1.1\r\nHost: house\r\n{authorization}Expect: 100-continue\r\nContent-Length: 15\r\n\r\n"
    )
}

#[tokio::test]
async fn a_chunked_body_with_extensions_and_trailers_is_read() {
    let house = TestHouse::start().await;
    let lines = format!("Transfer-Encoding: Chunked\r\nTrailer: X-Sum\r\n{}", authorization(&house.admin()));
    let chunks = "1;a=b\r\n{\r\n00e\r\n\"name\":\"acme\"}\r\n0\r\nX-Sum: 1\r\n\r\n";
    let answer = send(&house, head("POST /api/orgs HTTP/1.1", &lines) + chunks).await;
    assert_eq!(answer.status(), Some(201), "{}", answer.text);
}

#[tokio::test]
async fn leave_to_send_is_given_by_a_call_that_reads_the_body() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send(asking_first(Some(&house.admin()))).await;
    assert_eq!(wire.answer().await, "HTTP/1.1 100 Continue\r\n\r\n");
    wire.send(BODY).await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 201 "));
}

#[tokio::test]
async fn wrong_credentials_are_refused_before_the_body_is_asked_for() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send(asking_first(Some(&house.person("admin", "wrong")))).await;
    let answer = wire.answer().await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
}

/// "Refuse before body reading": a call that requires credentials refuses anonymous callers without reading the body.
#[tokio::test]
async fn anonymous_callers_are_refused_before_their_body_is_asked_for() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send(asking_first(None)).await;
    let answer = wire.answer().await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
}

#[tokio::test]
async fn an_address_that_takes_no_body_does_not_ask_for_it() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send(asking_first(None).replace("/api/orgs", "/api/nothing")).await;
    let answer = wire.answer().await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
}

#[tokio::test]
async fn an_answer_to_a_body_that_was_not_read_ends_the_connection_and_says_so() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send("PUT /api/nothing HTTP/1.1\r\nHost: house\r\nContent-Length: 4000000\r\n\r\nonly the beginning").await;
    let answer = wire.answer().await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    wire.time_to_close(PATIENCE).await.expect("it closes");
}

#[tokio::test]
async fn an_answer_arrives_although_much_of_the_body_was_not_read() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send("PUT /api/nothing HTTP/1.1\r\nHost: house\r\nContent-Length: 20000000\r\n\r\n").await;
    // More than the buffers of the sockets, so the write ends only if the server reads.
    wire.send("x".repeat(20_000_000)).await;
    let answer = wire.answer().await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
}

#[tokio::test]
async fn a_body_that_was_not_read_is_not_taken_for_a_request() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    let inside = "GET /livez HTTP/1.1\r\nHost: house\r\n\r\n";
    let lines = format!("Content-Length: {}\r\n", inside.len());
    wire.send(format!("POST /api/nothing HTTP/1.1\r\nHost: house\r\n{lines}\r\n{inside}")).await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 404 "));
    wire.send("GET /api/nothing HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n").await;
    wire.time_to_close(PATIENCE).await.expect("the last answer closes");
    assert!(!wire.rest().contains("alive"), "{}", wire.rest());
}
