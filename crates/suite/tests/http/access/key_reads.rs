//! What a key may read: content in its scope, and otherwise no more than a stranger.

use reqwest::header::HeaderMap;
use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    access::grants::{entitle, key_to, key_to_path, new_key, new_product},
    catalogue::{new_package, new_private_repo, new_version},
    content::{
        maven::{deploy, lib, pom},
        read, upload, upload_published,
    },
};

/// Returns everything of a response but the request id and the time.
pub(crate) fn comparable(answer: &Answer) -> (u16, HeaderMap, String) {
    let mut headers = answer.headers.clone();
    assert!(headers.remove("x-request-id").is_some() && headers.remove("date").is_some());
    (answer.status, headers, answer.text())
}

/// Creates ada's private `tools`, with files of two versions of `cat` and one of `dog`, and a stranger. Nobody has a
/// daily limit, so that no header counts down.
pub(crate) async fn zoo() -> (TestHouse, Person, Person) {
    let house = TestHouse::start().await;
    let (ada, eve) = (house.user("ada").await, house.user("eve").await);
    for user in ["ada", "eve"] {
        house.admin().put(&format!("/subjects/{user}/plan")).json(json!({"plan": "enterprise"})).await.expect(200);
    }
    new_private_repo(&ada, "ada/tools").await;
    for package in ["cat", "dog"] {
        new_package(&ada, "ada/tools", package).await;
    }
    upload_published(&ada, "ada/tools/cat/1.0/lib/cat-1.bin", "meow").await;
    upload_published(&ada, "ada/tools/cat/2.0/lib/cat-2.bin", "purr").await;
    upload_published(&ada, "ada/tools/dog/1.0/library/dog.bin", "woof").await;
    upload(&ada, "ada/tools/cat/1.0/lib/draft.bin", "hiss").await;
    (house, ada, eve)
}

/// Everything that can be read, from the repository down.
const ROUTES: [&str; 22] = [
    "/repos/ada/tools",
    "/repos/ada/tools/packages",
    "/packages/ada/tools/cat",
    "/packages/ada/tools/cat/files",
    "/packages/ada/tools/cat/attributes",
    "/packages/ada/tools/cat/versions/_latest",
    "/packages/ada/tools/cat/versions/1.0",
    "/packages/ada/tools/cat/versions/1.0/files",
    "/packages/ada/tools/cat/versions/2.0",
    "/packages/ada/tools/dog",
    "/packages/ada/tools/dog/versions/1.0",
    "/file_version/ada/tools/lib/cat-1.bin",
    "/file_version/ada/tools/library/dog.bin",
    "//dl/ada/tools/",
    "//dl/ada/tools/lib/",
    "//dl/ada/tools/library/",
    "//dl/ada/tools/lib/cat-1.bin",
    "//dl/ada/tools/lib/cat-1.bin.sha1",
    "//dl/ada/tools/lib/cat-2.bin",
    "//dl/ada/tools/lib/draft.bin",
    "//dl/ada/tools/lib/none.bin",
    "//dl/ada/tools/library/dog.bin",
];

/// Returns the routes that a key may read. Asserts that all others answer it like a stranger, byte for byte.
async fn reads(key: &Person, stranger: &Person) -> Vec<&'static str> {
    let mut read = Vec::new();
    for route in ROUTES {
        let answer = key.get(route).await;
        if answer.status == 200 {
            read.push(route);
        } else {
            assert_eq!(comparable(&answer), comparable(&stranger.get(route).await), "{route}");
        }
    }
    read
}

