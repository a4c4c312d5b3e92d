//! Nodes of the object store that die or hang.

use crate::{cluster::pass, scene::Scene};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_without_one_of_its_nodes_is_enough() {
    let mut scene = Scene::start(21).await;
    let load = scene.load();
    for number in [0, 2] {
        pass(2).await;
        scene.cluster.garage.kill(number);
        scene.recovers(&scene.cluster.front(), "the kill of a node of the store").await;
        pass(3).await;
        scene.cluster.garage.restart(number);
        scene.recovers(&scene.cluster.front(), "the start of a node of the store").await;
        // Two of three nodes are enough, so the next one fails only after this one is back.
        scene.cluster.garage.heals().await;
    }
    scene.finish(load, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_of_the_store_that_hangs_is_passed_by() {
    let mut scene = Scene::start(22).await;
    let load = scene.load();
    pass(2).await;
    scene.cluster.garage.freeze(1);
    scene.recovers(&scene.cluster.front(), "a node of the store hangs").await;
    pass(8).await;
    scene.cluster.garage.thaw(1);
    scene.recovers(&scene.cluster.front(), "a node of the store goes on").await;
    pass(3).await;
    scene.finish(load, &[]).await;
}
