//! All nodes are replaced, one after the other, without a failed request.

use crate::{cluster::pass, counts::Readers, scene::Scene};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_fails_no_request_and_counts_every_download() {
    let mut scene = Scene::start(41).await;
    let readers = Readers::start(&scene).await;
    let load = scene.load();
    for number in 0..3 {
        pass(2).await;
        scene.cluster.nodes[number].stop().await;
        assert!(!scene.cluster.nodes[number].log().contains("were cut off"), "all requests have ended");
        scene.cluster.nodes[number].restart().await;
        scene.recovers(&scene.cluster.node(number), "a restart").await;
    }
    pass(2).await;
    readers.are_all_counted(&scene).await;
    scene.finish_without_a_failure(load).await;
}
