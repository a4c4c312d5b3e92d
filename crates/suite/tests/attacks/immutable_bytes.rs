//! Attempts to change bytes whose publish window is over.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::scene::{DAY, SECOND, cat, new_cat, publish, tar};

const FILE: &str = "/ada/tools/1.0/a.bin";

/// The SHA-256 of `meow`.
const MEOW: &str = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52";

/// The time after the end of its window when content is declared immutable.
const SETTLED: i64 = 60 * 60 * SECOND + SECOND;

/// Returns whether the response declares the file immutable. The query bypasses cached responses.
async fn is_immutable(house: &TestHouse, path: &str) -> bool {
    let answer = house.anyone().download(&format!("{path}?now")).await.expect(200);
    answer.header("cache-control").contains("immutable")
}

/// Asserts that a path accepts nothing but `meow`, with a message that says so.
#[track_caller]
fn assert_bound(answer: Answer, path: &str) {
    let message = answer.expect(409).message();
    assert!(message.contains(&format!("'{path}'")) && message.contains(MEOW), "{message}");
}

/// Starts a house in which `1.0/a.bin` of `ada/tools/cat/1.0` is `meow`, ten days after its first publish.
async fn ten_days_later() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    publish(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(10 * DAY);
    assert!(is_immutable(&house, FILE).await);
    (house, ada)
}

/// PUT to `1.0/a.bin` of `ada/tools/cat/1.0`.
async fn put(by: &Person, bytes: &str, query: &str) -> Answer {
    by.put(&format!("/content/ada/tools/cat/1.0/1.0/a.bin{query}")).body(bytes.to_owned()).await
}

#[tokio::test]
async fn a_version_that_was_deleted_comes_back_with_its_bytes_only() {
    let (house, ada) = ten_days_later().await;
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    for query in ["", "?publish=1", "?override=1", "?publish=1&override=1"] {
        assert_bound(put(&ada, "hiss", query).await, "1.0/a.bin");
    }
    // Neither does another version or another package.
    ada.post("/packages/ada/tools").json(json!({"name": "dog"})).await.expect(201);
    for place in ["cat/2.0", "dog/1.0"] {
        let call = ada.put(&format!("/content/ada/tools/{place}/1.0/a.bin")).body("hiss");
        assert_bound(call.await, "1.0/a.bin");
    }
    put(&ada, "meow", "?publish=1").await.refuses(201, "success");
    assert_bound(put(&ada, "hiss", "?override=1").await, "1.0/a.bin");
    assert!(!is_immutable(&house, FILE).await, "its new window is open");
    publish(&ada, "ada/tools/cat/1.0/1.0/new.bin", "a path of its own").await;
}

#[tokio::test]
async fn every_way_to_upload_meets_the_tombstone() {
    let (_house, ada) = ten_days_later().await;
    publish(&ada, "ada/tools/cat/2.0/2.0/b.bin", "hiss").await;
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    let hiss = ada.download("/ada/tools/2.0/b.bin").await.expect(200).header("x-checksum-sha2").to_owned();
    let deploy = ada.put("/content/ada/tools/cat/1.0/1.0/a.bin").header("x-checksum-deploy", "true");
    assert_bound(deploy.header("x-checksum-sha2", &hiss).await, "1.0/a.bin");
    // An archive with one entry, `a.bin`, which contains `hiss`.
    let archive = tar("a.bin", b"hiss");
    let explode = ada.put("/content/ada/tools/cat/1.0/1.0/x.tar?explode=1&publish=1").body(archive);
    assert_bound(explode.await, "1.0/a.bin");
    let explode = ada.put("/content/ada/tools/cat/1.0/1.0/x.tar?explode=1&publish=1").body(tar("a.bin", b"meow"));
    explode.await.refuses(201, "success");
}

#[tokio::test]
async fn packages_repositories_and_accounts_that_come_back_are_bound_too() {
    let (house, ada) = ten_days_later().await;
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    assert_bound(put(&ada, "hiss", "?publish=1").await, "1.0/a.bin");
    ada.delete("/repos/ada/tools").await.expect(200);
    new_cat(&ada, "ada/tools").await;
    assert_bound(put(&ada, "hiss", "?publish=1").await, "1.0/a.bin");
    ada.delete("/repos/ada/tools").await.expect(200);
    ada.delete("/users/ada").await.expect(200);
    let ada = house.user("ada").await;
    new_cat(&ada, "ada/tools").await;
    assert_bound(put(&ada, "hiss", "?publish=1").await, "1.0/a.bin");
    put(&ada, "meow", "?publish=1").await.refuses(201, "success");
}

