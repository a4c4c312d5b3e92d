//! The HTTP suite on the cluster's database and store. Every test has its own nginx with three nodes.

use std::{path::Path, process::Command, time::Instant};

use crate::{
    cluster::Cluster,
    garage::{ACCESS_KEY, BUCKET, SECRET_KEY},
    postgres::Postgres,
    program::find,
};

/// Tests of the memory of one process or of its socket, and the reason why several nodes behave differently.
const LEFT_OUT: [(&str, &str); 7] = [
    ("access::existence_checks::a_key_that_is_gone_elsewhere_is_removed", ASKED),
    ("access::existence_checks::a_silent_registry_keeps_the_key_and_is_left_alone", ASKED),
    ("access::existence_checks::many_at_once_ask_once", ASKED),
    ("access::access_key_downloads::what_is_no_whole_download_is_not_taken_from_the_rest", GIVEN_BACK),
    ("downloads::key_quota::what_may_have_gone_to_the_next_download_is_not_given_back_again", GIVEN_BACK),
    (
        "downloads::signed_urls::the_log_has_what_the_address_is_called",
        "nodes write down their lines of the same second in turn",
    ),
    ("content::upload_limits::a_refusal_comes_before_the_body", "nginx itself says `100 Continue`"),
];

const ASKED: &str = "it counts questions to a server of others, whose answers every node remembers for itself";
const GIVEN_BACK: &str = "that a download is given back is known when its client has the last byte; a node's own next download \
                          finds it at once, others when it is written down with the counts of the second";

/// The maximum number of parallel tests, limited by the connections of PostgreSQL.
const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_http_suite_passes_through_a_balancer() {
    let (cluster, began) = (Cluster::start().await, Instant::now());
    let program = find("PACKHOUSE_TEST_HTTP_SUITE");
    check_names(&program);
    let mut suite = Command::new(&program);
    suite.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../suite"));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(AT_ONCE);
    suite.args(["--exact", "--test-threads", &threads.to_string()]);
    for (test, reason) in LEFT_OUT {
        println!("  left out: {test}: {reason}");
        suite.args(["--skip", test]);
    }
    suite.envs([
        ("PACKHOUSE_TEST_STACK", "cluster".to_owned()),
        ("PACKHOUSE_TEST_NODES", cluster.nodes.len().to_string()),
        ("PACKHOUSE_TEST_POSTGRES", Postgres::url_at(cluster.postgres.address)),
        ("PACKHOUSE_TEST_S3_ENDPOINT", format!("http://{}", cluster.balancer.store)),
        ("PACKHOUSE_TEST_S3_BUCKET", BUCKET.to_owned()),
        ("PACKHOUSE_TEST_S3_ACCESS_KEY", ACCESS_KEY.to_owned()),
        ("PACKHOUSE_TEST_S3_SECRET_KEY", SECRET_KEY.to_owned()),
    ]);
    let ended = tokio::process::Command::from(suite).kill_on_drop(true).status().await.expect("the suite starts");
    assert!(ended.success(), "the suite ended with {ended}");
    println!("  the HTTP suite in {:?}", began.elapsed());
}

/// Checks that the tests to leave out exist: an outdated name would silently leave out nothing.
fn check_names(suite: &Path) {
    let listed = Command::new(suite).arg("--list").output().expect("the suite starts");
    let listed = String::from_utf8_lossy(&listed.stdout);
    for (test, _) in LEFT_OUT {
        assert!(listed.lines().any(|line| line == format!("{test}: test")), "no test is called {test}");
    }
}
