//! Versions that come and go.

use super::fixture::Dotnet;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn an_unlisted_version_is_restored_by_those_who_name_it() {
    let _shown = shows("dotnet", "yank");
    let scene = Scene::public("nuget").await;
    let own = Dotnet::new(&scene, &scene.ada);
    for version in ["1.0.0", "1.1.0"] {
        own.push("Acme.Hello", version, &[]).await.succeeds();
    }
    own.unlist("Acme.Hello", "1.1.0").await.succeeds();
    let found = scene.server.anyone().download("/ada/repo/query?q=hello").await.expect(200).json();
    assert_eq!(found["data"][0]["version"], "1.0.0");
    let reader = Dotnet::new(&scene, &scene.server.anyone());
    reader.restore("Acme.Hello", "1.1.0", &[]).await.succeeds();
    assert!(reader.has("Acme.Hello", "1.1.0"));
}

#[tokio::test]
async fn a_staged_version_is_invisible_until_it_is_published() {
    let _shown = shows("dotnet", "staged");
    let scene = Scene::public("nuget").await;
    scene.stage().await;
    let own = Dotnet::new(&scene, &scene.ada);
    own.push("Acme.Hello", "1.0.0", &[]).await.succeeds();
    let reader = Dotnet::new(&scene, &scene.server.anyone());
    reader.restore("Acme.Hello", "1.0.0", &[]).await.fails_with(&["NU1101"]);
    scene.publish("acme.hello", "1.0.0").await;
    reader.restore("Acme.Hello", "1.0.0", &[]).await.succeeds();
    assert!(reader.has("Acme.Hello", "1.0.0"));
}