#[tokio::test]
async fn a_key_of_a_repository_reads_all_that_is_published() {
    let (house, ada, eve) = zoo().await;
    let key = key_to(&house, &ada, "red", "/repos/ada/tools", "r").await;
    let is_open = |route: &&str| !route.ends_with("draft.bin") && !route.ends_with("none.bin");
    let mut missing = Vec::new();
    for route in ROUTES.into_iter().filter(is_open) {
        if key.get(route).await.status != 200 {
            missing.push(route);
        }
    }
    assert_eq!(missing, [""; 0]);
    key.get("//dl/ada/tools/lib/draft.bin").await.refuses(404, "File 'lib/draft.bin' was not found");
    eve.get("//dl/ada/tools/lib/cat-1.bin").await.expect(404);
    for (route, name) in [("/search/packages?name=cat", "cat"), ("/search/file?name=dog.bin", "library/dog.bin")] {
        assert!(key.get(route).await.expect(200).text().contains(name), "{route}");
    }
}

#[tokio::test]
async fn a_key_of_a_path_reads_whole_segments_below_it() {
    let (house, ada, eve) = zoo().await;
    let key = key_to_path(&house, &ada, "red", "r", "lib").await;
    let expected = [
        "//dl/ada/tools/lib/",
        "//dl/ada/tools/lib/cat-1.bin",
        "//dl/ada/tools/lib/cat-1.bin.sha1",
        "//dl/ada/tools/lib/cat-2.bin",
    ];
    let mut read = Vec::new();
    for route in ROUTES.into_iter().filter(|route| !route.contains("/lib/none") && !route.contains("/lib/draft")) {
        let answer = key.get(route).await;
        match answer.status {
            200 => read.push(route),
            _ => assert_eq!(comparable(&answer), comparable(&eve.get(route).await), "{route}"),
        }
    }
    assert_eq!(read, expected);
    key.get("//dl/ada/tools/lib/none.bin").await.refuses(404, "File 'lib/none.bin' was not found");
    key.get("//dl/ada/tools/lib/draft.bin").await.refuses(404, "File 'lib/draft.bin' was not found");
}

#[tokio::test]
async fn a_key_of_one_file_reads_it_and_its_checksums() {
    let (house, ada, eve) = zoo().await;
    let key = key_to_path(&house, &ada, "red", "r", "lib/cat-1.bin").await;
    let expected = ["//dl/ada/tools/lib/cat-1.bin", "//dl/ada/tools/lib/cat-1.bin.sha1"];
    assert_eq!(reads(&key, &eve).await, expected);
}

#[tokio::test]
async fn a_key_of_a_package_reads_the_package() {
    let (house, ada, eve) = zoo().await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat", "r").await;
    let expected = [
        "/packages/ada/tools/cat",
        "/packages/ada/tools/cat/files",
        "/packages/ada/tools/cat/attributes",
        "/packages/ada/tools/cat/versions/_latest",
        "/packages/ada/tools/cat/versions/1.0",
        "/packages/ada/tools/cat/versions/1.0/files",
        "/packages/ada/tools/cat/versions/2.0",
        "/file_version/ada/tools/lib/cat-1.bin",
        "//dl/ada/tools/lib/cat-1.bin",
        "//dl/ada/tools/lib/cat-1.bin.sha1",
        "//dl/ada/tools/lib/cat-2.bin",
    ];
    key.get("//dl/ada/tools/lib/draft.bin").await.expect(404);
    let mut read = Vec::new();
    for route in ROUTES.into_iter().filter(|route| !route.contains("draft")) {
        let answer = key.get(route).await;
        match answer.status {
            200 => read.push(route),
            _ => assert_eq!(comparable(&answer), comparable(&eve.get(route).await), "{route}"),
        }
    }
    assert_eq!(read, expected);
}

#[tokio::test]
async fn a_key_of_a_version_reads_the_version() {
    let (house, ada, eve) = zoo().await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat/versions/2.0", "r").await;
    let expected = ["/packages/ada/tools/cat/versions/2.0", "//dl/ada/tools/lib/cat-2.bin"];
    assert_eq!(reads(&key, &eve).await, expected);
}

