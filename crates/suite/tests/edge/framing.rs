//! The end of a message: lengths, chunks, and requests smuggled behind them.

use suite::TestHouse;

use crate::wire::{Case, NONE, PATIENCE, Wire, head, not_refused, send};

const SMUGGLED: &str = "GET /livez HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n";

/// Returns a POST with these lines and this body, and a smuggled request behind it.
fn case(name: &'static str, lines: &str, body: &str) -> Case {
    let request = format!("POST /api/orgs HTTP/1.1\r\nHost: house\r\n{lines}\r\n{body}{SMUGGLED}");
    (name, request.into_bytes())
}

fn length_beside_chunks() -> Vec<Case> {
    let empty = "0\r\n\r\n";
    vec![
        case("length first", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", empty),
        case("chunks first", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", empty),
        case("odd case", "tRANSFER-eNCODING: cHUNKED\r\ncONTENT-lENGTH: 5\r\n", empty),
        case("odd blanks", "Content-Length:\t5 \r\nTransfer-Encoding:  chunked \t\r\n", empty),
        case("blank before the colon", "Content-Length: 5\r\nTransfer-Encoding : chunked\r\n", empty),
        case("tab before the colon", "Content-Length: 5\r\nTransfer-Encoding\t: chunked\r\n", empty),
        case("length of nothing", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", empty),
        case("fields between", "Content-Length: 5\r\nA: b\r\nC: d\r\nTransfer-Encoding: chunked\r\n", empty),
        case("identity", "Content-Length: 5\r\nTransfer-Encoding: identity\r\n", "hello"),
        case("folded", "Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n", empty),
        case("vertical tab", "Content-Length: 5\r\nTransfer-Encoding: \u{b}chunked\r\n", empty),
    ]
}

#[tokio::test]
async fn a_length_beside_chunks_is_refused() {
    let house = TestHouse::start().await;
    assert_eq!(not_refused(&house, length_beside_chunks()).await, NONE);
}

#[tokio::test]
async fn a_request_hidden_behind_a_length_beside_chunks_is_never_answered() {
    let house = TestHouse::start().await;
    for (name, bytes) in length_beside_chunks() {
        let answer = send(&house, bytes).await;
        assert!(answer.is_closed, "{name}: the connection stays open");
        assert!(answer.text.matches("HTTP/1.1 ").count() <= 1, "{name}: {}", answer.text);
        assert!(!answer.text.contains("alive"), "{name}: {}", answer.text);
    }
}

#[tokio::test]
async fn lengths_are_one_plain_number() {
    let house = TestHouse::start().await;
    let cases = vec![
        case("two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n", "hello"),
        case("one length twice", "Content-Length: 5\r\nContent-Length: 5\r\n", "hello"),
        case("a list of lengths", "Content-Length: 5, 5\r\n", "hello"),
        case("a list of two", "Content-Length: 5, 6\r\n", "hello"),
        case("a plus", "Content-Length: +2\r\n", "{}"),
        case("a minus", "Content-Length: -2\r\n", "{}"),
        case("hexadecimal", "Content-Length: 0x2\r\n", "{}"),
        case("a fraction", "Content-Length: 2.0\r\n", "{}"),
        case("a blank inside", "Content-Length: 1 2\r\n", "{}"),
        case("a letter", "Content-Length: 2a\r\n", "{}"),
        case("nothing", "Content-Length:\r\n", ""),
        case("more than 64 bits", "Content-Length: 18446744073709551618\r\n", "{}"),
        case("another script's digits", "Content-Length: \u{662}\r\n", "{}"),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
}

#[tokio::test]
async fn only_chunks_are_a_transfer_encoding() {
    let house = TestHouse::start().await;
    let chunks = "2\r\n{}\r\n0\r\n\r\n";
    let cases = vec![
        case("identity after chunked", "Transfer-Encoding: chunked, identity\r\n", chunks),
        case("another word", "Transfer-Encoding: xchunked\r\n", chunks),
        case("identity alone", "Transfer-Encoding: identity\r\n", "{}"),
        case("nothing", "Transfer-Encoding:\r\n", "{}"),
        case("chunked and another", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", chunks),
        case("quoted", "Transfer-Encoding: \"chunked\"\r\n", chunks),
        ("HTTP/1.0", b"POST /api/orgs HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_vec()),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
}

/// The head is valid, so the call may be refused for other reasons; a request behind the chunks must never be answered.
#[tokio::test]
async fn nothing_behind_malformed_chunks_is_answered() {
    let house = TestHouse::start().await;
    let admin = house.admin();
    let bodies = [
        ("17 digits", "11111111111111111\r\n{}\r\n0\r\n\r\n"),
        ("17 digits with zeros", "00000000000000002\r\n{}\r\n0\r\n\r\n"),
        ("a plus", "+2\r\n{}\r\n0\r\n\r\n"),
        ("0x", "0x2\r\n{}\r\n0\r\n\r\n"),
        ("no digit", "\r\n{}\r\n0\r\n\r\n"),
        ("too short", "1\r\n{}\r\n0\r\n\r\n"),
        ("too long", "3\r\n{}\r\n0\r\n\r\n"),
        ("a bare line feed", "2\n{}\r\n0\r\n\r\n"),
        ("a bare line feed after the chunk", "2\r\n{}\n0\r\n\r\n"),
        ("a bare line feed in an extension", "2;a\nb\r\n{}\r\n0\r\n\r\n"),
        ("a bare line feed after a trailer", "2\r\n{}\r\n0\r\nA: b\n\r\n"),
    ];
    for (name, body) in bodies {
        let lines = format!("Transfer-Encoding: chunked\r\n{}", crate::wire::authorization(&admin));
        let answer = send(&house, case(name, &lines, body).1).await;
        assert!(answer.is_refused() || answer.status() == Some(408), "{name}: {}", answer.text);
        assert!(!answer.text.contains("alive"), "{name}: {}", answer.text);
    }
}

#[tokio::test]
async fn two_requests_sent_at_once_are_answered_in_turn() {
    let house = TestHouse::start().await;
    let first = "GET /api/nothing HTTP/1.1\r\nHost: house\r\n\r\n";
    let answer = send(&house, [first, SMUGGLED].concat()).await;
    let statuses: Vec<&str> = answer.text.matches("HTTP/1.1 404").chain(answer.text.matches("HTTP/1.1 200")).collect();
    assert_eq!(statuses, ["HTTP/1.1 404", "HTTP/1.1 200"], "{}", answer.text);
    assert!(answer.text.ends_with(r#"{"message":"alive"}"#));
}

#[tokio::test]
async fn two_requests_with_bodies_sent_at_once_are_answered_in_turn() {
    let house = TestHouse::start().await;
    let authorization = crate::wire::authorization(&house.admin());
    let one =
        format!("POST /api/orgs HTTP/1.1\r\nHost: h\r\n{authorization}Content-Length: 14\r\n\r\n{{\"name\":\"one\"}}");
    let lines = format!("{authorization}Transfer-Encoding: chunked\r\n");
    let two = [head("POST /api/orgs HTTP/1.1", &lines).as_str(), "e\r\n{\"name\":\"two\"}\r\n0\r\n\r\n"].concat();
    let answer = send(&house, one + &two).await;
    assert_eq!(answer.text.matches("HTTP/1.1 201").count(), 2, "{}", answer.text);
}

/// A later malformed request must not become part of an earlier body.
#[tokio::test]
async fn a_malformed_request_does_not_change_the_body_before_it() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    let authorization = crate::wire::authorization(&house.admin());
    let head = format!("POST /api/orgs HTTP/1.1\r\nHost: h\r\n{authorization}Content-Length: 15\r\n\r\n");
    wire.send_apart(head + r#"{"name":"acme"#).await;
    wire.send("\"}GET /livez HTTP/1.1\n\n").await;
    let answer = wire.answer().await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    wire.time_to_close(PATIENCE).await.expect("the second request ends the connection");
}