#[tokio::test]
async fn deleting_a_repository_or_an_account_binds_what_is_in_it() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for repo in ["ada/Tools", "acme/tools"] {
        new_cat(&ada, repo).await;
        publish(&ada, &format!("{repo}/cat/1.0/a.bin"), "meow").await;
    }
    house.clock.advance(10 * DAY);
    for repo in ["ada/Tools", "acme/tools"] {
        publish(&ada, &format!("{repo}/cat/2.0/young.bin"), "meow").await;
    }
    ada.delete("/repos/ada/Tools").await.expect(200);
    ada.delete("/orgs/acme").await.expect(200);
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    // Names that differ only by letter case are the same.
    for (by, repo) in [(&ada, "ada/tools"), (&house.admin(), "acme/tools")] {
        new_cat(by, repo).await;
        assert_bound(by.put(&format!("/content/{repo}/cat/1.0/a.bin")).body("hiss").await, "a.bin");
        publish(by, &format!("{repo}/cat/1.0/young.bin"), "what was open is free").await;
    }
}

#[tokio::test]
async fn what_a_site_administrator_takes_down_is_bound_too() {
    let (house, ada) = ten_days_later().await;
    house.admin().delete(&format!("/content{FILE}")).await.expect(200);
    let past = put(&ada, "hiss", "").await.expect(403).message();
    assert!(past.contains("can no longer be changed"), "{past}");
    let call = ada.put("/content/ada/tools/cat/2.0/1.0/a.bin").body("hiss");
    assert_bound(call.await, "1.0/a.bin");
}

