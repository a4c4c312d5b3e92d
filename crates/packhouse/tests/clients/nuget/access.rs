//! Private repositories, and keys for parts of them.

use super::fixture::Dotnet;
use crate::{matrix::shows, scene::Scene};

#[tokio::test]
async fn a_private_package_needs_a_key() {
    let _shown = shows("dotnet", "private, key holder");
    let scene = Scene::private("nuget").await;
    let own = Dotnet::new(&scene, &scene.ada);
    for id in ["Acme.Hello", "Acme.Other"] {
        own.push(id, "1.0.0", &[]).await.succeeds();
    }
    own.restore("Acme.Hello", "1.0.0", &[]).await.succeeds();
    let client = Dotnet::new(&scene, &scene.key_for("acme.hello").await);
    client.restore("Acme.Hello", "1.0.0", &[]).await.succeeds();
    assert!(client.has("Acme.Hello", "1.0.0"));
    client.restore("Acme.Other", "1.0.0", &[]).await.fails_with(&["NU1101"]);
    client.push("Acme.Hello", "2.0.0", &[]).await.fails_with(&["403", "404"]);
    for who in [scene.server.anyone(), scene.server.person("ada", "wrong")] {
        let stranger = Dotnet::new(&scene, &who);
        stranger.restore("Acme.Hello", "1.0.0", &[]).await.fails_with(&["NU1301", "401"]);
    }
}
