//! Leases of uploads: a restarted node takes those of its own earlier run at once, and never those of another node.

use std::{fs, path::Path, time::Duration};

use futures_util::{StreamExt, stream};
use serde_json::json;
use suite::{Person, Process, Stack};

use crate::{
    images::{begin, digest},
    program::{start, start_with},
    tools::change,
};

/// A body may be silent for long.
const PATIENT: (&str, &str) = ("PACKHOUSE_LIMITS__BODY_GRACE_SECS", "600");

/// Starts a server with a repository of ada's for images; returns her key, too.
async fn with_images(stack: &Stack) -> (Process, String) {
    let server = start_with(stack, &[PATIENT]).await;
    let ada = server.user("ada").await;
    ada.post("/repos/ada/img").json(json!({ "type": "docker" })).await.expect(201);
    (server, ada.key().to_owned())
}

/// Sends a piece that never ends; returns when the upload is leased.
async fn send_endless(stack: &Stack, ada: &Person, location: &str) {
    let endless = stream::iter([Ok::<_, std::io::Error>("held")]).chain(stream::pending());
    let piece = ada.patch(&format!("/{location}")).body(reqwest::Body::wrap_stream(endless));
    tokio::spawn(async move { drop(piece.try_send().await) });
    while change(stack, "UPDATE uploads SET changed = changed WHERE leased_until > 0").await == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Starts a node with a data folder of its own.
async fn start_in(stack: &Stack, folder: &Path, key_file: &Path) -> Process {
    let (folder, key_file) = (folder.display().to_string(), key_file.display().to_string());
    start_with(stack, &[("PACKHOUSE_DATA", &folder), ("PACKHOUSE_MASTER_KEY_FILE", &key_file)]).await
}

/// An upload that a request has leased.
struct LeasedUpload {
    location: String,
    key: String,
}

async fn leased_upload(stack: &Stack, server: &Process, key: &str) -> LeasedUpload {
    let ada = server.person("ada", key);
    let location = begin(&ada).await;
    send_endless(stack, &ada, &location).await;
    LeasedUpload { location, key: key.to_owned() }
}

impl LeasedUpload {
    async fn continue_on(&self, server: &Process) -> u16 {
        let ada = server.person("ada", &self.key);
        ada.patch(&format!("/{}", self.location)).body("whole").await.status
    }
}

#[tokio::test]
async fn a_restarted_server_continues_what_it_had_leased() {
    let stack = Stack::create().await;
    let (mut server, key) = with_images(&stack).await;
    let leased = leased_upload(&stack, &server, &key).await;
    assert_eq!(leased.continue_on(&server).await, 503);
    server.kill();
    // A life in between changes nothing.
    start(&stack).await.kill();
    let server = start(&stack).await;
    let ada = server.person("ada", &key);
    assert_eq!(leased.continue_on(&server).await, 202);
    ada.put(&format!("/{}?digest={}", leased.location, digest(b"whole"))).await.expect(201);
}

#[tokio::test]
async fn a_node_never_takes_the_lease_of_another_one() {
    let stack = Stack::create().await;
    if !stack.is_cluster() {
        // An embedded database is for one node.
        return;
    }
    let (mut first, key) = with_images(&stack).await;
    let (data, folder) = (stack.data.path().to_owned(), tempfile::tempdir().expect("a folder"));
    let key_file = data.join("master.key");
    let leased = leased_upload(&stack, &first, &key).await;

    // A node in a folder of its own, one in a copy of the first node's folder, and one in the same folder.
    let mut second = start_in(&stack, folder.path(), &key_file).await;
    assert_eq!(leased.continue_on(&second).await, 503);
    second.kill();
    fs::copy(data.join("runs"), folder.path().join("runs")).expect("copied");
    let copied = start_in(&stack, folder.path(), &key_file).await;
    assert_eq!(leased.continue_on(&copied).await, 503);
    let same = start(&stack).await;
    assert_eq!(leased.continue_on(&same).await, 503);

    first.kill();
    assert_eq!(leased.continue_on(&copied).await, 503, "it cannot know that the first one is over");
    drop(same);
    let restarted = start(&stack).await;
    assert_eq!(leased.continue_on(&restarted).await, 202);
}
