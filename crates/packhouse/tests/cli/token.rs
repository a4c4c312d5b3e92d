//! `packhouse token`: tokens of users and organizations.

use serde_json::json;
use suite::Ended;

use crate::scene::Scene;

#[tokio::test]
async fn a_token_is_made_used_rotated_and_revoked() {
    let scene = Scene::with_cat().await;
    scene.ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    let made = ["token", "create", "ci", "--scopes", "read", "--resources", "ada/tools", "--expires-in", "30d"];
    let secret = scene.run(&made).await.succeeds();
    assert!(secret.starts_with("pht_") && secret.len() == 53, "{secret}");
    let robot = scene.server.person("ada", &secret);
    Ended::run(scene.command_as(&robot, &["pull", "ada/tools/cat/1.0"])).await.succeeds();
    assert_eq!(scene.read("cat.txt"), b"meow");
    let listed = scene.run(&["token", "ls"]).await.succeeds();
    assert!(listed.starts_with("ci  read  ada/tools  last used 2"), "{listed}");
    assert!(listed.ends_with('Z') && listed.contains("  expires 2"), "{listed}");
    let next = scene.run(&["token", "rotate", "ci", "--overlap", "1h", "--yes"]).await.succeeds();
    assert!(next.starts_with("pht_") && next != secret, "{next}");
    Ended::run(scene.command_as(&robot, &["pull", "ada/tools/cat/1.0"])).await.succeeds();
    assert_eq!(scene.told(&["token", "revoke", "ci", "--yes"]).await, "revoked the token ci\nexit 0");
    assert_eq!(scene.told(&["token", "ls"]).await, "no results\nexit 0");
    let after = Ended::run(scene.command_as(&robot, &["pull", "ada/tools/cat/1.0"])).await;
    assert_ne!(after.code, Some(0), "{after:?}");
    assert_eq!(scene.run(&["token", "revoke", "ci", "--yes"]).await.code, Some(2));
}

#[tokio::test]
async fn an_organization_has_robots() {
    let scene = Scene::start().await;
    scene.ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let secret = scene.run(&["token", "create", "robot", "--of", "acme", "--scopes", "manage"]).await.succeeds();
    let robot = scene.server.person("acme", &secret);
    robot.post("/repos/acme/tools").json(json!({})).await.expect(201);
    let listed = scene.run(&["token", "ls", "--of", "acme"]).await.succeeds();
    assert!(listed.starts_with("robot  manage  everywhere  last used 2"), "{listed}");
    scene.run(&["token", "revoke", "robot", "--of", "acme", "--yes"]).await.succeeds();
    robot.get("/repos/acme/tools").await.expect(401);
}
