//! What everyone does.

use super::fixture::{Gopher, LIB, code};
use crate::{matrix::shows, scene::Scene, tls_front::TlsFront};

#[tokio::test]
async fn go_gets_what_curl_publishes() {
    let _shown = shows("go", "publish, install");
    let scene = Scene::public("go").await;
    let gopher = Gopher::new(&scene.url());
    for version in ["v1.0.0", "v1.1.0", "v1.2.0-rc.1"] {
        gopher.publish(&scene.url(), &scene.ada, LIB, version).await.succeeds();
    }
    gopher.publish(&scene.url(), &scene.ada, LIB, "v2.0.0").await.fails_with(&["does not fit module"]);
    gopher.publish(&scene.url(), &scene.server.anyone(), LIB, "v1.3.0").await.fails_with(&["401"]);
    gopher.get(&format!("{LIB}@latest")).await.succeeds();
    assert_eq!(gopher.got().await, code("v1.1.0"));
    let listed = gopher.go(&["list", "-m", "-versions", LIB]).await.succeeds();
    assert!(listed.contains("v1.0.0 v1.1.0 v1.2.0-rc.1"), "{listed}");
    gopher.get("example.com/unknown@latest").await.fails_with(&["404 Not Found"]);
}

#[tokio::test]
async fn a_private_module_needs_a_key() {
    let _shown = shows("go", "private");
    let scene = Scene::private("go").await;
    let front = TlsFront::start(&scene.server.base).await;
    let url = format!("{}/dl/ada/repo", front.base);
    let reader = Gopher::with_key(&url, &front.certificate, &scene.ada);
    reader.publish(&scene.url(), &scene.ada, LIB, "v1.0.0").await.succeeds();
    let stranger = Gopher::with_key(&url, &front.certificate, &scene.server.anyone());
    stranger.get(&format!("{LIB}@latest")).await.fails_with(&["401 Unauthorized"]);
    reader.get(&format!("{LIB}@latest")).await.succeeds();
    assert_eq!(reader.got().await, code("v1.0.0"));
}
