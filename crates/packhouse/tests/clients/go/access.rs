//! Keys for parts of a repository.

use super::fixture::{Gopher, LIB, PACKAGE, code};
use crate::{matrix::shows, scene::Scene, tls_front::TlsFront};

#[tokio::test]
async fn a_key_for_one_module_reads_no_other() {
    let _shown = shows("go", "key holder");
    let scene = Scene::private("go").await;
    let front = TlsFront::start(&scene.server.base).await;
    let url = format!("{}/dl/ada/repo", front.base);
    let gopher = Gopher::new(&scene.url());
    for module in [LIB, "example.com/other"] {
        gopher.publish(&scene.url(), &scene.ada, module, "v1.0.0").await.succeeds();
    }
    let client = scene.key_for(PACKAGE).await;
    let reader = Gopher::with_key(&url, &front.certificate, &client);
    reader.get(&format!("{LIB}@latest")).await.succeeds();
    assert_eq!(reader.got().await, code("v1.0.0"));
    reader.get("example.com/other@latest").await.fails_with(&["404 Not Found"]);
    reader.publish(&scene.url(), &client, LIB, "v1.1.0").await.fails_with(&["403", "404"]);
    client.download("/ada/repo/example.com/other/@v/v1.0.0.mod").await.expect(404);
}
