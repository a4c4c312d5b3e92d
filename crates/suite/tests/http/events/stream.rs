//! The stream sends the events of a subject to its managers as they happen.

use std::time::Duration;

use database::{
    accounts::subjects,
    events::{self, stream_connections},
};
use model::{event::EventKind, id::SubjectId, names::SubjectName};
use serde_json::{Value, json};
use suite::{Lines, Person, TestHouse};

use crate::{
    access::{
        acme::{Cast, set_member},
        grants::new_key,
    },
    cluster::together::together,
    content::{SECOND, cat, upload_published},
};

pub(crate) const RECONNECT_ID: &str = "x-service-stream-reconnect-id";

/// Returns the number of events of a kind that a subject has.
pub(crate) async fn count(house: &TestHouse, subject: &str, kind: EventKind) -> i64 {
    let id = subject_id(house, subject).await;
    events::count(&house.app().house().db, id, kind).await.expect("counted")
}

pub(crate) async fn subject_id(house: &TestHouse, subject: &str) -> SubjectId {
    let name = SubjectName::parse(subject).expect("a name");
    subjects::find(&house.app().house().db, &name).await.expect("read").expect("it exists").id
}

/// Waits until the server has noticed that ada has no subscribers.
async fn closed(house: &TestHouse) {
    let (ada, db) = (subject_id(house, "ada").await, &house.app().house().db);
    let open = async || stream_connections::count_open(db, ada, house.clock.now()).await.expect("counted");
    let closed = async {
        while open().await > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), closed).await.expect("it is noticed in time");
}

/// Reads this many events, without their ids.
async fn read(lines: &mut Lines, count: usize) -> String {
    let mut shown = String::new();
    for _ in 0..count {
        let mut event = lines.event().await;
        let id = event.as_object_mut().expect("an object").remove("id");
        assert!(id.is_some_and(|id| id.as_str().is_some_and(|id| !id.is_empty())));
        shown += &format!("{event}\n");
    }
    shown
}

/// Returns the types and paths of this many events.
async fn heads(lines: &mut Lines, count: usize) -> Vec<String> {
    let mut heads = Vec::new();
    for _ in 0..count {
        let event = lines.event().await;
        let text = |field: &str| event[field].as_str().unwrap_or("-").to_owned();
        heads.push(format!("{} {}", text("type"), text("path")));
    }
    heads
}

