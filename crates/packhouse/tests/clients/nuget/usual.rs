//! What everyone does.

use super::fixture::Dotnet;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn dotnet_pushes_and_anyone_restores() {
    let _shown = shows("dotnet", "publish, install, counted");
    let scene = Scene::public("nuget").await;
    let own = Dotnet::new(&scene, &scene.ada);
    own.push("Acme.Hello", "1.0", &[]).await.succeeds();
    own.push("Acme.Hello", "1.0.0", &[]).await.fails_with(&["409"]);
    own.push("Acme.Hello", "1.0.0", &["--skip-duplicate"]).await.succeeds();
    own.push("Acme.Hello", "1.10.0", &[]).await.succeeds();
    own.push("Acme.Hello", "2.0.0-rc.1", &[]).await.succeeds();
    let reader = Dotnet::new(&scene, &scene.server.anyone());
    reader.restore("Acme.Hello", "1.*", &[]).await.succeeds();
    assert!(reader.has("Acme.Hello", "1.10.0") && !reader.has("Acme.Hello", "1.0.0"));
    scene.counts("acme.hello", 1).await;
    reader.restore("Acme.Unknown", "1.0.0", &[]).await.fails_with(&["NU1101"]);
    let stranger = Dotnet::new(&scene, &scene.server.user("eve").await);
    stranger.push("Acme.Hello", "3.0.0", &[]).await.fails_with(&["403"]);
}