#[tokio::test]
async fn what_is_deleted_while_its_window_is_open_is_free() {
    let (house, ada) = cat().await;
    publish(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(5 * DAY);
    assert!(!is_immutable(&house, FILE).await);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    put(&ada, "hiss", "?publish=1").await.refuses(201, "success");
}

#[tokio::test]
async fn nothing_is_immutable_before_its_window_is_over() {
    let (house, ada) = cat().await;
    publish(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(5 * DAY);
    put(&ada, "meow again", "?override=1&publish=1").await.refuses(201, "success");
    assert!(!is_immutable(&house, FILE).await);
    house.clock.advance(SECOND);
    put(&ada, "hiss", "?override=1").await.expect(403);
    assert!(!is_immutable(&house, FILE).await, "an upload may still be on its way");
    house.clock.advance(SETTLED);
    assert!(is_immutable(&house, FILE).await);
    // Its checksums are not files yet, so one may be uploaded.
    assert!(!is_immutable(&house, &format!("{FILE}.sha1")).await);
}

#[tokio::test]
async fn a_longer_window_opens_nothing_again() {
    let (house, ada) = ten_days_later().await;
    publish(&ada, "ada/tools/cat/2.0/2.0/b.bin", "meow").await;
    let days = async |days: serde_json::Value| {
        ada.patch("/repos/ada/tools").json(json!({"version_update_max_days": days})).await.expect(200);
    };
    days(json!(400)).await;
    let message = put(&ada, "hiss", "?override=1&publish=1").await.expect(403).message();
    assert!(message.contains("1.0") && message.contains("400 days"), "{message}");
    ada.delete(&format!("/content{FILE}")).await.expect(403);
    house.clock.advance(20 * DAY);
    publish(&ada, "ada/tools/cat/2.0/2.0/c.bin", "its window was open and is longer now").await;
    // A shorter window closes 2.0; a longer one or the default does not open it again.
    days(json!(1)).await;
    for more in [json!(400), json!(null), json!(36_500)] {
        days(more).await;
        ada.put("/content/ada/tools/cat/2.0/2.0/b.bin?override=1&publish=1").body("hiss").await.expect(403);
        ada.put("/content/ada/tools/cat/2.0/2.0/d.bin").body("hiss").await.expect(403);
    }
    house.clock.advance(SETTLED);
    assert!(is_immutable(&house, "/ada/tools/2.0/b.bin").await && is_immutable(&house, FILE).await);
}

#[tokio::test]
async fn a_window_that_was_just_made_shorter_makes_nothing_immutable_yet() {
    let (house, ada) = cat().await;
    publish(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(3 * DAY);
    ada.patch("/repos/ada/tools").json(json!({"version_update_max_days": 1})).await.expect(200);
    put(&ada, "hiss", "?override=1").await.expect(403);
    assert!(!is_immutable(&house, FILE).await);
    house.clock.advance(SETTLED);
    assert!(is_immutable(&house, FILE).await);
}

#[tokio::test]
async fn a_longer_window_by_setting_opens_nothing_again() {
    let (house, ada) = ten_days_later().await;
    let key = ada.key().to_owned();
    publish(&ada, "ada/tools/cat/2.0/2.0/b.bin", "meow").await;
    let house = house.restart_with(&[("windows.upload_days", "60")]).await;
    let ada = house.person("ada", &key);
    put(&ada, "hiss", "?override=1").await.expect(403);
    house.clock.advance(50 * DAY);
    publish(&ada, "ada/tools/cat/2.0/2.0/c.bin", "its window was open and is longer now").await;
    let house = house.restart_with(&[("windows.upload_days", "30")]).await;
    let house = house.restart_with(&[("windows.upload_days", "90")]).await;
    let ada = house.person("ada", &key);
    ada.put("/content/ada/tools/cat/2.0/2.0/d.bin").body("hiss").await.expect(403);
}

#[tokio::test]
async fn a_link_makes_nothing_immutable_where_other_bytes_can_come() {
    let (house, ada) = ten_days_later().await;
    ada.post("/repos/ada/shown").json(json!({})).await.expect(201);
    ada.put("/repository/ada/shown/links/ada/tools/cat").json(json!({})).await.expect(201);
    let shown = house.anyone().download("/ada/shown/1.0/a.bin").await.expect(200);
    assert_eq!((shown.text().as_str(), shown.header("cache-control").contains("immutable")), ("meow", false));
}

#[tokio::test]
async fn snapshots_are_never_immutable_and_leave_no_tombstone() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/maven").json(json!({"type": "maven"})).await.expect(201);
    ada.post("/packages/ada/maven").json(json!({"name": "lib"})).await.expect(201);
    let (fixed, moving) = ("x/lib/1/lib-1.jar", "x/lib/2-SNAPSHOT/lib-2-SNAPSHOT.jar");
    let put = async |version: &str, path: &str, bytes: &'static str| {
        ada.put(&format!("/content/ada/maven/lib/{version}/{path}?publish=1")).body(bytes).await.status
    };
    assert_eq!((put("1", fixed, "one").await, put("2-SNAPSHOT", moving, "two").await), (201, 201));
    house.clock.advance(10 * DAY);
    assert!(is_immutable(&house, &format!("/ada/maven/{fixed}")).await);
    assert!(!is_immutable(&house, &format!("/ada/maven/{moving}")).await);
    ada.delete("/packages/ada/maven/lib").await.expect(200);
    ada.post("/packages/ada/maven").json(json!({"name": "lib"})).await.expect(201);
    assert_eq!((put("1", fixed, "other").await, put("2-SNAPSHOT", moving, "other").await), (409, 201));
}

#[tokio::test]
async fn a_signature_is_made_again_for_content_that_comes_back() {
    let (house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    publish(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(10 * DAY);
    assert!(is_immutable(&house, FILE).await);
    assert!(!is_immutable(&house, &format!("{FILE}.asc")).await);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    publish(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    ada.download(&format!("{FILE}.asc")).await.expect(200);
}

#[tokio::test]
async fn of_an_upload_and_a_deletion_at_once_no_other_bytes_are_left() {
    let (house, ada) = ten_days_later().await;
    ada.post("/packages/ada/tools").json(json!({"name": "dog"})).await.expect(201);
    for _ in 0..5 {
        let deletion = tokio::spawn(ada.delete("/packages/ada/tools/cat/versions/1.0").into_future());
        let upload = ada.put("/content/ada/tools/dog/1.0/1.0/a.bin?publish=1").body("hiss");
        let upload = tokio::spawn(upload.into_future());
        deletion.await.expect("it ends").expect(200);
        upload.await.expect("it ends").expect(409);
        house.anyone().download(FILE).await.expect(404);
        put(&ada, "meow", "?publish=1").await.refuses(201, "success");
        house.clock.advance(10 * DAY);
    }
}

#[tokio::test]
async fn a_key_of_a_version_deletes_nothing_that_is_published() {
    let (house, ada) = cat().await;
    publish(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    let key = house.key(&ada, "red", json!({})).await;
    for place in ["versions/1.0", "versions/2.0"] {
        ada.post("/packages/ada/tools/cat/versions").json(json!({"name": &place[9..]})).await;
        let body = json!({"access": "rw", "access_keys": ["red"]});
        ada.post(&format!("/packages/ada/tools/cat/{place}/entitlements")).json(body).await.expect(201);
    }
    let refused = "An access key of a version or a path may not delete what is published; use one of the whole package";
    key.delete(&format!("/content{FILE}")).await.refuses(403, refused);
    key.delete("/packages/ada/tools/cat/versions/1.0").await.refuses(403, refused);
    key.delete("/packages/ada/tools/cat").await.expect(403);
    // The key may delete its own staged content.
    for (version, path) in [("1.0", "1.0/b.bin"), ("2.0", "2.0/a.bin"), ("2.0", "2.0/b.bin")] {
        key.put(&format!("/content/ada/tools/cat/{version}/{path}")).body("hiss").await.expect(201);
    }
    key.delete("/content/ada/tools/1.0/b.bin").await.refuses(200, "success");
    key.delete("/content/ada/tools/2.0/b.bin").await.refuses(200, "success");
    key.delete("/packages/ada/tools/cat/versions/2.0").await.refuses(200, "success");
    assert_eq!(house.anyone().download(FILE).await.expect(200).text(), "meow");
}
