//! JSON bodies: which ones are refused, and that the error names the field.

use serde_json::json;
use suite::{Answer, TestHouse};

use crate::wire::NONE;

async fn create_org(house: &TestHouse, body: impl Into<Vec<u8>>) -> Answer {
    house.admin().post("/orgs").body(body.into()).await
}

/// Returns an organization with a field of nested arrays, so that the whole body has this depth.
fn nested(name: &str, depth: usize) -> String {
    format!(r#"{{"name":"{name}","other":{}{}}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1))
}

/// Returns each body, which is sent to two calls, with the expected text of the message.
fn unreadable() -> Vec<(Vec<u8>, &'static str)> {
    let texts = [
        (nested("deep", 129), "recursion limit"),
        (nested("deep", 100_000), "recursion limit"),
        (r#"{"name":"acme","other":1e400}"#.into(), "out of range"),
        (r#"{"name":"acme","other":-1e400}"#.into(), "out of range"),
        (r#"{"name":"acme","other":"\ud800"}"#.into(), "hex escape"),
        (r#"{"name":"acme","other":"\udc00x"}"#.into(), "surrogate"),
        (r#"{"name":"acme","name":"acme"}"#.into(), "the key `name` is given twice"),
        (r#"{"name":"acme","n\u0061me":"evil"}"#.into(), "the key `name` is given twice"),
        (r#"{"name":"acme","other":{"a":1,"a":2}}"#.into(), "the key `a` is given twice"),
        (r#"{"name":"acme","full_name":"a\u0000b"}"#.into(), "NUL"),
        (r#"{"name":"acme","a\u0000b":1}"#.into(), "NUL"),
        ("{\"name\":\"acme\",\"full_name\":\"a\0b\"}".into(), "control character"),
        (r#"{"name":"acme"} x"#.into(), "trailing characters"),
        (r#"{"name":"acme"}{}"#.into(), "trailing characters"),
        ("{\"name\":\"acme\"}\0".into(), "trailing characters"),
        (r#"{"name":"acme",}"#.into(), "trailing comma"),
        (r#"{"name":"acme""#.into(), "EOF"),
        ("{name:\"acme\"}".into(), "key must be a string"),
        (r#"{"name":"acme","other":NaN}"#.into(), "not valid JSON"),
        (r#"{"name":"acme","other":012}"#.into(), "not valid JSON"),
        ("name=acme".into(), "not valid JSON"),
        ("\u{feff}{\"name\":\"acme\"}".into(), "not valid JSON"),
        ("   ".into(), "A JSON body is required"),
    ];
    let bytes = [
        (b"{\"name\":\"acme\",\"full_name\":\"\xff\"}".to_vec(), "unicode"),
        (b"{\"name\":\"acme\",\"\xc0\xae\":1}".to_vec(), "unicode"),
        (b"\x1f\x8b\x08\x00".to_vec(), "not valid JSON"),
    ];
    texts.into_iter().map(|(text, message): (String, _)| (text.into_bytes(), message)).chain(bytes).collect()
}

#[tokio::test]
async fn unreadable_bodies_are_refused_with_the_reason() {
    let house = TestHouse::start().await;
    let mut wrong = Vec::new();
    for (path, (body, reason)) in
        ["/orgs", "/users"].iter().flat_map(|path| unreadable().into_iter().map(move |case| (path, case)))
    {
        let shown: String = String::from_utf8_lossy(&body).chars().take(60).collect();
        let answer = house.admin().post(path).body(body).await;
        if answer.status != 400 || !answer.message().contains(reason) {
            wrong.push(format!("{path} {shown}: {} {}", answer.status, answer.text()));
        }
    }
    assert_eq!(wrong, NONE);
    house.admin().get("/orgs/acme").await.expect(404);
}

#[tokio::test]
async fn a_value_of_the_wrong_type_is_refused_with_the_name_of_its_field() {
    let house = TestHouse::start().await;
    let cases = [
        ("/users", json!({"name": 5}), "name: "),
        ("/users", json!({"name": null}), "name: "),
        ("/users", json!({"name": ["eve"]}), "name: "),
        ("/users", json!({"name": "eve", "email": []}), "email: "),
        ("/users", json!({"name": "eve", "full_name": {"a": 1}}), "full_name: "),
        ("/users", json!({"name": "eve", "password": 1}), "password: "),
        ("/users", json!({"name": "eve", "plan": true}), "plan: "),
        ("/users", json!({"name": "eve", "plan": "gold"}), "plan: "),
        ("/users", json!({"name": "../eve"}), "name: "),
        ("/orgs", json!({"name": "acme", "full_name": 1.5}), "full_name: "),
        ("/orgs", json!({}), "missing field `name`"),
        ("/orgs", json!({"full_name": "Acme"}), "missing field `name`"),
    ];
    for (path, body, message) in cases {
        let answer = house.admin().post(path).json(body.clone()).await.expect(400);
        assert!(answer.message().starts_with(message), "{body}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_blank_body_is_an_empty_one_where_a_body_is_optional() {
    let house = TestHouse::start().await;
    let admin = house.admin();
    admin.post("/repos/admin/tools").body(" ").await.expect(201);
    admin.post("/packages/admin/tools").json(json!({"name": "cat"})).await.expect(201);
    admin.put("/content/admin/tools/cat/1/cat.bin").body("meow").await.expect(201);
    for path in [
        "/content/admin/tools/cat/1/publish",
        "/signed_url/admin/tools/cat.bin",
        "/packages/admin/tools/cat/stats/total_downloads",
        "/packages/admin/tools/cat/stats/country_downloads",
        "/usage/admin",
        "/usage/admin/tools",
        "/usage/package_usage/admin/tools",
        "/gpg/admin/tools/cat/versions/1",
        "/gpg/admin/tools/cat.bin",
        "/calc_metadata/admin/tools",
        "/maven_public_sync/admin/tools/cat/versions/1",
    ] {
        let empty = admin.post(path).body("").await;
        for blank in [" ", "\r\n\t  \n"] {
            let answer = admin.post(path).body(blank).await;
            assert_eq!(answer.status, empty.status, "{path}: {}", answer.text());
            assert!(!answer.text().contains("not valid JSON"), "{path}: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn only_an_object_is_taken_for_one() {
    let house = TestHouse::start().await;
    for body in [r#"["acme", "Acme"]"#, r#"["eve", null, null, null, null]"#, "[]", "null", "7", r#""acme""#] {
        create_org(&house, body).await.refuses(400, "The body must be a JSON object");
        house.admin().post("/users").body(body).await.refuses(400, "The body must be a JSON object");
    }
}

#[tokio::test]
async fn a_body_is_at_most_256_kib() {
    let house = TestHouse::start().await;
    let padded = |name: &str, bytes: usize| {
        let mut body = json!({ "name": name }).to_string();
        body.push_str(&" ".repeat(bytes - body.len()));
        body
    };
    create_org(&house, padded("most", 256 * 1024)).await.expect(201);
    let refused = create_org(&house, padded("over", 256 * 1024 + 1)).await.expect(413);
    assert_eq!(refused.message(), "The JSON body is larger than 262144 bytes");
    house.admin().get("/orgs/over").await.expect(404);
}

#[tokio::test]
async fn a_body_of_unknown_length_is_at_most_256_kib() {
    let house = TestHouse::start().await;
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(65_536));
    let lines = format!("Transfer-Encoding: chunked\r\n{}", crate::wire::authorization(&house.admin()));
    let request = crate::wire::head("POST /api/orgs HTTP/1.1", &lines) + &chunk.repeat(4) + "1\r\n \r\n0\r\n\r\n";
    assert_eq!(crate::wire::send(&house, request).await.status(), Some(413));
}

#[tokio::test]
async fn a_missing_body_is_refused_where_one_is_required() {
    let house = TestHouse::start().await;
    create_org(&house, "").await.refuses(400, "A JSON body is required");
    house.admin().post("/users").await.refuses(400, "A JSON body is required");
    house.admin().patch("/users/admin").await.refuses(400, "A JSON body is required");
}

#[tokio::test]
async fn the_content_type_does_not_matter() {
    let house = TestHouse::start().await;
    create_org(&house, r#"{"name":"none"}"#).await.expect(201);
    for (name, kind) in [
        ("json", "application/json; charset=utf-8"),
        ("text", "text/plain"),
        ("form", "application/x-www-form-urlencoded"),
        ("nonsense", "///"),
    ] {
        let call = house.admin().post("/orgs").json(json!({ "name": name }));
        call.header("content-type", kind).await.expect(201);
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored_down_to_the_deepest() {
    let house = TestHouse::start().await;
    create_org(&house, r#"{"name":"acme","other":{"a":[1,-2.5,null,true,"\u00e9\ud83d\ude00"]}}"#).await.expect(201);
    create_org(&house, nested("deep", 127)).await.expect(201);
}
