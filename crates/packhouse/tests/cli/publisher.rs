//! `packhouse publisher`: trusted publishers of users and organizations.

use serde_json::json;

use crate::scene::Scene;

#[tokio::test]
async fn builds_are_trusted_listed_and_no_longer_trusted() {
    let scene = Scene::with_cat().await;
    let add = ["publisher", "add", "release", "ada/tools/cat", "--github", "ada/cat", "--workflow", "release.yml"];
    assert_eq!(scene.told(&add).await, "added the trusted publisher release in ada/tools/cat\nexit 0");
    scene
        .run(&["publisher", "add", "lab", "ada/tools", "--gitlab", "ada/cat", "--environment", "live"])
        .await
        .succeeds();
    scene.run(&["publisher", "add", "kite", "ada", "--buildkite", "ada/cat", "--claim", "step_key=x"]).await.succeeds();
    let other = ["publisher", "add", "other", "ada", "--issuer", "https://ci.example.com", "--claim", "sub=nightly:*"];
    scene.run(&other).await.succeeds();
    let listed = scene.run(&["publisher", "ls"]).await.succeeds();
    let expected = "kite  buildkite  ada  organization_slug=ada pipeline_slug=cat step_key=x\n\
                    lab  gitlab  ada/tools  environment=live project_path=ada/cat\n\
                    other  generic  ada  sub=nightly:*\n\
                    release  github  ada/tools/cat  repository=ada/cat \
                    workflow_ref=ada/cat/.github/workflows/release.yml@*";
    assert_eq!(listed, expected);
    let removed = scene.told(&["publisher", "rm", "release", "--yes"]).await;
    assert_eq!(removed, "removed the trusted publisher release\nexit 0");
    assert_eq!(scene.run(&["publisher", "rm", "release", "--yes"]).await.code, Some(2));
    assert!(!scene.run(&["publisher", "ls"]).await.succeeds().contains("release"));
}

#[tokio::test]
async fn organizations_trust_builds_and_wrong_flags_are_refused() {
    let scene = Scene::start().await;
    scene.ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    scene.run(&["publisher", "add", "ci", "acme", "--github", "acme/cat"]).await.succeeds();
    let listed = scene.run(&["publisher", "ls", "--of", "acme"]).await.succeeds();
    assert_eq!(listed, "ci  github  acme  repository=acme/cat");
    scene.run(&["publisher", "rm", "ci", "--of", "acme", "--yes"]).await.succeeds();
    for wrong in [
        &["--claim", "sub=x"][..],
        &["--github", "acme/cat", "--gitlab", "acme/cat"],
        &["--gitlab", "acme/cat", "--workflow", "a.yml"],
        &["--issuer", "https://ci.example.com", "--claim", "sub=x", "--workflow", "a.yml"],
        &["--buildkite", "acme"],
        &["--github", "acme/cat", "--claim", "repository=x"],
        &["--github", "acme/cat", "--claim", "ref"],
    ] {
        let command = [&["publisher", "add", "ci", "acme"], wrong].concat();
        assert_eq!(scene.run(&command).await.code, Some(2), "{wrong:?}");
    }
}