#[tokio::test]
async fn files_are_told_of_from_their_upload_to_their_end() {
    let (_house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/0.9/old.bin", "old").await;
    let mut lines = ada.get("/stream/ada").follow().await;
    assert_eq!(lines.header("content-type"), "application/json");
    assert_eq!(lines.header("transfer-encoding"), "chunked");
    let put = ada.put("/content/ada/tools/cat/1.0/a%20b/cat.bin").header("user-agent", "curl/8").body("meow");
    put.await.expect(201);
    ada.post("/content/ada/tools/cat/1.0/publish").await.expect(200);
    ada.delete("/content/ada/tools/a%20b/cat.bin").await.expect(200);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    ada.delete("/repos/ada/tools").await.expect(200);
    insta::assert_snapshot!(read(&mut lines, 6).await, @r#"
    {"ip_address":"127.0.0.1","path":"ada/tools/a b/cat.bin","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"upload","user":"ada","user_agent":"curl/8"}
    {"ip_address":"127.0.0.1","path":"ada/tools/cat/1.0","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"publish","user":"ada","user_agent":null}
    {"ip_address":"127.0.0.1","path":"ada/tools/a b/cat.bin","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"delete","user":"ada","user_agent":null}
    {"ip_address":"127.0.0.1","path":"ada/tools/cat/1.0","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"delete","user":"ada","user_agent":null}
    {"ip_address":"127.0.0.1","path":"ada/tools/cat","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"delete","user":"ada","user_agent":null}
    {"ip_address":"127.0.0.1","path":"ada/tools","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"delete","user":"ada","user_agent":null}
    "#);
}

#[tokio::test]
async fn downloads_and_logins_are_told_of() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let key = new_key(&house, "ada", "client").await;
    let mut lines = house.admin().get("/stream/ada").follow().await;
    // Flushed separately, because several servers flush one after the other.
    house.anyone().download("/ada/tools/cat.bin").header("user-agent", "wget").await.expect(200);
    house.flush().await;
    ada.download("/ada/tools/cat.bin").await.expect(200);
    house.flush().await;
    house.person("ada", "wrong").get("/users/ada").header("user-agent", "guess").await.expect(401);
    house.flush().await;
    house.person(key.name(), "wrong").get("/users/ada").await.expect(401);
    house.person("nobody", "wrong").get("/users/ada").await.expect(401);
    house.flush().await;
    insta::assert_snapshot!(read(&mut lines, 5).await, @r#"
    {"ip_address":"127.0.0.1","path":"ada/tools/cat.bin","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"download","user":null,"user_agent":"wget"}
    {"ip_address":"127.0.0.1","path":null,"subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"login_success","user":"ada","user_agent":null}
    {"ip_address":"127.0.0.1","path":"ada/tools/cat.bin","subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"download","user":"ada","user_agent":null}
    {"ip_address":"127.0.0.1","path":null,"subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"login_failure","user":"ada","user_agent":"guess"}
    {"ip_address":"127.0.0.1","path":null,"subject":"ada","time":"2026-01-15T12:00:00.000Z","type":"login_failure","user":"client@ada","user_agent":null}
    "#);
}

#[tokio::test]
async fn what_passes_is_written_down_only_while_somebody_follows() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let pass = async || {
        house.anyone().download("/ada/tools/cat.bin").await.expect(200);
        house.person("ada", "wrong").get("/users/ada").await.expect(401);
        house.flush().await;
        (count(&house, "ada", EventKind::Download).await, count(&house, "ada", EventKind::LoginFailure).await)
    };
    assert_eq!(pass().await, (0, 0));
    let lines = ada.get("/stream/ada").follow().await;
    assert_eq!(pass().await, (1, 1));
    drop(lines);
    closed(&house).await;
    house.clock.advance(9 * 60 * SECOND);
    assert_eq!(pass().await, (2, 2), "whoever comes back misses nothing");
    house.clock.advance(3 * 60 * SECOND);
    // The server checks for subscribers before it flushes.
    house.flush().await;
    assert_eq!(pass().await, (2, 2));
}

#[tokio::test]
async fn a_flood_of_failures_is_told_once_a_minute() {
    let (house, ada) = cat().await;
    let mut lines = ada.get("/stream/ada").follow().await;
    let guess = house.person("ada", "wrong");
    together((0..50).map(|_| guess.get("/users/ada"))).await.into_iter().for_each(|answer| drop(answer.expect(401)));
    house.flush().await;
    assert_eq!(heads(&mut lines, 1).await, ["login_failure -"]);
    assert_eq!(count(&house, "ada", EventKind::LoginFailure).await, 1);
    house.clock.advance(60 * SECOND);
    guess.get("/users/ada").await.expect(401);
    house.flush().await;
    assert_eq!(count(&house, "ada", EventKind::LoginFailure).await, 2);
}

#[tokio::test]
async fn only_what_concerns_the_subject_is_told() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let mut lines = cast.admin.get("/stream/acme").follow().await;
    for repo in ["olga/tools", "acme/tools"] {
        crate::catalogue::new_repo(&cast.owner, repo).await;
        crate::catalogue::new_package(&cast.owner, repo, "cat").await;
        upload_published(&cast.owner, &format!("{repo}/cat/1.0/cat.bin"), "meow").await;
        cast.house.anyone().download(&format!("/{repo}/cat.bin")).await.expect(200);
    }
    cast.house.flush().await;
    let told = ["upload acme/tools/cat.bin", "publish acme/tools/cat/1.0", "download acme/tools/cat.bin"];
    assert_eq!(heads(&mut lines, 3).await, told);
}

#[tokio::test]
async fn a_silent_stream_sends_empty_lines() {
    let house = TestHouse::start_with(&[("limits.stream_keep_alive_secs", "1")]).await;
    let ada = house.user("ada").await;
    let mut lines = ada.get("/stream/ada").follow().await;
    assert_eq!(lines.next().await.as_deref(), Some(""));
    assert_eq!(lines.next().await.as_deref(), Some(""));
}

#[tokio::test]
async fn the_stream_is_for_those_who_manage_the_subject() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let key = new_key(&cast.house, "acme", "client").await;
    for who in [&cast.member, &cast.stranger, &key] {
        who.get("/stream/acme").await.refuses(403, "You may not do this");
    }
    cast.house.anyone().get("/stream/acme").await.refuses(401, "This resource requires authentication");
    cast.house.anyone().get("/stream/none").await.refuses(401, "This resource requires authentication");
    cast.stranger.get("/stream/none").await.refuses(404, "Subject 'none' was not found");
    cast.owner.get("/stream/stan").await.refuses(403, "You may not do this");
    for who in [&cast.owner, &cast.admin, &cast.site_admin] {
        drop(who.get("/stream/acme").follow().await);
    }
}

/// Waits for the end of a stream.
async fn ends(mut lines: Lines) {
    while lines.next().await.is_some() {}
}

#[tokio::test]
async fn a_stream_ends_with_the_right_to_it() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let (admin, owner) = (cast.admin.get("/stream/acme").follow().await, cast.owner.get("/stream/acme").follow().await);
    set_member(&cast.owner, "acme", "alma", "member").await;
    ends(admin).await;
    cast.owner.post("/users/olga/api_key").await.expect(201);
    ends(owner).await;
}

#[tokio::test]
async fn a_stopping_server_ends_streams() {
    let house = TestHouse::start().await;
    let ada: Person = house.user("ada").await;
    let lines = ada.get("/stream/ada").follow().await;
    let stopping = tokio::spawn(house.stop());
    ends(lines).await;
    stopping.await.expect("the server ends well");
}

#[tokio::test]
async fn a_crossed_threshold_is_told() {
    let (house, ada) = cat().await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    let body = json!({"monthly_storage_bytes": 4});
    ada.post("/usage_threshold/repo/ada/tools").json(body).await.expect(201);
    crate::content::upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let mut lines = ada.get("/stream/ada").follow().await;
    operations::jobs::run_once(house.app().house(), "thresholds").await.expect("watched");
    let mut event = lines.event().await;
    event["id"] = Value::Null;
    let expected = json!({
        "id": null, "type": "usage_threshold", "path": "ada/tools", "subject": "ada", "user": "(server)",
        "time": "2026-01-15T12:00:00.000Z", "ip_address": "", "user_agent": null, "threshold": "monthly_storage_bytes",
    });
    assert_eq!(event, expected);
}
