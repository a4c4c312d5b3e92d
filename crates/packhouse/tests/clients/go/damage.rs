//! Changed bytes, which go must notice.

use super::fixture::{Gopher, LIB};
use crate::scene::Scene;

#[tokio::test]
async fn a_changed_byte_in_the_store_is_noticed() {
    let scene = Scene::public("go").await;
    let first = Gopher::new(&scene.url());
    first.publish(&scene.url(), &scene.ada, LIB, "v1.0.0").await.succeeds();
    first.get(&format!("{LIB}@v1.0.0")).await.succeeds();
    let sums = first.machine.read("work/go.sum");
    assert!(sums.contains("h1:"), "{sums}");
    scene.damage("example.com/!acme/lib/@v/v1.0.0.zip").await;
    let second = Gopher::new(&scene.url());
    second.machine.write("work/go.sum", &sums);
    let damaged = ["checksum mismatch", "SECURITY ERROR", "checksum error", "503"];
    second.get(&format!("{LIB}@v1.0.0")).await.fails_with(&damaged);
}
