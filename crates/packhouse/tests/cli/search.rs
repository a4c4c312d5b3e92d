//! `packhouse search`.

use serde_json::json;

use crate::scene::Scene;

#[tokio::test]
async fn things_are_found_by_name() {
    let scene = Scene::with_cat().await;
    scene.ada.patch("/packages/ada/tools/cat").json(json!({"desc": "Purrs\nand more"})).await.expect(200);

    assert_eq!(scene.told(&["search", "ca"]).await, "ada/tools/cat  Purrs\nexit 0");
    assert_eq!(scene.told(&["search", "purr", "--desc"]).await, "ada/tools/cat  Purrs\nexit 0");
    assert_eq!(scene.told(&["search", "ool", "--for", "repos"]).await, "ada/tools\nexit 0");
    assert_eq!(scene.told(&["search", "ad", "--for", "users"]).await.lines().next(), Some("ada    ada"));
    assert_eq!(scene.told(&["search", "c*.txt", "--for", "files"]).await, "ada/tools/cat/1.0  cat.txt\nexit 0");
    assert_eq!(scene.told(&["search", "ca", "--owner", "bob"]).await, "no results\nexit 0");
    assert_eq!(scene.run(&["search", "x", "--for", "users", "--desc"]).await.code, Some(2));
}

#[tokio::test]
async fn results_are_in_the_order_of_the_page() {
    let scene = Scene::with_cat().await;
    for (name, description) in [("other", "a purring cat"), ("my-cat", ""), ("catalogue", "")] {
        let new = json!({"name": name, "desc": description});
        scene.ada.post("/packages/ada/tools").json(new).await.expect(201);
    }
    let told = scene.told(&["search", "cat"]).await;
    let names: Vec<&str> = told.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["ada/tools/cat", "ada/tools/catalogue", "ada/tools/my-cat", "ada/tools/other", "exit"]);
    let page = scene.ada.get("//search?q=cat&in=packages").await.expect(200).text();
    let places: Vec<_> = names[..4].iter().map(|name| page.find(&format!("href=\"/{name}\""))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{places:?}: {page}");
}
