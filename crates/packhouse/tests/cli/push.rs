//! `packhouse push`: targets, files that are not sent twice, and refusals.

use serde_json::{Value, json};

use crate::scene::{Scene, bytes};

#[tokio::test]
async fn files_and_folders_are_pushed_and_published() {
    let scene = Scene::start().await;
    scene.file("dist/hello.txt", "hello");
    scene.file("dist/doc/a b;c.txt", "read me");
    scene.file("notes.txt", "new");

    let pushed = ["push", "ada/tools/hello/1.0.0", "dist", "notes.txt", "--create", "--license", "MIT", "--publish"];
    insta::assert_snapshot!(scene.told(&pushed).await, @"
    3 files (15 B) in ada/tools/hello/1.0.0: 3 uploaded
    published 3 files
    exit 0
    ");
    let anyone = scene.server.anyone();
    assert_eq!(anyone.download("/ada/tools/hello.txt").await.expect(200).text(), "hello");
    assert_eq!(anyone.download("/ada/tools/doc/a%20b%3Bc.txt").await.expect(200).text(), "read me");
    assert_eq!(anyone.get("/packages/ada/tools/hello").await.expect(200).json()["licenses"], json!(["MIT"]));
}

#[tokio::test]
async fn without_publish_readers_see_nothing() {
    let scene = Scene::start().await;
    scene.file("a.txt", "a");

    scene.run(&["push", "ada/tools/cat/1.0", "a.txt", "--create", "--to", "x/y"]).await.succeeds();
    scene.server.anyone().download("/ada/tools/x/y/a.txt").await.expect(404);

    assert_eq!(scene.told(&["publish", "ada/tools/cat/1.0"]).await, "published 1 file of ada/tools/cat/1.0\nexit 0");
    scene.server.anyone().download("/ada/tools/x/y/a.txt").await.expect(200);
    let again = scene.told(&["publish", "ada/tools/cat/1.0"]).await;
    assert_eq!(again, "ada/tools/cat/1.0 has nothing new to publish\nexit 0");
}

#[tokio::test]
async fn what_is_missing_is_created_only_when_asked() {
    let scene = Scene::start().await;
    scene.file("a.txt", "a");

    insta::assert_snapshot!(scene.told(&["push", "ada/tools/cat/1.0", "a.txt"]).await, @"
    packhouse: version ada/tools/cat/1.0 does not exist
    hint: add --create to create the package and the version
    exit 5
    ");
    for arguments in [&["push", "ada/none/cat/1.0", "a.txt"][..], &["push", "ada/none/cat/1.0", "a.txt", "--create"]] {
        let refused = scene.told(arguments).await;
        insta::allow_duplicates! {
            insta::assert_snapshot!(refused, @"
            packhouse: repository ada/none does not exist, or you may not see it
            hint: `packhouse repo create ada/none` creates it
            exit 5
            ");
        }
    }
    scene.ada.get("/packages/ada/tools/cat").await.expect(404);
}

#[tokio::test]
async fn what_the_server_has_is_not_sent_again() {
    let scene = Scene::start().await;
    scene.file("big.bin", bytes(300_000));
    scene.file("small.txt", "small");
    scene.run(&["push", "ada/tools/cat/1.0", "big.bin", "small.txt", "--create", "--publish"]).await.succeeds();

    let again = scene.told(&["push", "ada/tools/cat/1.0", "big.bin", "small.txt"]).await;
    insta::assert_snapshot!(again, @"
    2 files (292.97 KiB) in ada/tools/cat/1.0: 2 already there
    nothing new; if any of them are still staged, `packhouse publish ada/tools/cat/1.0` publishes them
    exit 0
    ");
    let elsewhere = scene.told(&["push", "ada/tools/cat/2.0", "big.bin", "--create", "--to", "2.0", "--json"]).await;
    let (json, _) = elsewhere.rsplit_once("exit 0").expect("it went well");
    let summary: Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(summary["files"][0]["sent"], json!("deployed"));
    assert_eq!(summary["files"][0]["path"], json!("2.0/big.bin"));
}

#[tokio::test]
async fn other_content_is_a_conflict_unless_it_may_replace() {
    let scene = Scene::with_cat().await;
    scene.file("cat.txt", "purr");
    scene.file("dog.txt", "woof");

    let refused = scene.told(&["push", "ada/tools/cat/1.0", "cat.txt", "dog.txt", "--publish"]).await;
    insta::assert_snapshot!(refused, @"
    failed  cat.txt: the server answered 409: The path 'cat.txt' already exists with other content; override=1 replaces it; hint: --override replaces the existing file
    1 file (4 B) in ada/tools/cat/1.0: 1 uploaded
    packhouse: 1 of 2 files failed to upload; nothing was published
    hint: push again; files that the server already has are not sent again
    exit 10
    ");
    scene.server.anyone().download("/ada/tools/dog.txt").await.expect(404);

    scene.run(&["push", "ada/tools/cat/1.0", "cat.txt", "dog.txt", "--publish", "--override"]).await.succeeds();
    assert_eq!(scene.server.anyone().download("/ada/tools/cat.txt").await.expect(200).text(), "purr");
}

#[tokio::test]
async fn a_publish_that_fails_has_a_code_of_its_own() {
    let scene = Scene::start().await;
    scene.file("a.txt", "a");

    let signed = scene.told(&["push", "ada/tools/cat/1.0", "a.txt", "--create", "--sign", "--publish"]).await;

    assert!(signed.contains("signing failed: the server answered 400"), "{signed}");
    assert!(signed.ends_with("`packhouse discard ada/tools/cat/1.0` to remove them\nexit 13"), "{signed}");
    scene.server.anyone().download("/ada/tools/a.txt").await.expect(404);
}

#[tokio::test]
async fn a_dry_run_changes_nothing() {
    let scene = Scene::start().await;
    scene.file("a.txt", "a");

    let told = scene.told(&["push", "ada/tools/cat/1.0", "a.txt", "--create", "--publish", "--dry-run"]).await;

    insta::assert_snapshot!(told, @"
    would create ada/tools/cat/1.0
    would upload a.txt as a.txt
    would publish ada/tools/cat/1.0
    exit 0
    ");
    scene.ada.get("/packages/ada/tools/cat").await.expect(404);
}

#[tokio::test]
async fn maven_layout_gets_its_indexes() {
    let scene = Scene::start().await;
    scene.ada.post("/repos/ada/maven").json(json!({"type": "maven"})).await.expect(201);
    scene.file("repo/org/acme/lib/1.0/lib-1.0.jar", "jar");
    scene.file("repo/org/acme/lib/1.0/lib-1.0.jar.sha1", "0".repeat(40));

    let wrong = scene.run(&["push", "ada/maven/lib/1.0", "repo", "--create", "--maven", "--publish"]).await;
    assert_eq!(wrong.code, Some(10), "the side file is not the sum: {wrong:?}");

    scene.file("repo/org/acme/lib/1.0/lib-1.0.jar.sha1", "f92e777f4341930bad9b2422283c4680d00dbc06");
    scene.run(&["push", "ada/maven/lib/1.0", "repo", "--maven", "--publish"]).await.succeeds();

    let index = scene.server.anyone().download("/ada/maven/org/acme/lib/maven-metadata.xml").await.expect(200);
    assert!(index.text().contains("<version>1.0</version>"), "{}", index.text());
}

#[tokio::test]
async fn what_is_staged_can_be_discarded() {
    let scene = Scene::start().await;
    scene.file("a.txt", "a");
    scene.run(&["push", "ada/tools/cat/1.0", "a.txt", "--create"]).await.succeeds();

    insta::assert_snapshot!(scene.told(&["discard", "ada/tools/cat/1.0"]).await, @"
    packhouse: this would discard the staged files of ada/tools/cat/1.0
    hint: add --yes to confirm
    exit 2
    ");
    let discarded = scene.told(&["discard", "ada/tools/cat/1.0", "--yes"]).await;
    assert_eq!(discarded, "discarded 1 file of ada/tools/cat/1.0\nexit 0");
}
