//! `$latest` in the path of a file: redirects to the file of the newest version.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo, new_version},
    content::{cat, upload, upload_published},
};

const LATEST: &str = "/content/ada/tools/cat-$latest/cat-$latest.bin";

/// Starts a house with the published versions 1.0 and 1.1 and the unpublished 1.2, whose files have the version in
/// their path.
async fn three() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat-1.0/cat-1.0.bin", "one").await;
    upload_published(&ada, "ada/tools/cat/1.1/cat-1.1/cat-1.1.bin", "two").await;
    upload(&ada, "ada/tools/cat/1.2/cat-1.2/cat-1.2.bin", "three").await;
    (house, ada)
}

/// Returns the target of a redirect on the download surface.
#[track_caller]
fn target(answer: Answer) -> String {
    let answer = answer.expect(302);
    let location = answer.header("location");
    let (_, path) = location.split_once("/dl/").unwrap_or_else(|| panic!("not a download: {location}"));
    format!("//dl/{path}")
}

#[tokio::test]
async fn the_newest_published_version_is_found() {
    let (house, ada) = three().await;
    for who in [&ada, &house.anyone()] {
        let answer = who.get(&format!("{LATEST}?svc_package=cat")).await;
        assert!(target(answer).starts_with("//dl/ada/tools/cat-1.1/cat-1.1.bin?"));
    }
    new_version(&ada, "ada/tools/cat", "2.0").await;
    let answer = house.anyone().get(&format!("{LATEST}?svc_package=cat")).await;
    assert!(target(answer).starts_with("//dl/ada/tools/cat-1.1/cat-1.1.bin?"));
}

#[tokio::test]
async fn the_package_may_be_given_in_three_forms() {
    let (house, _) = three().await;
    let anyone = house.anyone();
    for call in [
        anyone.get(&format!("{LATEST}?svc_package=cat")),
        anyone.get(&format!("{LATEST};svc_package=cat")),
        anyone.get(LATEST).header("x-service-package", "cat"),
        anyone.get(&format!("{LATEST}?bt_package=cat")),
    ] {
        assert!(target(call.await).starts_with("//dl/ada/tools/cat-1.1/cat-1.1.bin?"));
    }
    let disagreeing = anyone.get(&format!("{LATEST}?svc_package=cat")).header("x-service-package", "dog");
    disagreeing.await.expect(400);
    anyone.get(LATEST).await.expect(400);
}

#[tokio::test]
async fn the_address_leads_to_the_file() {
    let (house, _) = three().await;
    let target = target(house.anyone().get(&format!("{LATEST}?svc_package=cat")).await);
    assert_eq!(house.anyone().get(&target).await.expect(200).text(), "two");
}

#[tokio::test]
async fn the_address_is_signed_for_fifteen_seconds() {
    let (house, ada) = three().await;
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    let target = target(ada.get(&format!("{LATEST}?svc_package=cat")).await);
    assert!(target.contains("expiry=1768478415000") && target.contains("signature="), "{target}");
    assert_eq!(house.anyone().get(&target).await.expect(200).text(), "two");
    house.clock.advance(16_000);
    house.anyone().get(&target).await.expect(403);
}

#[tokio::test]
async fn the_address_is_built_from_the_settings() {
    let house = TestHouse::start_with(&[("public_url", "https://packages.example.com")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat-1.0/cat-1.0.bin", "one").await;
    let answer = ada.get(&format!("{LATEST}?svc_package=cat")).header("x-forwarded-host", "evil").await.expect(302);
    let location = answer.header("location");
    assert!(location.starts_with("https://packages.example.com/dl/ada/tools/cat-1.0/cat-1.0.bin?"), "{location}");
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let (house, ada) = three().await;
    let get = |path: &str| house.anyone().get(&format!("/content/ada/{path}"));
    get("tools/none-$latest.bin?svc_package=cat").await.expect(404);
    get("tools/cat-$latest/cat-$latest.bin?svc_package=dog").await.refuses(404, "Package 'dog' was not found");
    get("none/cat-$latest.bin?svc_package=cat").await.refuses(404, "Repository 'none' was not found");
    ada.delete("/packages/ada/tools/cat/versions/1.1").await.expect(200);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    house.anyone().get(&format!("{LATEST}?svc_package=cat")).await.expect(404);
}

#[tokio::test]
async fn a_private_repository_is_not_found_by_others() {
    let (house, ada) = three().await;
    let eve = house.user("eve").await;
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    for who in [&eve, &house.anyone()] {
        let hidden = who.get(&format!("{LATEST}?svc_package=cat")).await;
        hidden.refuses(404, "Repository 'tools' was not found");
    }
}
