//! Marks on versions and tags of packages.

use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo, new_version},
    content::{upload, upload_published},
};

const CAT: &str = "/packages/ada/tools/cat";
const FIRST: &str = "/packages/ada/tools/cat/versions/1.0";

async fn cat() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    (house, ada)
}

#[tokio::test]
async fn a_version_shows_its_marks_while_it_has_them() {
    let (house, ada) = cat().await;
    let before = house.anyone().get(FIRST).await.expect(200).json();
    assert!(before.get("yanked").is_none() && before.get("deprecated").is_none());
    let body = json!({"yanked": "It bites", "deprecated": true});
    ada.patch(FIRST).json(body).await.refuses(200, "success");
    let marked = house.anyone().get(FIRST).await.expect(200).json();
    assert_eq!((&marked["yanked"], &marked["deprecated"]), (&json!("It bites"), &json!(true)));
    assert!(marked.get("unlisted").is_none());
    for (yanked, deprecated) in [(json!(false), json!(null)), (json!(true), json!("Use dog")), (json!(""), json!(""))] {
        ada.patch(FIRST).json(json!({"yanked": yanked, "deprecated": deprecated})).await.expect(200);
    }
    let after = house.anyone().get(FIRST).await.expect(200).json();
    assert!(after.get("yanked").is_none() && after.get("deprecated").is_none(), "{after}");
    let created = ada.post(&format!("{CAT}/versions")).json(json!({"name": "2.0", "yanked": true})).await.expect(201);
    assert_eq!(created.json()["yanked"], json!(true));
}

#[tokio::test]
async fn marks_are_for_publishers_and_within_limits() {
    let (house, ada) = cat().await;
    let bob = house.user("bob").await;
    bob.patch(FIRST).json(json!({"yanked": true})).await.expect(403);
    house.anyone().patch(FIRST).json(json!({"yanked": true})).await.expect(401);
    ada.patch(FIRST).json(json!({"yanked": 1})).await.expect(400);
    ada.patch(FIRST).json(json!({"deprecated": "x".repeat(10_001)})).await.expect(400);
    ada.patch(&format!("{CAT}/versions/9")).json(json!({"yanked": true})).await.expect(404);
    assert!(ada.get(FIRST).await.expect(200).json().get("yanked").is_none());
}

#[tokio::test]
async fn marks_are_allowed_after_the_windows() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    house.clock.advance(40 * 24 * 60 * 60 * 1_000);
    ada.patch(FIRST).json(json!({"yanked": true})).await.expect(200);
    ada.put(&format!("{CAT}/tags/old")).json(json!({"version": "1.0"})).await.expect(200);
    assert_eq!(ada.get(CAT).await.expect(200).json()["tags"], json!({"old": "1.0"}));
}

#[tokio::test]
async fn tags_point_to_versions_and_move() {
    let (house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "2.0").await;
    assert!(house.anyone().get(CAT).await.expect(200).json().get("tags").is_none());
    let stable = format!("{CAT}/tags/stable");
    for version in ["1.0", "2.0"] {
        ada.put(&stable).json(json!({ "version": version })).await.refuses(200, "success");
        assert_eq!(ada.get(CAT).await.expect(200).json()["tags"], json!({ "stable": version }));
    }
    ada.put(&stable).json(json!({"version": "3.0"})).await.refuses(404, "Version '3.0' was not found");
    ada.put(&stable).json(json!({})).await.expect(400);
    let long = format!("{CAT}/tags/{}", "x".repeat(201));
    ada.put(&long).json(json!({"version": "1.0"})).await.expect(400);
    let bob = house.user("bob").await;
    bob.put(&stable).json(json!({"version": "1.0"})).await.expect(403);
    bob.delete(&stable).await.expect(403);
    ada.delete(&stable).await.refuses(200, "success");
    ada.delete(&stable).await.refuses(404, "Tag 'stable' was not found");
    ada.put(&stable).json(json!({"version": "2.0"})).await.expect(200);
    ada.delete(&format!("{CAT}/versions/2.0")).await.expect(200);
    assert!(ada.get(CAT).await.expect(200).json().get("tags").is_none());
}

#[tokio::test]
async fn tags_of_drafts_are_for_publishers() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/3.0/cat.tar", "meow").await;
    ada.put(&format!("{CAT}/tags/next")).json(json!({"version": "3.0"})).await.expect(200);
    assert_eq!(ada.get(CAT).await.expect(200).json()["tags"], json!({"next": "3.0"}));
    assert!(house.anyone().get(CAT).await.expect(200).json().get("tags").is_none());
}