#[tokio::test]
async fn a_key_of_a_product_reads_its_packages() {
    let (house, ada, eve) = zoo().await;
    new_product(&house, "ada", "suite", &["tools/dog"]).await;
    let key = key_to(&house, &ada, "red", "/products/ada/suite", "r").await;
    let expected = [
        "/packages/ada/tools/dog",
        "/packages/ada/tools/dog/versions/1.0",
        "/file_version/ada/tools/library/dog.bin",
        "//dl/ada/tools/library/dog.bin",
    ];
    assert_eq!(reads(&key, &eve).await, expected);
}

#[tokio::test]
async fn a_key_without_entitlements_is_a_stranger() {
    let (house, ada, eve) = zoo().await;
    let key = new_key(&house, "ada", "red").await;
    assert_eq!(reads(&key, &eve).await, [""; 0]);
    let id = entitle(&ada, "/repos/ada/tools", json!({"access": "r", "access_keys": ["red"]})).await;
    key.get("/repos/ada/tools").await.expect(200);
    let one = format!("/repos/ada/tools/entitlements/{id}");
    ada.patch(&one).json(json!({"access_keys_remove": ["red"]})).await.expect(200);
    assert_eq!(reads(&key, &eve).await, [""; 0]);
}

#[tokio::test]
async fn a_file_with_the_name_of_a_checksum_belongs_to_its_package() {
    let (house, ada, eve) = zoo().await;
    upload_published(&ada, "ada/tools/cat/1.0/lib/list.sha1", "hash").await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat", "r").await;
    assert_eq!(read(&key, "/ada/tools/lib/list.sha1").await, "hash");
    eve.download("/ada/tools/lib/list.sha1").await.expect(404);
}

#[tokio::test]
async fn a_right_in_a_part_goes_beyond_the_right_in_the_whole() {
    let (house, ada, _) = zoo().await;
    let key = key_to(&house, &ada, "red", "/repos/ada/tools", "r").await;
    key.download("/ada/tools/lib/draft.bin").await.expect(404);
    entitle(&ada, "/packages/ada/tools/cat", json!({"access": "rw", "access_keys": ["red"]})).await;
    assert_eq!(read(&key, "/ada/tools/lib/draft.bin").await, "hiss");
    assert_eq!(read(&key, "/ada/tools/library/dog.bin").await, "woof");
    upload(&ada, "ada/tools/dog/1.0/library/draft.bin", "grr").await;
    key.download("/ada/tools/library/draft.bin").await.expect(404);
}

#[tokio::test]
async fn what_is_taken_away_is_gone_at_once_also_from_kept_downloads() {
    let (house, ada, _) = zoo().await;
    new_product(&house, "ada", "suite", &["tools/cat"]).await;
    let key = new_key(&house, "ada", "red").await;
    let file = "/ada/tools/lib/cat-1.bin";
    let body = json!({"access": "r", "access_keys": ["red"]});
    let places =
        ["/repos/ada/tools", "/packages/ada/tools/cat", "/packages/ada/tools/cat/versions/1.0", "/products/ada/suite"];
    for place in places {
        let id = entitle(&ada, place, body.clone()).await;
        let one = format!("{place}/entitlements/{id}");
        for _ in 0..3 {
            assert_eq!(read(&key, file).await, "meow");
        }
        ada.patch(&one).json(json!({"access_keys": []})).await.expect(200);
        key.download(file).await.expect(404);
        ada.patch(&one).json(json!({"access_keys": ["red"]})).await.expect(200);
        for _ in 0..3 {
            assert_eq!(read(&key, file).await, "meow");
        }
        ada.delete(&one).await.expect(200);
        key.download(file).await.expect(404);
    }
    let id = entitle(&ada, "/repos/ada/tools", json!({"access": "r", "access_keys": ["red"], "path": "lib"})).await;
    for _ in 0..3 {
        assert_eq!(read(&key, file).await, "meow");
    }
    ada.patch(&format!("/repos/ada/tools/entitlements/{id}")).json(json!({"path": "library"})).await.expect(200);
    key.download(file).await.expect(404);
}

