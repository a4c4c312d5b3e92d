//! The cost of one more entry, which does not depend on the number of entries.

use std::time::{Duration, Instant};

use suite::{Person, TestHouse};

use super::{debian::publish_deb, generations::repo_id, repo_of};
use crate::catalogue::new_package;

/// Longer than one more entry takes on a busy machine without optimization.
const MOST: Duration = Duration::from_secs(2);

/// The most statements of a publish and of the generation after it.
const STATEMENTS: u64 = 90;

fn statements(house: &TestHouse) -> u64 {
    house.apps().map(|app| app.house().db.statements_run()).sum()
}

/// Publishes packages until there are this many, as rows.
pub(super) async fn fill(house: &TestHouse, from: usize, to: usize) {
    let db = &house.app().house().db;
    let repo_id = repo_id(house).await;
    let bytes = if house.stack().is_cluster() { "convert_to(facts, 'UTF8')" } else { "CAST(facts AS BLOB)" };
    let control = r#"{"control":{"fields":[["Package","p' || i || '"],["Version","1"],["Architecture","amd64"]]},"package":"p' || i || '","version":"1","architecture":"amd64","source":"p' || i || '"}"#;
    let zeros = "0".repeat(64);
    let rows = format!("WITH RECURSIVE n (i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {to})");
    let batches = [
        format!(
            "INSERT INTO blobs (id, sha256, sha1, size, is_going)
             {rows} SELECT 1000 + i, substr('{zeros}' || i, length('{zeros}' || i) - 63, 64), 'x', 1, FALSE FROM n"
        ),
        format!(
            "INSERT INTO content_facts (blob_id, format, about)
             SELECT id, 'debian', {bytes} FROM (
                 {rows} SELECT 1000 + i AS id, '{control}' AS facts FROM n) made"
        ),
        format!(
            "INSERT INTO files (id, repo_id, package_id, version_id, path, folded_name, published_blob_id,
                 published_facts, published, is_listed, created)
             {rows} SELECT 1000 + i, {repo_id}, f.package_id, f.version_id, 'pool/p' || i || '_1_amd64.deb', 'p', 1000 + i,
                 'stable;main;amd64', 1, FALSE, 1
             FROM n CROSS JOIN (SELECT package_id, version_id FROM files WHERE repo_id = {repo_id} AND path = 'pool/hello_1_amd64.deb') f"
        ),
    ];
    for batch in batches {
        database::testing::run_batch(db, &batch).await.expect("rows");
    }
    while database::indexes::changes::find_any(db, repo_id).await.expect("a look-up").is_some() {
        super::run_job(house).await;
    }
}

/// Returns the statements and the time of the cheapest of some publishes.
async fn cost(house: &TestHouse, ada: &Person, at: usize) -> (u64, Duration) {
    let mut fewest = (u64::MAX, Duration::MAX);
    for round in 0..3 {
        let (began, time) = (statements(house), Instant::now());
        publish_deb(ada, "hello", &format!("{at}.{round}"), "amd64").await;
        fewest = (fewest.0.min(statements(house) - began), fewest.1.min(time.elapsed()));
    }
    fewest
}

#[tokio::test]
async fn one_more_package_costs_the_same_at_any_size() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    publish_deb(&ada, "hello", "1", "amd64").await;
    let mut from = 1;
    for size in [1, 1_000, 10_000] {
        if size > 1 {
            fill(&house, from, size).await;
            from = size;
        }
        let (statements, time) = cost(&house, &ada, size).await;
        assert!(statements <= STATEMENTS, "{statements} statements at {size}");
        assert!(time <= MOST, "{time:?} at {size}");
    }
    let path = "/ada/repo/dists/stable/main/binary-amd64/Packages";
    let plain = house.anyone().download(path).await.expect(200).text();
    assert_eq!(plain.matches("\nArchitecture: amd64\n").count(), 10_000 - 1 + 1 + 9);
}
