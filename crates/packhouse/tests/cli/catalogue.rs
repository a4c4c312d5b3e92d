//! `packhouse repo`, `package`, `version`, `ls`, `show` and `delete`.

use serde_json::{Value, json};
use suite::Ended;

use crate::scene::Scene;

#[tokio::test]
async fn a_repository_is_made_changed_and_deleted() {
    let scene = Scene::start().await;

    let created = ["repo", "create", "ada/more", "--desc", "More tools", "--labels", "a,b", "--private"];
    assert_eq!(scene.told(&created).await, "created the repository ada/more\nexit 0");
    let repo = scene.ada.get("/repos/ada/more").await.expect(200).json();
    assert_eq!(
        (&repo["desc"], &repo["labels"], &repo["private"]),
        (&json!("More tools"), &json!(["a", "b"]), &json!(true))
    );

    let edited = ["repo", "edit", "ada/more", "--private=false", "--update-days", "9"];
    assert_eq!(scene.told(&edited).await, "changed the repository ada/more\nexit 0");
    let repo = scene.ada.get("/repos/ada/more").await.expect(200).json();
    assert_eq!((&repo["desc"], &repo["private"]), (&json!("More tools"), &json!(false)));
    assert_eq!(repo["version_update_max_days"], json!(9));

    scene.run(&["repo", "edit", "ada/more", "--untagged-days", "14"]).await.succeeds();
    assert_eq!(scene.ada.get("/repos/ada/more").await.expect(200).json()["untagged_days"], json!(14));
    scene.run(&["repo", "edit", "ada/more", "--untagged-days", "0"]).await.succeeds();
    assert_eq!(scene.ada.get("/repos/ada/more").await.expect(200).json().get("untagged_days"), None);

    insta::assert_snapshot!(scene.told(&created).await, @"
    packhouse: the server answered 409: Repository 'more' already exists
    exit 6
    ");
    insta::assert_snapshot!(scene.told(&["repo", "delete", "ada/more"]).await, @"
    packhouse: this would delete the repository ada/more with all its packages
    hint: add --yes to confirm
    exit 2
    ");
    let deleted = scene.told(&["repo", "delete", "ada/more", "--yes"]).await;
    assert_eq!(deleted, "deleted the repository ada/more with all its packages\nexit 0");
    scene.ada.get("/repos/ada/more").await.expect(404);
}

#[tokio::test]
async fn packages_and_versions_are_made_changed_and_deleted() {
    let scene = Scene::start().await;
    let package = ["package", "create", "ada/tools/my cat", "--licenses", "MIT,Apache-2.0", "--vcs-url", "https://x.y"];
    assert_eq!(scene.told(&package).await, "created the package ada/tools/my cat\nexit 0");
    let edited = ["package", "edit", "ada/tools/my cat", "--desc", "Purrs"];
    assert_eq!(scene.told(&edited).await, "changed the package ada/tools/my cat\nexit 0");
    let found = scene.ada.get("/packages/ada/tools/my%20cat").await.expect(200).json();
    assert_eq!((&found["desc"], &found["vcs_url"]), (&json!("Purrs"), &json!("https://x.y")));

    let version = ["version", "create", "ada/tools/my cat/1.0+1", "--desc", "First", "--vcs-tag", "v1"];
    assert_eq!(scene.told(&version).await, "created the version ada/tools/my cat/1.0+1\nexit 0");
    let edited = ["version", "edit", "ada/tools/my cat/1.0+1", "--desc", "The first"];
    assert_eq!(scene.told(&edited).await, "changed the version ada/tools/my cat/1.0+1\nexit 0");
    let found = scene.ada.get("/packages/ada/tools/my%20cat/versions/1.0%2B1").await.expect(200).json();
    assert_eq!((&found["desc"], &found["vcs_tag"]), (&json!("The first"), &json!("v1")));

    scene.run(&["version", "delete", "ada/tools/my cat/1.0+1", "--yes"]).await.succeeds();
    scene.run(&["delete", "ada/tools/my cat", "--yes"]).await.succeeds();
    scene.ada.get("/packages/ada/tools/my%20cat").await.expect(404);
}

#[tokio::test]
async fn each_place_is_listed_by_what_is_in_it() {
    let scene = Scene::with_cat().await;

    assert_eq!(scene.told(&["ls"]).await, "ada/tools\nexit 0");
    assert_eq!(scene.told(&["ls", "ada/tools"]).await, "cat\nexit 0");
    assert_eq!(scene.told(&["ls", "ada/tools", "--prefix", "d"]).await, "no results\nexit 0");
    assert_eq!(scene.told(&["ls", "ada/tools/cat"]).await, "1.0\nexit 0");
    assert_eq!(scene.told(&["ls", "ada/tools/cat/1.0"]).await, "cat.txt  4 B  404cdd7bc109\nexit 0");
    let anyone = Ended::run(scene.bare(&["ls", "ada/tools", "--json"])).await.succeeds();
    assert_eq!(serde_json::from_str::<Value>(&anyone).expect("JSON"), json!([{"name": "cat", "linked": false}]));
}

#[tokio::test]
async fn staged_files_are_marked_in_long_lists() {
    let scene = Scene::with_cat().await;
    scene.file("dog.txt", "woof");

    scene.run(&["push", "ada/tools/cat/1.0", "dog.txt"]).await.succeeds();
    let listed = scene.run(&["ls", "-l", "ada/tools/cat/1.0", "--unpublished"]).await.succeeds();
    let states: Vec<Option<&str>> =
        listed.lines().map(|line| line.split_whitespace().find(|word| STATES.contains(word))).collect();
    assert_eq!(states, [Some("STATE"), Some("published"), Some("staged")], "{listed}");
    assert!(!scene.run(&["ls", "-l", "ada/tools/cat/1.0"]).await.succeeds().contains("STATE"));

    scene.run(&["push", "ada/tools/cat/2.0", "dog.txt", "--create", "--to", "two"]).await.succeeds();
    insta::assert_snapshot!(scene.told(&["ls", "-l", "ada/tools/cat/2.0"]).await, @"
    ada/tools/cat/2.0 has no published files; --unpublished also lists staged ones
    exit 0
    ");
    insta::assert_snapshot!(scene.told(&["pull", "ada/tools/cat/2.0"]).await, @"
    packhouse: ada/tools/cat/2.0 has no published files
    hint: `packhouse publish ada/tools/cat/2.0` publishes staged files; --unpublished pulls them as they are
    exit 5
    ");
}

const STATES: [&str; 3] = ["STATE", "published", "staged"];

#[tokio::test]
async fn an_edit_without_a_field_is_refused() {
    let scene = Scene::with_cat().await;
    for (noun, address) in [("repo", "ada/tools"), ("package", "ada/tools/cat"), ("version", "ada/tools/cat/1.0")] {
        let refused = scene.run(&[noun, "edit", address]).await;
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(&format!("nothing to change in the {}", noun.replace("repo", "repository"))));
    }
}

#[tokio::test]
async fn long_lists_are_listed_to_their_end() {
    let scene = Scene::start().await;
    for number in 0..120 {
        scene.ada.post("/packages/ada/tools").json(json!({"name": format!("p{number:03}")})).await.expect(201);
    }

    assert_eq!(scene.run(&["ls", "ada/tools"]).await.succeeds().lines().count(), 120);
    assert_eq!(scene.run(&["ls", "ada/tools", "--limit", "70"]).await.succeeds().lines().last(), Some("p069"));
}

#[tokio::test]
async fn each_place_is_shown_with_what_is_known_of_it() {
    let scene = Scene::with_cat().await;

    let version = scene.run(&["show", "ada/tools/cat/1.0"]).await.succeeds();
    assert!(version.contains("published") && version.contains("package") && !version.contains("lables"), "{version}");
    assert!(version.contains("cat.txt (4 B)"), "{version}");
    assert!(scene.run(&["show", "ada"]).await.succeeds().contains("quota used "));
    assert!(scene.run(&["show", "ada/tools/cat"]).await.succeeds().contains("latest version"));
    assert!(scene.run(&["show", "ada/tools"]).await.succeeds().contains("package count"));
    let user: Value = serde_json::from_str(&scene.run(&["show", "ada", "--json"]).await.succeeds()).expect("JSON");
    assert_eq!(user["repos"], json!(["tools"]));
    insta::assert_snapshot!(scene.told(&["show", "ada/tools/dog"]).await, @"
    packhouse: the server answered 404: Package 'dog' was not found
    hint: check the name; what you may not read is not found either, and `packhouse whoami` shows who you are
    exit 5
    ");
    insta::assert_snapshot!(scene.told(&["show", "ada/tools/dog", "--json"]).await, @r#"
    {"error":{"code":5,"hint":"check the name; what you may not read is not found either, and `packhouse whoami` shows who you are","message":"the server answered 404: Package 'dog' was not found"}}
    exit 5
    "#);
}

#[tokio::test]
async fn one_file_is_deleted() {
    let scene = Scene::with_cat().await;

    let dry = scene.told(&["delete", "ada/tools", "--file", "cat.txt", "--dry-run"]).await;
    assert_eq!(dry, "would delete the file cat.txt of ada/tools\nexit 0");
    scene.run(&["delete", "ada/tools", "--file", "cat.txt", "--yes"]).await.succeeds();

    scene.server.anyone().download("/ada/tools/cat.txt").await.expect(404);
}

#[tokio::test]
async fn an_address_that_cannot_be_is_a_matter_of_usage() {
    let scene = Scene::start().await;

    let ended = scene.run(&["publish", "ada/tools"]).await;

    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("a version is written as owner/repo/package/version"), "{}", ended.stderr);
}
