//! Nodes of packhouse that die, hang, or lose their connection to the database.

use crate::{cluster::pass, scene::Scene};

/// Longer than the balancer waits for a node.
const HANG_SECS: u64 = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_are_killed_cost_nothing_that_was_acknowledged() {
    let mut scene = Scene::start(11).await;
    let load = scene.load();
    for number in 0..3 {
        pass(2).await;
        scene.cluster.nodes[number].kill();
        scene.recovers(&scene.cluster.front(), "the kill of a node").await;
        pass(2).await;
        scene.cluster.nodes[number].restart().await;
        scene.recovers(&scene.cluster.node(number), "the start of a node").await;
    }
    pass(2).await;
    // nginx does not retry a POST that was in progress. It does retry a DELETE, which may already have succeeded.
    scene.finish(load, &[("DELETE", 404)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_hangs_holds_nobody_up_for_long() {
    let mut scene = Scene::start(12).await;
    let load = scene.load();
    for number in [0, 1] {
        pass(2).await;
        scene.cluster.nodes[number].freeze();
        scene.recovers(&scene.cluster.front(), "a node hangs").await;
        pass(HANG_SECS).await;
        scene.cluster.nodes[number].thaw();
        scene.recovers(&scene.cluster.node(number), "a node goes on").await;
    }
    pass(2).await;
    // nginx does not send a write to another node while the first one may still execute it, so the response is 503.
    scene.finish(load, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_without_its_database_comes_back_by_itself() {
    let mut scene = Scene::start(13).await;
    let load = scene.load();
    pass(2).await;
    scene.cluster.nodes[0].relay.cut().await;
    scene.recovers(&scene.cluster.front(), "a node is cut off from the database").await;
    pass(5).await;
    scene.cluster.nodes[0].relay.restore();
    scene.recovers(&scene.cluster.node(0), "the cut is mended").await;
    pass(2).await;
    scene.cluster.nodes[1].relay.freeze();
    pass(5).await;
    scene.cluster.nodes[1].relay.restore();
    scene.recovers(&scene.cluster.node(1), "the network goes on").await;
    pass(2).await;
    scene.finish(load, &[]).await;
}
