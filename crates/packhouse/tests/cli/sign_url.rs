//! `packhouse sign-url`.

use serde_json::json;

use crate::scene::Scene;

#[tokio::test]
async fn a_signed_address_opens_a_private_file() {
    let scene = Scene::with_cat().await;
    scene.ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);

    let url = scene.run(&["sign-url", "ada/tools", "cat.txt", "--valid-for", "5m"]).await.succeeds();

    let path = url.strip_prefix(&format!("{}/dl", scene.server.base)).expect("an address of this server");
    assert_eq!(scene.server.anyone().download(path).await.expect(200).text(), "meow");
    let wrong = scene.run(&["sign-url", "ada/tools", "cat.txt", "--valid-for", "soon"]).await;
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}
