//! Composer repositories: uploads that are named by their content, documents, and what is refused.

use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::content::archives::zip;

async fn repo(house: &TestHouse, private: bool) -> Person {
    let ada = house.user("ada").await;
    ada.post("/repos/ada/php").json(json!({"type": "composer", "private": private})).await.expect(201);
    ada
}

async fn upload(who: &Person, version: &str, document: &str, code: &str) -> Answer {
    let package = zip(&[("hello/composer.json", document), ("hello/src/x.php", code)]);
    who.put(&format!("//dl/ada/php/upload/any.zip?version={version}")).body(package).await
}

const HELLO: &str = r#"{"name":"acme/hello","description":"says hello","dist":{"url":"https://evil.example"}}"#;

#[tokio::test]
async fn an_upload_is_listed_at_once() {
    let house = TestHouse::start().await;
    let ada = repo(&house, false).await;
    upload(&ada, "1.0.0", HELLO, "1").await.expect(201);
    upload(&ada, "1.1.0-beta1", HELLO, "2").await.expect(201);
    upload(&ada, "dev-feature/x", HELLO, "3").await.expect(201);
    let anyone = house.anyone();
    let root = anyone.download("/ada/php/packages.json").await.expect(200).json();
    assert_eq!(root["available-packages"], json!(["acme/hello"]));
    let releases = anyone.download("/ada/php/p2/acme/hello.json").await.expect(200);
    assert!(!releases.header("last-modified").is_empty());
    let list = &releases.json()["packages"]["acme/hello"];
    assert_eq!((&list[0]["version"], &list[1]["version"]), (&json!("1.1.0-beta1"), &json!("1.0.0")));
    let url = list[1]["dist"]["url"].as_str().expect("a URL");
    assert!(url.ends_with("/dl/ada/php/dist/acme/hello/1.0.0.zip"), "{url}");
    let file = anyone.download("/ada/php/dist/acme/hello/1.0.0.zip").await.expect(200);
    assert_eq!(list[1]["dist"]["shasum"], file.header("x-checksum-sha1"));
    let branches = anyone.download("/ada/php/p2/acme/hello~dev.json").await.expect(200).json();
    assert_eq!(branches["packages"]["acme/hello"][0]["version"], "dev-feature/x");
    anyone.download("/ada/php/p2/acme/unknown.json").await.expect(404);
    let found = anyone.download("/ada/php/search.json?q=hello").await.expect(200).json();
    assert_eq!((&found["total"], &found["results"][0]["name"]), (&json!(1), &json!("acme/hello")));
    let names = anyone.download("/ada/php/list.json?filter=acme/*").await.expect(200).json();
    assert_eq!(names, json!({"packageNames": ["acme/hello"]}));
    let package = ada.get("/packages/ada/php/acme:hello").await.expect(200).json();
    assert_eq!((&package["desc"], &package["latest_version"]), (&json!("says hello"), &json!("1.0.0")));
}

#[tokio::test]
async fn bad_uploads_are_refused_and_leave_nothing() {
    let house = TestHouse::start().await;
    let ada = repo(&house, false).await;
    let large = format!(r#"{{"name":"acme/hello","x":"{}"}}"#, "x".repeat(2 << 20));
    for (version, document, reason) in [
        ("", HELLO, "the package has no version"),
        ("latest", HELLO, "version 'latest' is not valid"),
        ("1.0", r#"{"name":"acme/hello","name":"acme/other"}"#, "appears twice"),
        ("1.0", r#"{"name":"../x/y"}"#, "package name '../x/y' is not valid"),
        ("1.0", r#"{"name":"acme/hello","version":true}"#, "its version is not a text"),
        ("1.0", r#"{"name":"acme/hello","version":"2.0"}"#, "composer.json says '2.0'"),
        ("1.0", "\u{feff}{}", "byte order mark"),
        ("1.0", &large, "is larger than"),
    ] {
        let refused = upload(&ada, version, document, "").await.expect(400);
        let told = refused.json()["warning"].as_str().expect("Composer prints it").to_owned();
        assert!(told.contains(reason), "{told}");
    }
    let upload_path = "//dl/ada/php/upload/any.zip?version=1.0";
    ada.put(upload_path).body("no zip").await.expect(400);
    let two = zip(&[("a/composer.json", HELLO), ("b/composer.json", HELLO)]);
    ada.put(upload_path).body(two).await.expect(400);
    let backslash = zip(&[("composer.json", HELLO), ("a\\b", "")]);
    ada.put(upload_path).body(backslash).await.expect(400);
    let other_name = ada.put("/content/ada/php/acme:other/1.0/dist/acme/other/1.0.zip?publish=1");
    ada.post("/packages/ada/php").json(json!({"name": "acme:other"})).await.expect(201);
    let refused = other_name.body(zip(&[("composer.json", HELLO)])).await.expect(400);
    assert!(refused.message().contains("the package is 'acme/hello'"), "{}", refused.message());
    ada.get("/packages/ada/php/acme:hello").await.expect(404);
}

#[tokio::test]
async fn a_release_has_one_spelling_and_one_content() {
    let house = TestHouse::start().await;
    let ada = repo(&house, false).await;
    upload(&ada, "1.0.0", HELLO, "a").await.expect(201);
    upload(&ada, "1.0.0", HELLO, "a").await.expect(201);
    upload(&ada, "1.0.0", HELLO, "b").await.expect(409);
    upload(&ada, "v1.0", HELLO, "a").await.expect(409);
    upload(&ada, "dev-main", HELLO, "a").await.expect(201);
    upload(&ada, "dev-main", HELLO, "b").await.expect(201);
    ada.delete("/packages/ada/php/acme:hello/versions/1.0.0").await.expect(200);
    upload(&ada, "1.0.0", HELLO, "b").await.expect(409);
    upload(&ada, "1.0.0", HELLO, "a").await.expect(201);
}

#[tokio::test]
async fn strangers_do_not_publish() {
    let house = TestHouse::start().await;
    let ada = repo(&house, true).await;
    upload(&ada, "1.0.0", HELLO, "a").await.expect(201);
    let eve = house.user("eve").await;
    upload(&eve, "1.1.0", HELLO, "a").await.expect(404);
    upload(&house.anyone(), "1.1.0", HELLO, "a").await.expect(401);
    for path in ["packages.json", "list.json", "search.json", "p2/acme/hello.json", "dist/acme/hello/1.0.0.zip"] {
        eve.download(&format!("/ada/php/{path}")).await.expect(404);
        house.anyone().download(&format!("/ada/php/{path}")).await.expect(401);
        ada.download(&format!("/ada/php/{path}")).await.expect(200);
    }
}
