//! `packhouse keys` and `packhouse entitlements`: access for key holders.

use serde_json::{Value, json};
use suite::Ended;

use crate::scene::Scene;

#[tokio::test]
async fn an_outsider_is_let_in_and_out_again() {
    let scene = Scene::with_cat().await;
    scene.ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    let made = ["keys", "create", "ada", "customer", "--expires-in", "30d", "--max-downloads", "9", "--json"];
    let made: Value = serde_json::from_str(&scene.run(&made).await.succeeds()).expect("JSON");
    let customer = scene.server.person("customer@ada", made["password"].as_str().expect("a password"));

    let before = Ended::run(scene.command_as(&customer, &["pull", "ada/tools/cat/1.0"])).await;
    assert_eq!(before.code, Some(5), "{before:?}");
    let added = scene.told(&["entitlements", "add", "ada/tools", "customer", "--tags", "eu"]).await;
    assert_eq!(added, "added an entitlement of ada/tools for customer\nexit 0");
    Ended::run(scene.command_as(&customer, &["pull", "ada/tools/cat/1.0"])).await.succeeds();
    assert_eq!(scene.read("cat.txt"), b"meow");

    let id = scene.run(&["entitlements", "ls", "ada/tools"]).await.succeeds();
    let table = scene.run(&["entitlements", "ls", "-l", "ada/tools"]).await.succeeds();
    let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words, [["ID", "ACCESS", "ACCESS_KEYS", "PATH", "TAGS"].to_vec(), vec![&id, "r", "customer", "eu"]]);
    let table = scene.run(&["keys", "ls", "-l", "ada"]).await.succeeds();
    assert!(table.starts_with("ID        USERNAME      EXPIRY"), "{table}");
    assert!(table.lines().nth(1).is_some_and(|line| line.starts_with("customer  customer@ada  2")), "{table}");
    assert!(scene.run(&["entitlements", "show", "ada/tools", &id]).await.succeeds().contains("customer"));
    scene.run(&["entitlements", "edit", "ada/tools", &id, "--access", "rw"]).await.succeeds();
    scene.run(&["entitlements", "rm", "ada/tools", &id, "--yes"]).await.succeeds();
    let after = Ended::run(scene.command_as(&customer, &["pull", "ada/tools/cat/1.0"])).await;
    assert_eq!(after.code, Some(5), "{after:?}");
}

#[tokio::test]
async fn keys_are_listed_changed_and_deleted() {
    let scene = Scene::start().await;
    scene.ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for owner in ["ada", "acme"] {
        let made = scene.run(&["keys", "create", owner, "one"]).await.succeeds();
        assert!(made.starts_with(&format!("username  one@{owner}\npassword  ")), "{made}");
        assert_eq!(scene.told(&["keys", "ls", owner]).await, "one\nexit 0");
        let edited = scene.told(&["keys", "edit", owner, "one", "--white-cidrs", "10.0.0.0/8"]).await;
        assert_eq!(edited, format!("changed the access key one@{owner}\nexit 0"));
        assert!(scene.run(&["keys", "show", owner, "one"]).await.succeeds().contains("10.0.0.0/8"));
        assert!(scene.run(&["keys", "rotate", owner, "one", "--yes"]).await.succeeds() != made);
        assert!(scene.run(&["keys", "usage", owner, "one"]).await.succeeds().contains("downloads"));
        scene.run(&["keys", "delete", owner, "one", "--yes"]).await.succeeds();
        assert_eq!(scene.told(&["keys", "ls", owner]).await, "no results\nexit 0");
    }
}
