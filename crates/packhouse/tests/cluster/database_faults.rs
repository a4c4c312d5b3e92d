//! PostgreSQL restarts, or hangs.

use crate::{cluster::pass, scene::Scene};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_restarts_is_missed_for_a_moment_only() {
    let mut scene = Scene::start(31).await;
    let load = scene.load();
    for _ in 0..2 {
        pass(2).await;
        scene.cluster.postgres.stop();
        pass(3).await;
        scene.cluster.postgres.restart();
        scene.recovers(&scene.cluster.front(), "the database restarted").await;
        for door in scene.cluster.doors() {
            scene.recovers(&door, "the database restarted").await;
        }
    }
    pass(2).await;
    scene.finish(load, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_hangs_is_waited_for_and_not_longer() {
    let mut scene = Scene::start(32).await;
    let load = scene.load();
    for seconds in [3, 8] {
        pass(2).await;
        scene.cluster.postgres.freeze();
        pass(seconds).await;
        scene.cluster.postgres.thaw();
        for door in scene.cluster.doors() {
            scene.recovers(&door, "the database goes on").await;
        }
    }
    pass(2).await;
    scene.finish(load, &[]).await;
}
