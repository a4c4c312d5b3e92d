//! Heads that proxies and servers read differently.

use suite::TestHouse;

use crate::wire::{Case, NONE, Wire, head, not_refused, send};

const START: &str = "GET /livez HTTP/1.1\r\n";
const LAST: &str = "Connection: close\r\n\r\n";

fn case(name: &'static str, lines: &str) -> Case {
    (name, [START, lines, LAST].concat().into_bytes())
}

#[tokio::test]
async fn a_plain_head_of_the_same_form_is_answered() {
    let house = TestHouse::start().await;
    let (_, bytes) = case("plain", "Host: house\r\nX-Other: \t b\r\n");
    assert_eq!(send(&house, bytes).await.status(), Some(200));
    let after_blank_line = [b"\r\n".as_slice(), &case("plain", "host:house\r\n").1].concat();
    assert_eq!(send(&house, after_blank_line).await.status(), Some(200));
}

#[tokio::test]
async fn a_request_names_one_host() {
    let house = TestHouse::start().await;
    let cases = vec![
        case("no host", ""),
        case("two hosts", "Host: house\r\nHost: evil\r\n"),
        case("one host twice", "Host: house\r\nHost: house\r\n"),
        case("two hosts in other case", "Host: house\r\nX: y\r\nhOST: evil\r\n"),
        ("no host in HTTP/1.0", b"GET /livez HTTP/1.0\r\n\r\n".to_vec()),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
}

/// RFC 9112, 3.2: "or a Host header field with an invalid field value" is a 400, too.
#[tokio::test]
async fn a_host_that_is_not_one_is_refused() {
    let house = TestHouse::start().await;
    let cases = vec![
        case("a list", "Host: house, evil\r\n"),
        case("a blank", "Host: house evil\r\n"),
        case("a path", "Host: house/evil\r\n"),
        case("a login", "Host: ada@house\r\n"),
        case("not ASCII", "Host: h\u{f6}use\r\n"),
        case("a port that is not one", "Host: house:x\r\n"),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
}

#[tokio::test]
async fn lines_end_in_carriage_return_and_line_feed() {
    let house = TestHouse::start().await;
    let cases = vec![
        ("bare line feeds", b"GET /livez HTTP/1.1\nHost: house\nConnection: close\n\n".to_vec()),
        ("one bare line feed", b"GET /livez HTTP/1.1\r\nHost: house\nConnection: close\r\n\r\n".to_vec()),
        ("a bare last line", b"GET /livez HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\n".to_vec()),
        ("a bare first line", b"\nGET /livez HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n".to_vec()),
        ("bare carriage returns", b"GET /livez HTTP/1.1\rHost: house\rConnection: close\r\r\n\r\n".to_vec()),
        case("a carriage return in a value", "Host: house\r\nX-Other: a\rb\r\n"),
        case("two carriage returns", "Host: house\r\r\n"),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
}

#[tokio::test]
async fn malformed_fields_are_refused() {
    let house = TestHouse::start().await;
    let cases = vec![
        case("a folded line", "Host: house\r\nX-Other: a\r\n b\r\n"),
        case("a fold after the first line", " X: y\r\nHost: house\r\n"),
        case("NUL in a value", "Host: house\r\nX-Other: a\0b\r\n"),
        case("NUL in a name", "Host: house\r\nX\0Other: a\r\n"),
        case("a blank before the colon", "Host: house\r\nX-Other : a\r\n"),
        case("a tab before the colon", "Host\t: house\r\n"),
        case("no colon", "Host: house\r\nX-Other\r\n"),
        case("no name", "Host: house\r\n: a\r\n"),
        case("DEL in a value", "Host: house\r\nX-Other: a\x7fb\r\n"),
        ("no version", b"GET /livez\r\nHost: house\r\n\r\n".to_vec()),
        ("another version", b"GET /livez HTTP/3.1\r\nHost: house\r\n\r\n".to_vec()),
        ("two blanks", b"GET  /livez HTTP/1.1\r\nHost: house\r\n\r\n".to_vec()),
        ("a method that is no word", b"G@T\0 /livez HTTP/1.1\r\nHost: house\r\n\r\n".to_vec()),
        ("a TLS hello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec()),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
}

/// A start like the preface of HTTP/2 must not disable the checks of HTTP/1 requests.
#[tokio::test]
async fn a_method_that_begins_as_http_2_does_is_looked_at_as_well() {
    let house = TestHouse::start().await;
    let mut wire = Wire::open(&house).await;
    wire.send_apart("PRI ").await;
    wire.send("/livez HTTP/1.1\r\nHost: house\r\n\r\n").await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 4"));
    wire.send("GET /livez HTTP/1.1\nHost: house\nConnection: close\n\n").await;
    wire.time_to_close(crate::wire::PATIENCE).await.expect("bare line feeds end the connection");
    assert!(!wire.rest().contains("alive"), "{}", wire.rest());
}

#[tokio::test]
async fn a_refused_head_is_answered_and_the_connection_closed() {
    let house = TestHouse::start().await;
    let answer = send(&house, "GET /livez HTTP/1.1\nHost: house\n\n").await;
    assert_eq!((answer.status(), answer.is_closed), (Some(400), true));
    let unparsed = send(&house, head("GET /a b HTTP/1.1", "")).await;
    assert_eq!((unparsed.status(), unparsed.is_closed), (Some(400), true));
}
