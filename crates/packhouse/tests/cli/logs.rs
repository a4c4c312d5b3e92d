//! `packhouse logs`: who downloaded what.

use std::time::Duration;

use serde_json::json;

use crate::scene::Scene;

#[tokio::test]
async fn logs_are_listed_and_printed() {
    let scene = Scene::with_cat().await;
    scene.server.anyone().download("/ada/tools/cat.txt").await.expect(200);
    while scene.ada.get("/packages/ada/tools/cat/logs").await.expect(200).json() == json!([]) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    let listed = scene.run(&["logs", "ada/tools/cat"]).await.succeeds();
    let name = listed.split_whitespace().next().expect("a name");
    let printed = scene.run(&["logs", "ada/tools/cat", name]).await.succeeds();

    assert!(name.starts_with("downloads-") && name.ends_with(".log.gz"), "{listed}");
    assert!(
        printed.contains("\"GET /dl/ada/tools/cat.txt") || printed.contains("\"GET /ada/tools/cat.txt"),
        "{printed}"
    );
    assert_eq!(scene.run(&["logs", "ada/tools/cat", "nothing.gz"]).await.code, Some(5));
}
