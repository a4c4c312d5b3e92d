//! The server's log: structured lines, and never a secret.

use std::{fs, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use suite::{Person, Process, Stack, exchange};

use crate::program::start_with;

const ADMIN_KEY: &str = "CANARY-admin-key-that-nobody-may-ever-see";
const S3_SECRET: &str = "CANARY-s3-secret";
const TRACE: [(&str, &str); 3] =
    [("PACKHOUSE_LOG__FORMAT", "json"), ("PACKHOUSE_LOG__LEVEL", "trace"), ("PACKHOUSE_ADMIN_KEY", ADMIN_KEY)];

#[tokio::test]
async fn every_line_is_json_and_request_lines_carry_the_request_id() {
    let stack = Stack::create().await;
    let server = start_with(&stack, &[("PACKHOUSE_LOG__FORMAT", "json")]).await;

    let answer = server.admin().get("/users/admin").await.expect(200);
    let refused = server.anyone().get("/users/admin?name=x").await.expect(401);

    let log = server.log();
    let lines = parse(&log);
    let line = request_line(&lines, answer.header("x-request-id"));
    assert_eq!(line["message"], "answered GET /api/users/admin with 200");
    assert_eq!(
        (&line["method"], &line["status"], &line["path"]),
        (&json!("GET"), &json!(200), &json!("/api/users/admin"))
    );
    assert_eq!(line["client"], "127.0.0.1");
    let line = request_line(&lines, refused.header("x-request-id"));
    assert_eq!(line["message"], "answered GET /api/users/admin with 401");
}

#[tokio::test]
async fn durations_in_request_lines_are_numbers() {
    let stack = Stack::create().await;
    let server = start_with(&stack, &[("PACKHOUSE_LOG__FORMAT", "json")]).await;

    let answer = server.anyone().get("//livez").await.expect(200);

    let lines = parse(&server.log());
    let line = request_line(&lines, answer.header("x-request-id"));
    assert!(line["ms"].is_number(), "collectors cannot add up {}", line["ms"]);
}

#[tokio::test]
async fn every_line_is_json_at_trace_from_start_to_stop() {
    let stack = Stack::create().await;
    let mut server = start_with(&stack, &TRACE).await;
    let admin = server.person("admin", ADMIN_KEY);
    admin.post("/users").json(json!({"name": "ada", "password": "CANARY-password"})).await.expect(201);
    admin.get("/users/nobody").await.expect(404);

    let id = i32::try_from(server.id()).expect("a process number");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGTERM).expect("it runs");
    assert_eq!(server.ends_within(Duration::from_secs(2)).await, Some(0));

    let messages: Vec<_> = parse(&server.log()).iter().map(|line| line["message"].to_string()).collect();
    assert!(messages.iter().any(|message| message.contains("answered")), "{messages:?}");
    assert!(messages.contains(&"\"stopped\"".to_owned()), "{messages:?}");
}

#[tokio::test]
async fn no_secret_is_written_at_trace() {
    let stack = Stack::create().await;
    let mut environment = TRACE.to_vec();
    // The cluster needs its real secret to work; the test looks for that one instead.
    environment.extend((!stack.is_cluster()).then_some(("PACKHOUSE_S3__SECRET_ACCESS_KEY", S3_SECRET)));
    let server = start_with(&stack, &environment).await;
    let admin = server.person("admin", ADMIN_KEY);

    let keys = use_secrets(&server, &admin).await;
    break_rules_with_secrets(&server).await;

    let master_key = fs::read_to_string(stack.data.path().join("master.key")).expect("it is made");
    let mut secrets = vec!["CANARY".to_owned(), master_key.trim().to_owned()];
    secrets.extend(keys.iter().flat_map(|key| [key.clone(), basic("ada", key)]));
    secrets.push(basic("admin", ADMIN_KEY));
    secrets.extend(stack.settings().into_iter().find(|(key, _)| key == "s3.secret_access_key").map(|(_, it)| it));
    let written = format!("{}\n{}", server.printed(), server.log());
    assert!(written.contains("answered POST /api/users with 201"), "the log has the requests");
    for secret in secrets {
        let leak = written.lines().find(|line| line.contains(&secret));
        assert_eq!(leak, None, "`{secret}` is in the log");
    }
}

