//! Changed bytes, which dotnet must notice.

use super::fixture::Dotnet;
use crate::scene::Scene;

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = Scene::public("nuget").await;
    Dotnet::new(&scene, &scene.ada).push("Acme.Hello", "1.0.0", &[]).await.succeeds();
    let first = Dotnet::new(&scene, &scene.server.anyone());
    first.restore("Acme.Hello", "1.0.0", &[]).await.succeeds();
    let locked = first.machine.read("work/packages.lock.json");
    assert!(locked.contains("contentHash"), "{locked}");
    scene.damage("flat/acme.hello/1.0.0/acme.hello.1.0.0.nupkg").await;
    let second = Dotnet::new(&scene, &scene.server.anyone());
    second.machine.write("work/packages.lock.json", &locked);
    let restored = second.restore("Acme.Hello", "1.0.0", &["--locked-mode"]).await;
    restored.fails_with(&["NU1403", "503"]);
}
