//! Packages and versions with very many files are deleted in steps, so that other writers do not wait for them.

use std::pin::pin;

use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::{
        DAY,
        archives::tar,
        maven::{deploy, index, lib, values},
        upload_published,
    },
};

/// Enough files for several steps.
const FILES: usize = 1_400;

/// Publishes many files with the same content in a version, at `<folder>/<number>.bin`.
async fn publish_many(by: &Person, version: &str, folder: &str, files: usize) {
    let names: Vec<String> = (0..files).map(|number| format!("{folder}/{number:04}.bin")).collect();
    for some in names.chunks(700) {
        let entries: Vec<(&str, &str)> = some.iter().map(|name| (name.as_str(), "meow")).collect();
        by.put(&format!("/content/{version}/x.tar?explode=1&publish=1")).body(tar(&entries)).await.expect(201);
    }
}

/// A house with `ada/tools/dog/1.0/dog.bin` and an empty package `ada/tools/cat`.
async fn with_dog() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    new_package(&ada, "ada/tools", "dog").await;
    upload_published(&ada, "ada/tools/dog/1.0/dog.bin", "woof").await;
    (house, ada)
}

/// The number of times that a deletion is in the audit log.
async fn recorded(house: &TestHouse, action: &str) -> usize {
    house.admin().get("/audit").await.expect(200).text().matches(action).count()
}

#[tokio::test]
async fn a_package_with_very_many_files_goes_with_everything_and_others_stay() {
    let (house, ada) = with_dog().await;
    let used = ada.post("/usage/ada/tools").await.expect(200).text();
    publish_many(&ada, "ada/tools/cat/1.0", "many", FILES).await;
    upload_published(&ada, "ada/tools/cat/2.0/two.bin", "purr").await;
    assert_ne!(ada.post("/usage/ada/tools").await.expect(200).text(), used);
    ada.delete("/packages/ada/tools/cat").await.refuses(200, "success");
    for path in ["/packages/ada/tools/cat", "/packages/ada/tools/cat/versions/1.0/files"] {
        ada.get(path).await.expect(404);
    }
    for path in ["/ada/tools/many/0000.bin", "/ada/tools/many/1399.bin", "/ada/tools/two.bin"] {
        house.anyone().download(path).await.expect(404);
    }
    assert_eq!(ada.post("/usage/ada/tools").await.expect(200).text(), used);
    assert_eq!(recorded(&house, "package.delete").await, 1);
    assert_eq!(ada.get("/repos/ada/tools").await.expect(200).json()["package_count"], 1);
    assert_eq!(house.anyone().download("/ada/tools/dog.bin").await.expect(200).text(), "woof");
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/many/0000.bin", "new").await;
}

#[tokio::test]
async fn a_version_with_very_many_files_leaves_the_other_versions() {
    let (house, ada) = with_dog().await;
    upload_published(&ada, "ada/tools/cat/1.0/one.bin", "purr").await;
    let used = ada.post("/usage/ada/tools").await.expect(200).text();
    publish_many(&ada, "ada/tools/cat/2.0", "many", FILES).await;
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["latest_version"], "2.0");
    ada.delete("/packages/ada/tools/cat/versions/2.0").await.refuses(200, "success");
    let package = ada.get("/packages/ada/tools/cat").await.expect(200).json();
    assert_eq!((&package["latest_version"], &package["versions"]), (&"1.0".into(), &serde_json::json!(["1.0"])));
    assert_eq!(ada.post("/usage/ada/tools").await.expect(200).text(), used);
    assert_eq!(recorded(&house, "version.delete").await, 1);
    house.anyone().download("/ada/tools/many/0000.bin").await.expect(404);
    assert_eq!(house.anyone().download("/ada/tools/one.bin").await.expect(200).text(), "purr");
}

#[tokio::test]
async fn uploads_do_not_wait_for_the_deletion_of_a_large_package() {
    let (house, ada) = with_dog().await;
    publish_many(&ada, "ada/tools/cat/1.0", "many", FILES).await;
    let mut deletion = pin!(ada.delete("/packages/ada/tools/cat").into_future());
    let mut upload = pin!(upload_published(&ada, "ada/tools/dog/1.0/new.bin", "howl"));
    tokio::select! {
        biased;
        answer = &mut deletion => panic!("the deletion was done first: {answer:?}"),
        () = &mut upload => {}
    }
    assert_eq!(house.anyone().download("/ada/tools/new.bin").await.expect(200).text(), "howl");
    deletion.await.refuses(200, "success");
}

#[tokio::test]
async fn paths_of_a_large_package_stay_bound_to_their_content() {
    let (house, ada) = with_dog().await;
    publish_many(&ada, "ada/tools/cat/1.0", "many", 700).await;
    house.clock.advance(400 * DAY);
    ada.delete("/packages/ada/tools/cat").await.expect(403);
    house.anyone().download("/ada/tools/many/0699.bin").await.expect(200);
    house.admin().delete("/packages/ada/tools/cat").await.expect(200);
    new_package(&ada, "ada/tools", "cat").await;
    for path in ["many/0000.bin", "many/0699.bin"] {
        let put = |content| ada.put(&format!("/content/ada/tools/cat/1.0/{path}?publish=1&override=1")).body(content);
        assert!(put("hiss").await.expect(409).text().contains("was published for good"));
        put("meow").await.expect(201);
    }
}

#[tokio::test]
async fn the_indexes_of_a_large_version_are_exact_when_it_is_gone() {
    let (house, ada) = lib().await;
    deploy(&ada, "org/x/lib/1/lib-1.jar", "meow").await;
    deploy(&ada, "org/x/lib/2/lib-2.jar", "meow").await;
    let names: Vec<String> = (0..700).map(|number| format!("org/x/lib/2/lib-2-c{number:04}.jar")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "meow")).collect();
    ada.put("/content/ada/m2/lib/2/x.tar?explode=1&publish=1").body(tar(&entries)).await.expect(201);
    assert_eq!(values(&index(&house.anyone(), "org/x/lib").await, "version"), ["1", "2"]);
    ada.delete("/packages/ada/m2/lib/versions/2").await.expect(200);
    assert_eq!(values(&index(&house.anyone(), "org/x/lib").await, "version"), ["1"]);
    ada.delete("/packages/ada/m2/lib").await.expect(200);
    house.anyone().download("/ada/m2/org/x/lib/maven-metadata.xml").await.expect(404);
}
