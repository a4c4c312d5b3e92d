//! Changed bytes, which dotnet must notice.

use std::fs;

use super::fixture::Dotnet;
use crate::scene::Scene;

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = Scene::public("nuget").await;
    let publisher = Dotnet::new(&scene, &scene.ada);
    publisher.push("Acme.Hello", "1.0.0", &[]).await.succeeds();
    // The lock file comes from a folder: what the server has just sent, it would send from memory again.
    let first = Dotnet::new(&scene, &scene.server.anyone());
    let feed = first.machine.path("feed");
    fs::create_dir(&feed).expect("created");
    fs::copy(publisher.machine.path("work/package.nupkg"), feed.join("acme.hello.1.0.0.nupkg")).expect("copied");
    first.restore("Acme.Hello", "1.0.0", &["--source", &feed.display().to_string()]).await.succeeds();
    let locked = first.machine.read("work/packages.lock.json");
    assert!(locked.contains("contentHash"), "{locked}");
    scene.damage("flat/acme.hello/1.0.0/acme.hello.1.0.0.nupkg").await;
    let second = Dotnet::new(&scene, &scene.server.anyone());
    second.machine.write("work/packages.lock.json", &locked);
    let restored = second.restore("Acme.Hello", "1.0.0", &["--locked-mode"]).await;
    restored.fails_with(&["NU1403", "503"]);
}
