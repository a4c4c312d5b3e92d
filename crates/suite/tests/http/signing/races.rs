//! Files that change between the plan of a call that signs and its transaction.
//!
//! These tests stop calls just before they sign. A call that waits there has read what it signs, and has not begun its
//! transaction.

use std::{pin::pin, time::Duration};

use futures_util::{
    FutureExt,
    future::{join_all, select},
};
use operations::signing;
use serde_json::json;
use server::App;
use suite::{Answer, Call, TestHouse};
use tokio::task::JoinHandle;

use crate::{
    content::maven::{index, lib, pom, put, values},
    content::{published, read, stored, upload},
    signing::{is_signed, ring_of_server, signing_cat},
};

const CHANGED: &str = "The files were changed while they were being signed; try again";

/// Sends a call that will wait to sign.
fn send(call: Call) -> JoinHandle<Answer> {
    tokio::spawn(call.into_future())
}

/// Waits until this many calls wait to sign.
async fn wait_for_signers(house: &TestHouse, count: usize) {
    let waiting = async {
        while house.apps().map(|app| signing::calls(app.house())).sum::<usize>() != count {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.expect("calls wait to sign");
}

/// Stops all calls that are about to sign, on every node.
async fn pause(house: &TestHouse) -> Vec<signing::Pause<'_>> {
    join_all(house.apps().map(App::house).map(signing::pause)).await
}

/// Lets the waiting calls sign, and stops them before they sign again.
async fn sign_once<'h>(house: &'h TestHouse, paused: Vec<signing::Pause<'h>>) -> Vec<signing::Pause<'h>> {
    let mut next = pin!(pause(house));
    assert!((&mut next).now_or_never().is_none(), "the calls wait in line before this");
    drop(paused);
    next.await
}

#[tokio::test]
async fn while_a_publish_waits_to_sign_others_write_to_its_version() {
    let (house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.tar", "a").await;
    let paused = pause(&house).await;
    let publish = send(ada.post("/content/ada/tools/cat/1.0/publish"));
    wait_for_signers(&house, 1).await;
    // With an open transaction, these would wait: for the writer on SQLite, for the package on PostgreSQL.
    let change = ada.patch("/packages/ada/tools/cat").json(json!({"desc": "A cat"}));
    tokio::time::timeout(Duration::from_secs(20), change.into_future()).await.expect("no wait").expect(200);
    let change = ada.patch("/packages/ada/tools/cat/versions/1.0").json(json!({"desc": "One"}));
    tokio::time::timeout(Duration::from_secs(20), change.into_future()).await.expect("no wait").expect(200);
    wait_for_signers(&house, 1).await;
    drop(paused);
    assert_eq!(publish.await.expect("it ends").expect(200).json()["files"], 1);
    assert!(is_signed(&ring_of_server(&house).await, &house.anyone(), "/ada/tools/a.tar").await);
}

#[tokio::test]
async fn a_publish_signs_what_is_staged_while_it_signs() {
    let (house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.tar", "a").await;
    upload(&ada, "ada/tools/cat/1.0/b.tar", "b").await;
    let paused = pause(&house).await;
    let publish = send(ada.post("/content/ada/tools/cat/1.0/publish"));
    wait_for_signers(&house, 1).await;
    upload(&ada, "ada/tools/cat/1.0/c.tar", "c").await;
    ada.put("/content/ada/tools/cat/1.0/b.tar?override=1").body("new b").await.expect(201);
    ada.delete("/content/ada/tools/a.tar").await.expect(200);
    drop(paused);
    assert_eq!(publish.await.expect("it ends").expect(200).json()["files"], 2);
    assert_eq!(published(&ada, "ada/tools/cat").await, ["b.tar", "b.tar.asc", "c.tar", "c.tar.asc"]);
    assert_eq!(read(&house.anyone(), "/ada/tools/b.tar").await, "new b");
    let gpg = ring_of_server(&house).await;
    for path in ["/ada/tools/b.tar", "/ada/tools/c.tar"] {
        assert!(is_signed(&gpg, &house.anyone(), path).await, "{path}");
    }
    let version = ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(200).json();
    assert_eq!(version["published"], true);
}

#[tokio::test]
async fn of_two_publishes_that_sign_one_index_the_later_signs_again() {
    let (house, ada) = lib().await;
    let flags = json!({"gpg_sign_metadata": true, "gpg_sign_files": true});
    ada.patch("/repos/ada/m2").json(flags).await.expect(200);
    let paused = pause(&house).await;
    let deploy = |version: &str| {
        let path = format!(";publish=1/org/x/lib/{version}/lib-{version}.pom");
        send(put(&ada, &path, &pom("lib", version, "")))
    };
    let (one, two) = (deploy("1"), deploy("2"));
    wait_for_signers(&house, 2).await;
    // The index that each of them signs now lists only its own version.
    let paused = sign_once(&house, paused).await;
    let (first, later) = select(one, two).await.factor_first();
    first.expect("it ends").refuses(201, "success");
    wait_for_signers(&house, 1).await;
    assert_eq!(values(&index(&house.anyone(), "org/x/lib").await, "version").len(), 1);
    drop(paused);
    later.await.expect("it ends").refuses(201, "success");
    assert_eq!(values(&index(&house.anyone(), "org/x/lib").await, "version"), ["1", "2"]);
    let gpg = ring_of_server(&house).await;
    for path in ["maven-metadata.xml", "1/lib-1.pom", "2/lib-2.pom"] {
        assert!(is_signed(&gpg, &house.anyone(), &format!("/ada/m2/org/x/lib/{path}")).await, "{path}");
    }
}

#[tokio::test]
async fn a_change_that_needs_no_new_signature_costs_no_round() {
    let (house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.tar", "a").await;
    upload(&ada, "ada/tools/cat/1.0/b.tar", "b").await;
    let paused = pause(&house).await;
    let publish = send(ada.post("/content/ada/tools/cat/1.0/publish"));
    wait_for_signers(&house, 1).await;
    ada.delete("/content/ada/tools/b.tar").await.expect(200);
    // If it signed a second time, it would wait forever.
    let _paused = sign_once(&house, paused).await;
    assert_eq!(publish.await.expect("it ends").expect(200).json()["files"], 1);
    assert_eq!(published(&ada, "ada/tools/cat").await, ["a.tar", "a.tar.asc"]);
}

#[tokio::test]
async fn a_call_whose_files_change_in_five_rounds_is_refused_and_changes_nothing() {
    let (house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.tar", "a").await;
    let mut paused = pause(&house).await;
    let publish = send(ada.post("/content/ada/tools/cat/1.0/publish"));
    for round in 1..=5 {
        wait_for_signers(&house, 1).await;
        let content = format!("a {round}");
        ada.put("/content/ada/tools/cat/1.0/a.tar?override=1").body(content).await.expect(201);
        paused = sign_once(&house, paused).await;
    }
    publish.await.expect("it ends").refuses(409, CHANGED);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a.tar"]);
    assert_eq!(published(&ada, "ada/tools/cat").await, [""; 0]);
    drop(paused);
    assert_eq!(crate::content::publish(&ada, "ada/tools/cat/1.0").await, 1);
    assert!(is_signed(&ring_of_server(&house).await, &house.anyone(), "/ada/tools/a.tar").await);
}
