//! Request targets: which ones are refused, and which spellings are equivalent.

use serde_json::json;
use suite::TestHouse;

use crate::wire::{Case, NONE, authorization, get, head, not_refused, send};

/// Each path is one that the framework was found to accept, on one of our routes.
fn case(path: &'static str) -> Case {
    (path, get(path).into_bytes())
}

#[tokio::test]
async fn a_plain_target_of_the_same_form_is_answered() {
    let house = TestHouse::start().await;
    assert_eq!(send(&house, get("/livez")).await.status(), Some(200));
    assert_eq!(send(&house, get("/livez?x=%2e%2e&y=a%5cb&z=//")).await.status(), Some(200));
}

#[tokio::test]
async fn targets_that_could_lead_elsewhere_are_refused() {
    let house = TestHouse::start().await;
    let cases = [
        "/api/users/..",
        "/api/users/.",
        "/api/users/../../livez",
        "/api/users/..%2fpriv",
        "/api/content/s/..%2fpriv/f",
        "/api/content/s/r/../../etc",
        "/api/content/s/r/%2e%2e/%2e%2e/etc",
        "/api/content/s/r/%2E./etc",
        "/api/content/s/r/.%2e/etc",
        "/dl/s/r/../../etc/passwd",
        "/dl/s/r/%2e%2e%2f%2e%2e%2fetc",
        "/dl/s/r/..;x=y/f",
        "/dl/s/r/%2e%2e;x=y/f",
        "/dl/s/r/%2fetc",
        "/dl/s/r/a%2f%2fb",
        "/..",
        "/livez/..",
    ];
    assert_eq!(not_refused(&house, cases.map(case).into()).await, NONE);
}

#[tokio::test]
async fn targets_that_hide_bytes_are_refused() {
    let house = TestHouse::start().await;
    let cases = [
        "/api/users/a%00b",
        "/api/users/%00",
        "/api/users/a%5cb",
        "/api/users/..%5c..%5cetc",
        "/api/users/a\\b",
        "/api/users/%zz",
        "/api/users/%",
        "/api/users/%4",
        "/api/users/%ff",
        "/api/users/%c0%ae%c0%ae",
        "/api/users/%e0%80%ae",
        "/api/users/%ed%a0%80",
        "/api/users/%252e%252e%252f",
        "/api/users/%252e%252e",
        "/api/users/a%252fb",
        "/api/users/a%255cb",
        "/api/users/a%2500",
        "/api/users/a%0d%0aSet-Cookie:x",
        "/api/users/a%7fb",
        "/api/users/a;x=%00",
        "/api/users/a;x=%zz",
        "/api/audit?start_pos=%00",
        "/api/audit?start_pos=%zz",
        "/api/audit?start_pos=%ff",
        "/api/audit?%0a=1",
    ];
    assert_eq!(not_refused(&house, cases.map(case).into()).await, NONE);
}

#[tokio::test]
async fn targets_that_are_not_paths_are_refused() {
    let house = TestHouse::start().await;
    let cases = vec![
        ("raw high byte", [b"GET /api/users/a\xff HTTP/1.1\r\n".as_slice(), LAST].concat()),
        ("raw DEL", [b"GET /api/users/a\x7f HTTP/1.1\r\n".as_slice(), LAST].concat()),
        ("raw NUL", [b"GET /api/users/a\0 HTTP/1.1\r\n".as_slice(), LAST].concat()),
        ("blank in the target", [b"GET /api/users/a b HTTP/1.1\r\n".as_slice(), LAST].concat()),
        ("no slash", get("livez").into_bytes()),
        ("asterisk", head("OPTIONS * HTTP/1.1", "").into_bytes()),
        ("authority", head("CONNECT house:80 HTTP/1.1", "").into_bytes()),
        ("another host", get("http://evil/livez").into_bytes()),
        ("another port", get("http://house:1/livez").into_bytes()),
        ("a login", get("http://ada@house/livez").into_bytes()),
    ];
    assert_eq!(not_refused(&house, cases).await, NONE);
    assert_eq!(send(&house, get("http://house/livez")).await.status(), Some(200));
}

const LAST: &[u8] = b"Host: house\r\nConnection: close\r\n\r\n";

#[tokio::test]
async fn spellings_of_one_name_are_one_resource() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let plain = ada.get("/users/ada").await.expect(200).body;
    let spellings =
        ["/api/users/%61d%61", "/api//users///ada/", "/api/users/ada;x=y", "/api;a=b/users;c/ada", "/%61pi/users/ada"];
    for spelling in spellings {
        let request = head(&format!("GET {spelling} HTTP/1.1"), &authorization(&ada));
        let answer = send(&house, request).await;
        assert!(answer.text.as_bytes().ends_with(&plain), "{spelling}: {}", answer.text);
    }
}

#[tokio::test]
async fn an_encoded_separator_is_part_of_the_name() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for name in ["ada%3Bx=y", "ada%2Fapi_key", "ada%3Fx", "ada%23x"] {
        let request = head(&format!("GET /api/users/{name} HTTP/1.1"), &authorization(&ada));
        assert_eq!(send(&house, request).await.status(), Some(400), "{name}");
    }
}

#[tokio::test]
async fn parameters_that_contradict_each_other_are_refused() {
    let house = TestHouse::start().await;
    house.admin().get("/audit?start_pos=0&start_pos=0").await.expect(200);
    let refused = house.admin().get("/audit?start_pos=0&start_pos=1").await.expect(400);
    assert_eq!(refused.json(), json!({"message": "a parameter was given several times with different values"}));
}

#[tokio::test]
async fn positions_are_numbers_within_bounds() {
    let house = TestHouse::start().await;
    house.admin().get("/audit?start_pos=9007199254740992").await.expect(200);
    for position in ["-1", "%2B1", "", "1.0", "1e3", "9223372036854775807", "9223372036854775808", "0x10", "x"] {
        let refused = house.admin().get(&format!("/audit?start_pos={position}")).await.expect(400);
        assert!(refused.message().starts_with("start_pos: "), "{position}: {}", refused.text());
    }
}
