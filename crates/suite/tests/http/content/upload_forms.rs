//! The source of an upload's package and version: the path, headers or matrix parameters.

use serde_json::json;
use suite::{Call, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo, segment},
    content::{cat, published, read, stored, upload},
};

/// PUT of a small file at this path of `ada/tools`.
fn put(by: &Person, path: &str) -> Call {
    by.put(&format!("/content/ada/tools/{path}")).body("meow")
}

/// PUT with package and version as headers.
fn put_with_headers(by: &Person, path: &str, package: &str, version: &str) -> Call {
    put(by, path).header("x-service-package", package).header("x-service-version", version)
}

/// Returns the version and the path of the only file of `cat`.
async fn place(ada: &Person) -> String {
    let list = ada.get("/packages/ada/tools/cat/files?include_unpublished=1").await.expect(200).json();
    let [file] = list.as_array().expect("a list").as_slice() else { panic!("not one file: {list}") };
    format!("{} {}", file["version"].as_str().expect("a version"), file["path"].as_str().expect("a path"))
}

#[tokio::test]
async fn package_and_version_may_stand_in_the_path() {
    let (_house, ada) = cat().await;
    let answer = put(&ada, "cat/1.0/lib/cat.bin").await.expect(201);
    assert_eq!(answer.text(), r#"{"message":"success"}"#);
    assert_eq!(place(&ada).await, "1.0 lib/cat.bin");
}

#[tokio::test]
async fn package_and_version_may_be_headers() {
    let (_house, ada) = cat().await;
    put_with_headers(&ada, "lib/cat.bin", "cat", "1.0").await.refuses(201, "success");
    assert_eq!(place(&ada).await, "1.0 lib/cat.bin");
}

#[tokio::test]
async fn package_and_version_may_be_matrix_parameters_at_the_end() {
    let (_house, ada) = cat().await;
    put(&ada, "lib/cat.bin;svc_package=cat;svc_version=1.0").await.refuses(201, "success");
    assert_eq!(place(&ada).await, "1.0 lib/cat.bin");
}

#[tokio::test]
async fn matrix_parameters_may_stand_in_any_segment() {
    let (_house, ada) = cat().await;
    put(&ada, ";svc_package=cat;svc_version=1.0/a/1.bin").await.refuses(201, "success");
    put(&ada, "a;svc_package=cat/2.bin;svc_version=1.0").await.refuses(201, "success");
    put(&ada, "a;svc_version=1.0/;svc_package=cat/b/3.bin").await.refuses(201, "success");
    let path = "/content/ada/tools;svc_package=cat;svc_version=1.0/a/4.bin";
    ada.put(path).body("meow").await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a/1.bin", "a/2.bin", "a/4.bin", "a/b/3.bin"]);
}

#[tokio::test]
async fn with_headers_or_parameters_the_whole_path_is_the_files() {
    let (_house, ada) = cat().await;
    put_with_headers(&ada, "cat/1.0/a.bin", "cat", "2.0").await.expect(201);
    put(&ada, "cat/1.0/b.bin;svc_package=cat;svc_version=2.0").await.expect(201);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat/1.0/a.bin", "cat/1.0/b.bin"]);
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"], json!(["2.0"]));
}

#[tokio::test]
async fn the_two_may_come_in_different_forms() {
    let (_house, ada) = cat().await;
    put(&ada, "cat.bin;svc_version=1.0").header("x-service-package", "cat").await.expect(201);
    assert_eq!(place(&ada).await, "1.0 cat.bin");
}

#[tokio::test]
async fn forms_may_repeat_each_other_but_not_disagree() {
    let (_house, ada) = cat().await;
    new_package(&ada, "ada/tools", "dog").await;
    put_with_headers(&ada, "x.bin;svc_package=dog", "cat", "1.0").await.expect(400);
    put_with_headers(&ada, "x.bin;svc_version=2.0", "cat", "1.0").await.expect(400);
    put_with_headers(&ada, "x.bin", "cat", "1.0").header("x-service-package", "dog").await.expect(400);
    put_with_headers(&ada, "x.bin", "cat", "1.0").header("x-service-version", "2.0").await.expect(400);
    put(&ada, "x.bin;svc_package=cat;svc_package=dog;svc_version=1.0").await.expect(400);
    put(&ada, "lib;svc_version=2.0/x.bin;svc_package=cat;svc_version=1.0").await.expect(400);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
    assert_eq!(stored(&ada, "ada/tools/dog").await, [""; 0]);
    let agreeing = put_with_headers(&ada, "x.bin;svc_package=cat;svc_version=1.0;svc_package=cat", "cat", "1.0");
    agreeing.header("x-service-package", "cat").await.refuses(201, "success");
    assert_eq!(place(&ada).await, "1.0 x.bin");
}

#[tokio::test]
async fn an_upload_needs_package_version_and_path() {
    let (_house, ada) = cat().await;
    put(&ada, "cat.bin").await.expect(400);
    put(&ada, "cat/1.0").await.expect(400);
    put(&ada, "cat/1.0/").await.expect(400);
    put(&ada, "cat.bin").header("x-service-package", "cat").await.expect(400);
    put(&ada, "cat.bin").header("x-service-version", "1.0").await.expect(400);
    put(&ada, "cat/1.0/cat.bin").header("x-service-version", "1.0").await.expect(400);
    put(&ada, "cat.bin;svc_package=cat").await.expect(400);
    put(&ada, "cat.bin;svc_version=1.0").await.expect(400);
    put_with_headers(&ada, "cat.bin", "", "1.0").await.expect(400);
    put(&ada, "cat.bin;svc_package=cat;svc_version=").await.expect(400);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

#[tokio::test]
async fn an_encoded_semicolon_is_a_letter_of_the_name() {
    let (house, ada) = cat().await;
    put(&ada, "cat/1.0/a%3Bsvc_version=2.0;publish=1").await.refuses(201, "success");
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a;svc_version=2.0"]);
    assert_eq!(read(&house.anyone(), "/ada/tools/a%3Bsvc_version=2.0").await, "meow");
    house.anyone().download("/ada/tools/a;svc_version=2.0").await.expect(404);
}

#[tokio::test]
async fn names_and_parameters_are_decoded_once() {
    let (_house, ada) = cat().await;
    put(&ada, "c%61t/1.0/a%253Bb%20c.bin").await.refuses(201, "success");
    put(&ada, "d%C3%A9.bin;svc_package=c%61t;svc_version=1.0+2%20beta").await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a%3Bb c.bin", "dé.bin"]);
    let versions = ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"].clone();
    assert_eq!(versions, json!(["1.0+2 beta", "1.0"]), "a plus in a path is a plus");
}

#[tokio::test]
async fn names_may_hold_what_the_rules_allow() {
    let (_house, ada) = cat().await;
    let (package, version) = ("my cat@home:1+~", "1.0:2+b ~@x");
    new_package(&ada, "ada/tools", package).await;
    put(&ada, &format!("{}/{}/a.bin", segment(package), segment(version))).await.expect(201);
    put_with_headers(&ada, "b.bin", package, version).await.expect(201);
    let parameters = format!("svc_package={};svc_version={}", segment(package), segment(version));
    put(&ada, &format!("c.bin;{parameters}")).await.expect(201);
    let address = format!("ada/tools/{}", segment(package));
    assert_eq!(stored(&ada, &address).await, ["a.bin", "b.bin", "c.bin"]);
    assert_eq!(ada.get(&format!("/packages/{address}")).await.expect(200).json()["versions"], json!([version]));
}

#[tokio::test]
async fn versions_that_cannot_be_are_refused() {
    let (_house, ada) = cat().await;
    for version in ["_latest", "a/b", "a\\b", "a;b", "a?b", "a#b", "a%b", "..", &"x".repeat(201)] {
        put_with_headers(&ada, "cat.bin", "cat", version).await.expect(400);
        let path = format!("cat.bin;svc_package=cat;svc_version={}", segment(version));
        put(&ada, &path).await.expect(400);
    }
    put(&ada, "cat/_latest/cat.bin").await.expect(400);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

#[tokio::test]
async fn the_package_must_exist() {
    let (_house, ada) = cat().await;
    put(&ada, "dog/1.0/dog.bin").await.refuses(404, "Package 'dog' was not found");
    put(&ada, "Cat/1.0/cat.bin").await.refuses(404, "Package 'Cat' was not found");
    put_with_headers(&ada, "dog.bin", "dog", "1.0").await.refuses(404, "Package 'dog' was not found");
    put(&ada, "dog.bin;svc_package=dog;svc_version=1.0").await.refuses(404, "Package 'dog' was not found");
    let nowhere = ada.put("/content/ada/none/cat/1.0/cat.bin").body("meow").await;
    nowhere.refuses(404, "Repository 'none' was not found");
    ada.get("/packages/ada/tools/dog").await.expect(404);
}

#[tokio::test]
async fn a_missing_version_is_made_on_the_way() {
    let (_house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let made = ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(200).json();
    assert_eq!((&made["ordinal"], &made["published"]), (&json!(1), &json!(false)));
    assert_eq!(made["created"], "2026-01-15T12:00:00.000Z");
    upload(&ada, "ada/tools/cat/1.0/more.bin", "purr").await;
    upload(&ada, "ada/tools/cat/1.1/next.bin", "purr").await;
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"], json!(["1.1", "1.0"]));
}

#[tokio::test]
async fn names_of_old_clients_are_understood() {
    let (house, ada) = cat().await;
    let old = put(&ada, "a.bin").header("x-bintray-package", "cat").header("x-bintray-version", "1.0");
    old.header("x-bintray-publish", "1").await.refuses(201, "success");
    put(&ada, "b.bin;bt_package=cat;bt_version=1.0;publish=1").await.refuses(201, "success");
    put(&ada, ";bt_package=cat/c.bin;svc_version=1.0?publish=1").await.refuses(201, "success");
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a.bin", "b.bin", "c.bin"]);
    let both = put_with_headers(&ada, "d.bin", "cat", "1.0");
    both.header("x-bintray-version", "2.0").await.expect(400);
    put(&ada, "d.bin;bt_package=dog;svc_package=cat;svc_version=1.0").await.expect(400);
}

#[tokio::test]
async fn names_of_old_clients_can_be_switched_off() {
    let house = TestHouse::start_with(&[("old_client_names", "false")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    put(&ada, "a.bin").header("x-bintray-package", "cat").header("x-bintray-version", "1.0").await.expect(400);
    put(&ada, "b.bin;bt_package=cat;bt_version=1.0").await.expect(400);
    put_with_headers(&ada, "c.bin", "cat", "1.0").await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["c.bin"]);
}
