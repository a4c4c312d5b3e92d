//! Tags, deprecations and questions.

use super::fixture::{HELLO, Node, code};
use crate::scene::Scene;

#[tokio::test]
async fn tags_choose_versions() {
    let scene = Scene::public("npm").await;
    let node = Node::new(&scene.url(), &scene.ada);
    node.publish(HELLO, "1.0.0").await.succeeds();
    let folder = node.package(HELLO, "2.0.0-rc.1");
    node.npm(&folder, &["publish", "--tag", "next"]).await.succeeds();
    let tags = node.npm("work", &["dist-tag", "ls", HELLO]).await.succeeds();
    assert_eq!(tags, "latest: 1.0.0\nnext: 2.0.0-rc.1\n");
    let reader = Node::new(&scene.url(), &scene.server.anyone());
    reader.install(HELLO).await.succeeds();
    assert_eq!(reader.installed(), code("1.0.0"));
    reader.install("@ada/hello@next").await.succeeds();
    assert_eq!(reader.installed(), code("2.0.0-rc.1"));

    node.npm("work", &["dist-tag", "add", "@ada/hello@1.0.0", "stable"]).await.succeeds();
    node.npm("work", &["dist-tag", "rm", HELLO, "next"]).await.succeeds();
    let tags = node.npm("work", &["dist-tag", "ls", HELLO]).await.succeeds();
    assert_eq!(tags, "latest: 1.0.0\nstable: 1.0.0\n");
    node.npm("work", &["dist-tag", "add", "@ada/hello@9.9.9", "none"]).await.fails_with(&["E404", "E400"]);
    let stranger = Node::new(&scene.url(), &scene.server.user("eve").await);
    stranger.npm("work", &["dist-tag", "add", "@ada/hello@1.0.0", "mine"]).await.fails_with(&["E403", "E404"]);
}

#[tokio::test]
async fn a_deprecated_version_warns() {
    let scene = Scene::public("npm").await;
    let node = Node::new(&scene.url(), &scene.ada);
    for version in ["1.0.0", "1.1.0"] {
        node.publish(HELLO, version).await.succeeds();
    }
    node.npm("work", &["deprecate", "@ada/hello@1.0.0", "use 1.1"]).await.succeeds();
    let view = node.npm("work", &["view", "@ada/hello@1.0.0", "deprecated"]).await.succeeds();
    assert!(view.contains("use 1.1"), "{view}");
    let reader = Node::new(&scene.url(), &scene.server.anyone());
    let output = reader.install("@ada/hello@1.0.0").await.succeeds();
    assert!(output.contains("use 1.1"), "{output}");
    let output = Node::new(&scene.url(), &scene.server.anyone()).install(HELLO).await.succeeds();
    assert!(!output.contains("use 1.1"), "{output}");
    node.npm("work", &["undeprecate", "@ada/hello@1.0.0"]).await.succeeds();
    let view = node.npm("work", &["view", "@ada/hello@1.0.0", "deprecated"]).await.succeeds();
    assert!(!view.contains("use 1.1"), "{view}");
}

#[tokio::test]
async fn the_registry_answers_questions() {
    let scene = Scene::public("npm").await;
    let node = Node::new(&scene.url(), &scene.ada);
    node.publish(HELLO, "1.0.0").await.succeeds();
    node.npm("work", &["ping"]).await.succeeds();
    let found = node.npm("work", &["search", "--json", "hello"]).await.succeeds();
    assert!(found.contains("\"name\":\"@ada/hello\"") || found.contains("\"name\": \"@ada/hello\""), "{found}");
    let view = node.npm("work", &["view", HELLO, "--json"]).await.succeeds();
    for part in ["says hello", "\"integrity\"", "\"latest\": \"1.0.0\"", "hello-1.0.0.tgz"] {
        assert!(view.contains(part), "{part}: {view}");
    }
    let version = scene.ada.download("/ada/repo/@ada%2fhello/latest").await.expect(200).json();
    assert_eq!(version["version"], "1.0.0");
    node.install(HELLO).await.succeeds();
    node.npm("work", &["audit"]).await.succeeds();
}

#[tokio::test]
async fn a_login_returns_the_key() {
    let scene = Scene::public("npm").await;
    let anyone = scene.server.anyone();
    let login = |password: &str| {
        let body = serde_json::json!({ "name": "ada", "password": password, "type": "user" });
        anyone.put("//dl/ada/repo/-/user/org.couchdb.user:ada").json(body)
    };
    assert_eq!(login(scene.ada.key()).await.expect(201).json()["token"], scene.ada.key());
    login("wrong").await.expect(401);
    scene.ada.patch("/repos/ada/repo").json(serde_json::json!({ "private": true })).await.expect(200);
    login(scene.ada.key()).await.expect(401);
}
