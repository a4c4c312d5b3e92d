//! Servers that die while they delete the rows of a repository; the next one goes on.

use std::time::Duration;

use serde_json::json;
use suite::Stack;

use crate::{
    fault_points::DELETION,
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

#[tokio::test]
async fn a_deletion_goes_on_after_each_death() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let ada = cat(&server).await;
    let names: Vec<String> = (0..FILES).map(|number| format!("{number}.bin")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "meow")).collect();
    let many = ada.put("/content/ada/tools/cat/1.0/x.tar?explode=1&publish=1").body(tar(&entries));
    many.await.expect(201);
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