#[tokio::test]
async fn the_index_of_its_folder_is_read_by_a_key_of_a_part() {
    let (house, ada) = lib().await;
    ada.patch("/repos/ada/m2").json(json!({"private": true})).await.expect(200);
    new_package(&ada, "ada/m2", "other").await;
    for version in ["1.0", "2.0"] {
        let pom = pom("lib", version, "");
        deploy(&ada, &format!("org/x/lib/{version}/lib-{version}.pom"), &pom).await;
    }
    let other = pom("other", "1.0", "");
    ada.put("/maven/ada/m2/other/;publish=1/org/x/other/1.0/other-1.0.pom").body(other).await.expect(201);
    new_version(&ada, "ada/m2/other", "3.0").await;
    let package = key_to(&house, &ada, "package", "/packages/ada/m2/lib", "r").await;
    let version = key_to(&house, &ada, "version", "/packages/ada/m2/lib/versions/1.0", "r").await;
    let path = new_key(&house, "ada", "path").await;
    entitle(&ada, "/repos/ada/m2", json!({"access": "r", "access_keys": ["path"], "path": "org/x/lib"})).await;
    let empty = key_to(&house, &ada, "empty", "/packages/ada/m2/other/versions/3.0", "r").await;
    for key in [&package, &version, &path] {
        let index = read(key, "/ada/m2/org/x/lib/maven-metadata.xml").await;
        assert!(index.contains("<version>1.0</version>"), "{index}");
        key.download("/ada/m2/org/x/lib/maven-metadata.xml.sha1").await.expect(200);
        assert!(read(key, "/ada/m2/org/x/lib/1.0/lib-1.0.pom").await.contains("<artifactId>lib<"));
        key.download("/ada/m2/org/x/other/maven-metadata.xml").await.expect(404);
        key.download("/ada/m2/org/x/other/1.0/other-1.0.pom").await.expect(404);
        key.download("/ada/m2/").await.expect(404);
    }
    version.download("/ada/m2/org/x/lib/2.0/lib-2.0.pom").await.expect(404);
    empty.download("/ada/m2/org/x/lib/maven-metadata.xml").await.expect(404);
}

#[tokio::test]
async fn an_index_is_read_by_a_key_of_many_parts() {
    let (house, ada) = lib().await;
    ada.patch("/repos/ada/m2").json(json!({"private": true})).await.expect(200);
    deploy(&ada, "org/x/lib/1.0/lib-1.0.pom", &pom("lib", "1.0", "")).await;
    let mut parts = Vec::new();
    for number in 0..60 {
        new_package(&ada, "ada/m2", &format!("part-{number}")).await;
        parts.push(format!("m2/part-{number}"));
    }
    let body = json!({"access": "r", "access_keys": ["red"]});
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    new_product(&house, "ada", "parts", &names).await;
    let key = key_to(&house, &ada, "red", "/products/ada/parts", "r").await;
    let index = "/ada/m2/org/x/lib/maven-metadata.xml";
    key.download(index).await.expect(404);
    entitle(&ada, "/packages/ada/m2/lib", body).await;
    key.download(index).await.expect(200);
}

#[tokio::test]
async fn a_key_of_a_package_gets_no_way_to_files_of_another() {
    let (house, ada, _) = zoo().await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat", "r").await;
    key.get("/content/ada/tools/lib/cat-2.bin?svc_package=cat").await.expect(302);
    let dog = key.get("/content/ada/tools/library/dog.bin?svc_package=cat").await;
    dog.refuses(404, "File 'library/dog.bin' was not found");
}

#[tokio::test]
async fn a_file_that_is_named_like_a_folder_does_not_open_it() {
    let (house, ada, eve) = zoo().await;
    upload(&ada, "ada/tools/cat/1.0/library", "hiss").await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat", "r").await;
    let answers = [&key, &eve].map(|who| who.get("//dl/ada/tools/library"));
    let [of_key, of_stranger] = answers;
    assert_eq!(comparable(&of_key.await), comparable(&of_stranger.await));
}
