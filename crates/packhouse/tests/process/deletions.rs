//! Servers that die while they delete very many rows; the next one goes on, or can be asked again.

use std::time::Duration;

use serde_json::json;
use suite::{Person, Stack};

use crate::{
    fault_points::{DELETION, DELETION_STEP},
    program::{run, start, start_with},
    tools::{cat, change, read, sessions_end, tar},
};

/// Enough files for several batches.
const FILES: usize = 700;

/// The number of rows of hidden repositories, counted by a change that changes nothing.
async fn hidden(stack: &Stack) -> u64 {
    change(stack, "UPDATE deleted_repos SET deleted = deleted").await
}

async fn files(stack: &Stack) -> u64 {
    change(stack, "UPDATE files SET created = created").await
}

/// Publishes many files in `ada/tools/cat/1.0`.
async fn publish_many(ada: &Person, files: usize) {
    let names: Vec<String> = (0..files).map(|number| format!("{number}.bin")).collect();
    for some in names.chunks(350) {
        let entries: Vec<(&str, &str)> = some.iter().map(|name| (name.as_str(), "meow")).collect();
        let many = ada.put("/content/ada/tools/cat/1.0/x.tar?explode=1&publish=1").body(tar(&entries));
        many.await.expect(201);
    }
}

#[tokio::test]
async fn a_deletion_goes_on_after_each_death() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let ada = cat(&server).await;
    publish_many(&ada, FILES).await;
    server.kill();
    sessions_end(&stack).await;

    let mut dying = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", DELETION)]).await;
    dying.person("ada", ada.key()).delete("/repos/ada/tools").await.expect(200);
    assert!(!dying.wait(), "it ended well");
    let mut left = files(&stack).await;
    assert!(left > 0 && left < FILES as u64, "{left} files are left after the first batch");
    for _ in 0..2 {
        sessions_end(&stack).await;
        let mut dying = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", DELETION)]).await;
        assert!(!dying.wait(), "it ended well");
        let after = files(&stack).await;
        assert!(after < left, "{after} files are left of {left}");
        left = after;
    }
    assert_eq!(hidden(&stack).await, 1);

    sessions_end(&stack).await;
    server = start(&stack).await;
    let ada = server.person("ada", ada.key());
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    ada.put("/content/ada/tools/cat/1.0/new.bin?publish=1").body("purr").await.expect(201);
    let done = async {
        while hidden(&stack).await > 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), done).await.expect("it is done soon");
    assert_eq!(files(&stack).await, 1);
    assert_eq!(read(&server.anyone(), "new.bin").await, "purr");
    run(&stack, &["admin", "verify"]).await.succeeds();
}

#[tokio::test]
async fn a_large_package_whose_deletion_died_is_whole_and_can_be_deleted_again() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let ada = cat(&server).await;
    publish_many(&ada, 1_050).await;
    server.kill();
    for _ in 0..2 {
        sessions_end(&stack).await;
        let mut dying = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", DELETION_STEP)]).await;
        let ada = dying.person("ada", ada.key());
        let before = files(&stack).await;
        let answer = ada.delete("/packages/ada/tools/cat").try_send().await;
        assert!(answer.is_err(), "{answer:?}");
        assert!(!dying.wait(), "it ended well");
        let after = files(&stack).await;
        assert!(after > 0 && after < before, "{after} files are left of {before}");
        run(&stack, &["admin", "verify"]).await.succeeds();
    }

    sessions_end(&stack).await;
    server = start(&stack).await;
    let ada = server.person("ada", ada.key());
    assert_eq!(read(&server.anyone(), "0.bin").await, "meow");
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    ada.get("/packages/ada/tools/cat").await.expect(404);
    assert_eq!(files(&stack).await, 0);
    run(&stack, &["admin", "verify"]).await.succeeds();
}

/// More versions, and more days with downloads, than one transaction deletes.
const MANY_ROWS: [&str; 2] = [
    "INSERT INTO versions (id, package_id, name, description, labels, github_use_tag_release_notes, published_files,
         ordinal, created, updated)
     WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 800)
     SELECT x, (SELECT MIN(id) FROM packages), 'v' || x, '', '', FALSE, 0, 100000 + x, 0, 0 FROM n",
    "INSERT INTO download_counts (version_id, day, country, count, bytes)
     WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 25000)
     SELECT 1 + x % 30, x, 'DE', 1, 1 FROM n",
];

#[tokio::test]
async fn a_package_with_very_many_versions_and_counts_is_deleted() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    publish_many(&ada, 1).await;
    for rows in MANY_ROWS {
        assert!(change(&stack, rows).await > 500);
    }
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    ada.get("/packages/ada/tools/cat").await.expect(404);
    for table in ["packages SET updated = updated", "versions SET updated = updated", "download_counts SET day = day"] {
        assert_eq!(change(&stack, &format!("UPDATE {table}")).await, 0, "{table}");
    }
}