/// Database drivers tend to log the arguments of statements.
#[tokio::test]
async fn no_hash_of_a_password_is_written_at_trace() {
    let stack = Stack::create().await;
    let server = start_with(&stack, &TRACE).await;
    let admin = server.person("admin", ADMIN_KEY);

    admin.post("/users").json(json!({"name": "ada", "password": "CANARY-password"})).await.expect(201);

    let log = server.log();
    assert!(log.contains("answered POST /api/users with 201"), "the log has the request");
    assert_eq!(log.lines().find(|line| line.contains("$argon2id$")), None);
}

/// Makes successful calls over both versions of HTTP; returns the created keys.
async fn use_secrets(server: &Process, admin: &Person) -> Vec<String> {
    let body = json!({"name": "ada", "password": "CANARY-password", "email": "ada@example.org"});
    let first = key_of(admin.post("/users").json(body).await.expect(201).json());
    let ada = server.person("ada", &first);
    ada.get("/users/ada?passphrase=CANARY-query").await.expect(200);
    ada.get("/users/ada;passphrase=CANARY-matrix").await;
    ada.get("/users;passphrase=CANARY-matrix/ada?password=CANARY-query&token=CANARY").await;
    ada.get("/users/ada").header("X-GPG-PASSPHRASE", "CANARY-header").await.expect(200);
    ada.patch("/users/ada").json(json!({"password": "CANARY-new-password"})).await.expect(200);
    let second = key_of(ada.post("/users/ada/api_key").await.expect(201).json());
    let http2 = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().expect("a client");
    let ada = Person::new(http2, server.base.clone(), Some(("ada".to_owned(), second.clone())));
    ada.get("/users/ada?passphrase=CANARY-query").header("X-GPG-PASSPHRASE", "CANARY-header").await.expect(200);
    vec![first, second]
}

/// Makes calls that are refused, early and late.
async fn break_rules_with_secrets(server: &Process) {
    let wrong = server.person("ada", "CANARY-wrong-key");
    wrong.get("/users/ada").await.expect(401);
    let admin = server.person("admin", ADMIN_KEY);
    admin.post("/users").body(r#"{"name": "bob", "password": "CANARY-unfinished"#).await.expect(400);
    admin.post("/users").body(r#"{"name": 1, "password": "CANARY-wrong-type"}"#).await.expect(400);
    admin.post("/users").body(r#"{"password": ["CANARY-wrong-type"], "name": "bob"}"#).await.expect(400);
    admin.post("/users").body(r#"{"password": "CANARY", "password": "CANARY-twice"}"#).await.expect(400);
    admin.get("/nowhere;passphrase=CANARY-matrix?passphrase=CANARY-query").await.expect(404);
    let address = server.base.strip_prefix("http://").and_then(|it| it.parse().ok()).expect("an address");
    for head in [
        "GET /api/%zz;passphrase=CANARY?passphrase=CANARY HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/users/ada?passphrase=CANARY HTTP/1.1\r\nAuthorization: Basic CANARY\r\n\r\n",
        "GET /api/users/ada HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer CANARY\r\nConnection: close\r\n\r\n",
        "GET /api/users/ada HTTP/1.1\r\nHost: x\r\nAuthorization : Basic CANARY\r\n\r\n",
        "GET /api/users/ada HTTP/1.1\r\nHost: x\r\nAuthorization: Basic CANARY\r\nContent-Length: CANARY\r\n\r\n",
    ] {
        exchange(address, head.as_bytes(), Duration::from_millis(200)).await;
    }
}

fn key_of(answer: Value) -> String {
    answer["api_key"].as_str().expect("a key").to_owned()
}

fn basic(name: &str, key: &str) -> String {
    BASE64_STANDARD.encode(format!("{name}:{key}"))
}

fn parse(log: &str) -> Vec<Value> {
    let object = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(value["level"].is_string() && value["timestamp"].is_string(), "{line}");
        value
    };
    log.lines().map(object).collect()
}

fn request_line<'a>(lines: &'a [Value], id: &str) -> &'a Value {
    assert_eq!(id.len(), 16, "the answer has an id: `{id}`");
    let is_wanted = |line: &&Value| line["span"]["id"] == id && line["status"].is_number();
    lines.iter().find(is_wanted).unwrap_or_else(|| panic!("no line for {id}: {lines:?}"))
}
