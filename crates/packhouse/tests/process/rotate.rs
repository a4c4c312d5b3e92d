//! `packhouse admin master-key rotate`: everything keeps working, no matter where the command is killed.

use std::fs;

use serde_json::json;
use suite::{Person, Process, Stack};

use crate::{
    fault_points::ROTATE,
    program::{run, run_with, start},
    tools::{cat, change, sessions_end, upload},
};

const COMMAND: [&str; 3] = ["admin", "master-key", "rotate"];

/// Secrets that depend on the master key: an API key, the password of an access key, a signing key.
struct Secrets {
    api_key: String,
    password: String,
    public_key: String,
}

impl Secrets {
    async fn make(server: &Process) -> Self {
        let ada = cat(server).await;
        upload(&ada, "1.0/cat.bin", "meow").await;
        let made = ada.post("/users/ada/access_keys").json(json!({"id": "ci"})).await.expect(201).json();
        ada.post("/users/ada/keys/gpg/generate").json(json!({})).await;
        ada.patch("/repos/ada/tools")
            .json(json!({"gpg_sign_files": true, "gpg_use_owner_key": true}))
            .await
            .expect(200);
        let password = made["password"].as_str().expect("a password").to_owned();
        let public_key = ada.get("/users/ada/keys/gpg/public.key").await.expect(200).text();
        Self { api_key: ada.key().to_owned(), password, public_key }
    }

    /// Asserts that all of them work, and that the signing key can be unsealed.
    async fn work(&self, server: &Process, version: &str) {
        let ada = server.person("ada", &self.api_key);
        ada.get("/users/ada").await.expect(200);
        server.person("ci@ada", &self.password).download("/ada/tools/cat.bin").await.expect(200);
        assert_eq!(ada.get("/users/ada/keys/gpg/public.key").await.expect(200).text(), self.public_key);
        upload(&ada, &format!("{version}/{version}.bin"), version).await;
        let signature = format!("/ada/tools/{version}.bin.asc");
        assert!(ada.download(&signature).await.expect(200).text().contains("BEGIN PGP SIGNATURE"));
        server.person("ada", "wrong").get("/users/ada").await.expect(401);
    }
}

/// Kills a server and deletes its row, which PostgreSQL would keep for some minutes.
async fn stop(mut server: Process, stack: &Stack) {
    server.kill();
    sessions_end(stack).await;
    change(stack, "DELETE FROM nodes").await;
}

#[tokio::test]
async fn every_secret_works_under_the_new_key_and_the_old_key_opens_nothing() {
    let stack = Stack::create().await;
    let file = stack.data.path().join("master.key");
    let server = start(&stack).await;
    let secrets = Secrets::make(&server).await;
    stop(server, &stack).await;
    let old = fs::read_to_string(&file).expect("the server has made it");
    for round in ["2.0", "3.0"] {
        let said = run(&stack, &COMMAND).await.succeeds();
        assert!(said.contains("the master key is replaced"), "{said}");
        let server = start(&stack).await;
        secrets.work(&server, round).await;
        stop(server, &stack).await;
    }
    assert_ne!(fs::read_to_string(&file).expect("readable"), old);
    fs::write(&file, old).expect("written");
    let refused = crate::program::serve_with(&stack, &[]).await.fails();
    assert!(refused.contains("the master key is not the one"), "{refused}");
}

#[tokio::test]
async fn a_rotation_that_dies_anywhere_leaves_the_old_key_or_the_new() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let secrets = Secrets::make(&server).await;
    for (number, place) in ROTATE.iter().enumerate() {
        stop(server, &stack).await;
        let died = run_with(&stack, &COMMAND, &[("PACKHOUSE_TEST_FAULT", place)]).await;
        assert_eq!(died.code, None, "{place}: {died:?}");
        server = start(&stack).await;
        secrets.work(&server, &format!("2.{number}")).await;
        stop(server, &stack).await;
        run(&stack, &COMMAND).await.succeeds();
        server = start(&stack).await;
        secrets.work(&server, &format!("3.{number}")).await;
    }
}

#[tokio::test]
async fn it_is_refused_while_a_server_runs() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada: Person = server.user("ada").await;
    // A server sends a heartbeat when it starts.
    let refused = loop {
        let ended = run(&stack, &["admin", "nodes"]).await.succeeds();
        if ended.contains("running") {
            break run(&stack, &COMMAND).await.fails();
        }
    };
    assert!(refused.contains("running"), "{refused}");
    ada.get("/users/ada").await.expect(200);
}

#[tokio::test]
async fn a_backup_from_before_opens_with_the_key_from_before() {
    let stack = Stack::create().await;
    let file = stack.data.path().join("master.key");
    let server = start(&stack).await;
    let secrets = Secrets::make(&server).await;
    let backup = tempfile::tempdir().expect("a folder");
    let place = backup.path().to_str().expect("text");
    run(&stack, &["admin", "backup", place]).await.succeeds();
    stop(server, &stack).await;
    let old = fs::read_to_string(&file).expect("readable");
    let said = run(&stack, &COMMAND).await.succeeds();
    let kept = said.rsplit(": ").next().expect("it says where");
    assert_eq!(fs::read_to_string(kept).expect("it is kept"), old);

    let other = Stack::create().await;
    fs::copy(kept, other.data.path().join("master.key")).expect("copied");
    run(&other, &["admin", "restore", place]).await.succeeds();
    secrets.work(&start(&other).await, "2.0").await;
}
