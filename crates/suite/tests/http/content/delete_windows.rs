//! How long a published version, and everything that contains it, may be deleted: thirty days, to the second.

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo, new_version, windows::assert_past},
    content::{DAY, SECOND, cat, read, upload, upload_published},
};

/// Asserts that a deletion was refused because version 1.0 was published too long ago.
#[track_caller]
fn assert_past_thirty_days(answer: Answer) {
    assert_past(answer, "30 days", "2026-02-14");
}

/// Publishes a file in a new repository, as `<repo>/cat/1.0/cat.bin`.
async fn publish_in(by: &Person, repo: &str) {
    new_repo(by, repo).await;
    new_package(by, repo, "cat").await;
    upload_published(by, &format!("{repo}/cat/1.0/cat.bin"), "meow").await;
}

#[tokio::test]
async fn a_version_is_deleted_within_thirty_days_of_its_first_publish() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/old.bin", "meow").await;
    house.clock.advance(SECOND);
    upload_published(&ada, "ada/tools/cat/1.1/young.bin", "meow").await;
    house.clock.advance(30 * DAY);
    assert_past_thirty_days(ada.delete("/packages/ada/tools/cat/versions/1.0").await);
    ada.delete("/packages/ada/tools/cat/versions/1.1").await.refuses(200, "success");
    assert_eq!(read(&house.anyone(), "/ada/tools/old.bin").await, "meow");
    house.anyone().download("/ada/tools/young.bin").await.expect(404);
}

#[tokio::test]
async fn a_package_is_deleted_while_all_its_versions_may_be() {
    let (house, ada) = cat().await;
    new_package(&ada, "ada/tools", "dog").await;
    upload_published(&ada, "ada/tools/cat/1.0/old.bin", "meow").await;
    house.clock.advance(SECOND);
    upload_published(&ada, "ada/tools/cat/1.1/cat.bin", "meow").await;
    upload_published(&ada, "ada/tools/dog/1.0/dog.bin", "woof").await;
    house.clock.advance(30 * DAY);
    assert_past_thirty_days(ada.delete("/packages/ada/tools/cat").await);
    ada.delete("/packages/ada/tools/dog").await.refuses(200, "success");
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "meow", "nothing of it is gone");
    house.anyone().download("/ada/tools/dog.bin").await.expect(404);
}

#[tokio::test]
async fn a_repository_is_deleted_while_all_its_versions_may_be() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    publish_in(&ada, "ada/old").await;
    house.clock.advance(SECOND);
    publish_in(&ada, "ada/young").await;
    house.clock.advance(30 * DAY);
    assert_past_thirty_days(ada.delete("/repos/ada/old").await);
    ada.delete("/repos/ada/young").await.refuses(200, "success");
    assert_eq!(read(&house.anyone(), "/ada/old/cat.bin").await, "meow");
    ada.download("/ada/young/cat.bin").await.expect(404);
}

#[tokio::test]
async fn a_user_is_deleted_while_all_its_versions_may_be() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    publish_in(&ada, "ada/tools").await;
    house.clock.advance(SECOND);
    publish_in(&bob, "bob/tools").await;
    house.clock.advance(30 * DAY);
    assert_past_thirty_days(ada.delete("/users/ada").await);
    bob.delete("/users/bob").await.refuses(200, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "meow", "ada's key still works");
}

#[tokio::test]
async fn an_organization_is_deleted_while_all_its_versions_may_be() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for org in ["old", "young"] {
        ada.post("/orgs").json(json!({ "name": org })).await.expect(201);
        publish_in(&ada, &format!("{org}/tools")).await;
        house.clock.advance(SECOND);
    }
    house.clock.advance(30 * DAY - SECOND);
    assert_past_thirty_days(ada.delete("/orgs/old").await);
    ada.delete("/orgs/young").await.refuses(200, "success");
    assert_eq!(read(&house.anyone(), "/old/tools/cat.bin").await, "meow");
}

#[tokio::test]
async fn what_was_never_published_is_deleted_at_any_time() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    new_version(&ada, "ada/tools/cat", "1.1").await;
    house.clock.advance(1_000 * DAY);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    ada.delete("/packages/ada/tools/cat").await.refuses(200, "success");
    ada.delete("/repos/ada/tools").await.refuses(200, "success");
    ada.delete("/users/ada").await.refuses(200, "success");
}

#[tokio::test]
async fn the_upload_window_of_a_repository_is_not_its_delete_window() {
    let (house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"version_update_max_days": 100})).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/old.bin", "meow").await;
    house.clock.advance(30 * DAY);
    upload_published(&ada, "ada/tools/cat/1.0/late.bin", "meow").await;
    house.clock.advance(SECOND);
    assert_past_thirty_days(ada.delete("/packages/ada/tools/cat/versions/1.0").await);
}

#[tokio::test]
async fn the_window_is_a_setting() {
    let house = TestHouse::start_with(&[("windows.delete_days", "3")]).await;
    let ada = house.user("ada").await;
    publish_in(&ada, "ada/tools").await;
    house.clock.advance(3 * DAY + SECOND);
    assert_past(ada.delete("/packages/ada/tools/cat/versions/1.0").await, "3 days", "2026-01-18");
}

#[tokio::test]
async fn site_administrators_take_down_what_is_past_the_window_and_that_is_written_down() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for (by, repo) in [(&ada, "ada/a"), (&ada, "ada/b"), (&ada, "ada/c"), (&ada, "acme/tools"), (&bob, "bob/tools")] {
        publish_in(by, repo).await;
    }
    house.clock.advance(31 * DAY);
    for (path, action, target) in [
        ("/packages/ada/a/cat/versions/1.0", "version.delete", "ada/a/cat/1.0"),
        ("/packages/ada/b/cat", "package.delete", "ada/b/cat"),
        ("/repos/ada/c", "repo.delete", "ada/c"),
        ("/orgs/acme", "org.delete", "acme"),
        ("/users/bob", "user.delete", "bob"),
    ] {
        house.admin().delete(path).await.refuses(200, "success");
        let newest: Value = house.admin().get("/audit").await.expect(200).json()[0].clone();
        let written = ["actor", "action", "target"].map(|field| newest[field].clone());
        assert_eq!(written, ["admin", action, target], "{path}");
        house.admin().get(path).await.expect(404);
    }
}
