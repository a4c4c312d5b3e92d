//! Readmes and release notes.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::catalogue::{new_package, new_private_repo, new_repo, new_version};

const README: &str = "/packages/ada/tools/cat/readme";
const NOTES: &str = "/packages/ada/tools/cat/release_notes";
const VERSION_NOTES: &str = "/packages/ada/tools/cat/versions/1.0/release_notes";

/// All texts.
const ALL: [&str; 3] = [README, NOTES, VERSION_NOTES];

#[tokio::test]
async fn a_text_is_set_shown_replaced_and_deleted() {
    let (house, ada) = house_with_cat().await;
    for path in ALL {
        ada.post(path).json(json!({"syntax": "markdown", "content": "# Cat\n\njoins"})).await.refuses(200, "success");
        let shown = house.anyone().get(path).await.expect(200);
        assert_eq!(shown.text(), r##"{"syntax":"markdown","content":"# Cat\n\njoins"}"##);
        ada.post(path).json(json!({"syntax": "asciidoc", "content": "= Cat"})).await.refuses(200, "success");
        assert_eq!(ada.get(path).await.expect(200).text(), r#"{"syntax":"asciidoc","content":"= Cat"}"#);
        ada.post(path).json(json!({"syntax": "plain_text", "content": ""})).await.refuses(200, "success");
        assert_eq!(ada.get(path).await.expect(200).text(), r#"{"syntax":"plain_text","content":""}"#);
        ada.delete(path).await.refuses(200, "success");
        ada.get(path).await.expect(404);
        ada.delete(path).await.expect(404);
    }
}

#[tokio::test]
async fn each_text_is_its_own() {
    let (_house, ada) = house_with_cat().await;
    for path in ALL {
        set(&ada, path, path).await;
    }
    for path in ALL {
        assert_eq!(ada.get(path).await.expect(200).json()["content"], path);
    }
    ada.delete(NOTES).await.expect(200);
    ada.get(README).await.expect(200);
    ada.get(VERSION_NOTES).await.expect(200);
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    let (_house, ada) = house_with_cat().await;
    ada.get(README).await.refuses(404, "Readme of package 'cat' was not found");
    ada.get(NOTES).await.refuses(404, "Release notes of package 'cat' was not found");
    ada.get(VERSION_NOTES).await.refuses(404, "Release notes of version '1.0' was not found");
    ada.get("/packages/ada/tools/dog/readme").await.refuses(404, "Package 'dog' was not found");
    let path = "/packages/ada/tools/cat/versions/2.0/release_notes";
    ada.get(path).await.refuses(404, "Version '2.0' was not found");
    ada.delete(path).await.refuses(404, "Version '2.0' was not found");
    ada.post(path).json(text("x")).await.refuses(404, "Version '2.0' was not found");
}

#[tokio::test]
async fn a_text_is_written_by_publishers() {
    let (house, ada) = house_with_cat().await;
    let bob = house.user("bob").await;
    for path in ALL {
        set(&ada, path, "ours").await;
        bob.post(path).json(text("theirs")).await.refuses(403, "You may not do this");
        bob.delete(path).await.refuses(403, "You may not do this");
        house.anyone().post(path).json(text("theirs")).await.refuses(401, "This resource requires authentication");
        house.anyone().delete(path).await.refuses(401, "This resource requires authentication");
        assert_eq!(bob.get(path).await.expect(200).json()["content"], "ours");
    }
}

#[tokio::test]
async fn a_hidden_text_is_like_one_that_does_not_exist() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    new_private_repo(&ada, "ada/tools").await;
    fill(&ada).await;
    for path in ALL {
        set(&ada, path, "secret").await;
        let elsewhere = path.replace("/ada/", "/bob/");
        for person in [&bob, &house.anyone()] {
            let (hidden, missing) = (person.get(path).await, person.get(&elsewhere).await);
            assert_eq!((hidden.status, hidden.body), (404, missing.body));
        }
        let (hidden, missing) = (bob.delete(path).await, bob.delete(&elsewhere).await);
        assert_eq!((hidden.status, hidden.body), (404, missing.body));
        let (hidden, missing) = (bob.post(path).json(text("x")).await, bob.post(&elsewhere).json(text("x")).await);
        assert_eq!((hidden.status, hidden.body), (404, missing.body));
        assert_eq!(ada.get(path).await.expect(200).json()["content"], "secret");
    }
}

#[tokio::test]
async fn a_bad_text_is_refused_and_the_old_one_stays() {
    let (_house, ada) = house_with_cat().await;
    let bodies = [
        "{}",
        r#"{"syntax": "markdown"}"#,
        r#"{"content": "x"}"#,
        r#"{"syntax": "html", "content": "x"}"#,
        r#"{"syntax": "Mark down", "content": "x"}"#,
        r#"{"syntax": 1, "content": "x"}"#,
        r#"{"syntax": "markdown", "content": ["x"]}"#,
        r#"{"syntax": "markdown", "content": "\u001b[1m"}"#,
        r#"{"syntax": "markdown", "content": "\u0000"}"#,
    ];
    let mut refusals = String::new();
    set(&ada, README, "old").await;
    for body in bodies {
        refusals += &format!("{body} -> {}\n", ada.post(README).body(body).await.expect(400).message());
    }
    insta::assert_snapshot!(refusals, @r#"
    {} -> missing field `syntax`
    {"syntax": "markdown"} -> missing field `content`
    {"content": "x"} -> missing field `syntax`
    {"syntax": "html", "content": "x"} -> syntax: 'html' is not one of markdown, asciidoc, plain_text
    {"syntax": "Mark down", "content": "x"} -> syntax: 'Mark down' is not one of markdown, asciidoc, plain_text
    {"syntax": 1, "content": "x"} -> syntax: invalid type: integer `1`, expected a string
    {"syntax": "markdown", "content": ["x"]} -> content: invalid type: sequence, expected a string
    {"syntax": "markdown", "content": "\u001b[1m"} -> content: it holds a control character
    {"syntax": "markdown", "content": "\u0000"} -> The body is not valid JSON: a text holds a NUL character at line 1 column 42
    "#);
    ada.post(README).await.refuses(400, "A JSON body is required");
    let large = ada.post(README).json(text(&"x".repeat(256 * 1024))).await;
    large.refuses(413, "The JSON body is larger than 262144 bytes");
    assert_eq!(ada.get(README).await.expect(200).json()["content"], "old");
    let long = "é".repeat(130_000);
    set(&ada, README, &long).await;
    assert_eq!(ada.get(README).await.expect(200).json()["content"], long);
}

#[tokio::test]
async fn a_new_text_moves_the_update_of_what_it_is_about() {
    let (house, ada) = house_with_cat().await;
    let start = "2026-01-15T12:00:00.000Z";
    house.clock.advance(1_000);
    set(&ada, README, "one").await;
    assert_eq!(updates(&ada).await, ["2026-01-15T12:00:01.000Z", start]);
    house.clock.advance(1_000);
    set(&ada, NOTES, "one").await;
    assert_eq!(updates(&ada).await, ["2026-01-15T12:00:02.000Z", start]);
    house.clock.advance(1_000);
    set(&ada, VERSION_NOTES, "one").await;
    assert_eq!(updates(&ada).await, ["2026-01-15T12:00:03.000Z", "2026-01-15T12:00:03.000Z"]);
    house.clock.advance(1_000);
    ada.delete(VERSION_NOTES).await.expect(200);
    assert_eq!(updates(&ada).await, ["2026-01-15T12:00:04.000Z", "2026-01-15T12:00:04.000Z"]);
    house.clock.advance(1_000);
    ada.delete(README).await.expect(200);
    assert_eq!(updates(&ada).await, ["2026-01-15T12:00:05.000Z", "2026-01-15T12:00:04.000Z"]);
}

#[tokio::test]
async fn texts_go_with_what_they_are_about() {
    let (_house, ada) = house_with_cat().await;
    for path in ALL {
        set(&ada, path, "old").await;
    }
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    ada.get(README).await.expect(200);
    new_version(&ada, "ada/tools/cat", "1.0").await;
    ada.get(VERSION_NOTES).await.refuses(404, "Release notes of version '1.0' was not found");
    set(&ada, VERSION_NOTES, "old").await;
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    fill(&ada).await;
    for path in ALL {
        ada.get(path).await.expect(404);
    }
}

async fn house_with_cat() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    fill(&ada).await;
    (house, ada)
}

async fn fill(ada: &Person) {
    new_package(ada, "ada/tools", "cat").await;
    new_version(ada, "ada/tools/cat", "1.0").await;
}

fn text(content: &str) -> Value {
    json!({"syntax": "markdown", "content": content})
}

async fn set(person: &Person, path: &str, content: &str) {
    person.post(path).json(text(content)).await.refuses(200, "success");
}

/// Returns the times of the last change of the package and of the version.
async fn updates(person: &Person) -> [String; 2] {
    let package = person.get("/packages/ada/tools/cat").await.expect(200).json();
    let version = person.get("/packages/ada/tools/cat/versions/1.0").await.expect(200).json();
    [package, version].map(|shown| shown["updated"].as_str().expect("a moment").to_owned())
}
