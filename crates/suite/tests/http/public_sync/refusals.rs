//! Syncs that are refused before anything is sent, and information that is not disclosed.

use std::time::Duration;

use database::{
    ScopedFutureExt,
    catalogue::{packages, repos, versions},
    public_sync::public_syncs::{self, SyncLease},
};
use model::{
    names::{PackageName, RepoName, SubjectName, VersionName},
    timestamp::Timestamp,
};
use serde_json::{Value, json};
use suite::{
    TestHouse,
    public_sync::{Fault, Gpg, PASSWORD, USERNAME, release},
};

use super::{CALL, PROTOCOLS, Scene, body, messages};
use crate::{
    access::grants::key_to,
    catalogue::{new_package, new_repo, new_version},
    content::{SECOND, upload_published},
};

#[tokio::test]
async fn everything_that_is_missing_is_told_at_once() {
    let gpg = Gpg::create();
    let house = TestHouse::start_with(&[("staging.url", "http://127.0.0.1:1")]).await;
    let ada = house.user("ada").await;
    let mut files = release(&gpg);
    files.retain(|(path, _)| !path.contains("sources") && !path.ends_with("javadoc.jar.asc"));
    let pom = files.iter_mut().find(|(path, _)| path.ends_with(".pom")).expect("a POM");
    pom.1 = b"<project><groupId>org.x</groupId><artifactId>lib</artifactId><version>1.0</version></project>".to_vec();
    ada.publish_release(&files).await;
    let answer = ada.post(CALL).json(body("1")).await.expect(400);
    assert_eq!(answer.json()["status"], "Validation Failed");
    let lacks = |what: &str| format!("'org/x/lib/1.0/lib-1.0.pom': the POM has no {what}");
    let mut expected = vec!["The signature 'org/x/lib/1.0/lib-1.0-javadoc.jar.asc' is missing".to_owned()];
    expected.extend(["name", "description", "url", "licenses", "developers", "scm"].map(lacks));
    expected.push("The sources jar 'org/x/lib/1.0/lib-1.0-sources.jar' is missing".to_owned());
    assert_eq!(messages(&answer), expected);
}

#[tokio::test]
async fn a_version_without_published_files_and_a_repository_of_another_kind_are_told() {
    let house = TestHouse::start_with(&[("staging.url", "http://127.0.0.1:1")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/central").await;
    new_package(&ada, "ada/central", "lib").await;
    new_version(&ada, "ada/central/lib", "1.0").await;
    let said = async || messages(&ada.post(CALL).json(body("1")).await.expect(400));
    assert_eq!(said().await, ["The version has no published files"]);
    upload_published(&ada, "ada/central/lib/1.0/lib.txt", "x").await;
    assert_eq!(said().await, ["The repository is not of the type 'maven'"]);
}

#[tokio::test]
async fn a_body_that_cannot_be_is_refused_and_says_nothing_of_itself() {
    let scene = Scene::start("nexus", None, &[]).await;
    let with = |field: &str, value: Value| {
        let mut body = body("1");
        body[field] = value;
        body
    };
    for (body, message) in [
        (json!({}), "username: it is missing"),
        (json!({"username": USERNAME}), "password: it is missing"),
        (with("password", json!("")), "password: it is missing"),
        (with("password", json!(null)), "password: it is missing"),
        (with("password", json!(4711)), "password: it must be a text"),
        (with("username", json!({"CANARY": 1})), "username: it must be a text"),
        (with("password", json!("CANARY\n")), "password: it is longer than 1000 bytes or holds a control character"),
        (with("close", json!(1)), "close: it must be the text \"1\" or \"0\""),
        (with("close", json!(true)), "close: it must be the text \"1\" or \"0\""),
        (with("close", json!("yes")), "close: it must be the text \"1\" or \"0\""),
        (with("close", json!("")), "close: it must be the text \"1\" or \"0\""),
    ] {
        scene.ada.post(CALL).json(body).await.refuses(400, message);
    }
    scene.ada.post(CALL).await.refuses(400, "username: it is missing");
    assert_eq!(scene.remote.log(), [""; 0]);
}

#[tokio::test]
async fn without_a_registry_the_call_is_not_available() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/central").await;
    new_package(&ada, "ada/central", "lib").await;
    new_version(&ada, "ada/central/lib", "1.0").await;
    let message = "No staging registry is set up on this server; ask the operator to set staging.url";
    ada.post(CALL).json(body("1")).await.refuses(503, message);
}

#[tokio::test]
async fn whoever_may_publish_a_version_may_sync_it() {
    let scene = Scene::start("portal", None, &[]).await;
    let (house, ada) = (&scene.house, &scene.ada);
    house.anyone().post(CALL).json(body("1")).await.expect(401);
    house.user("eve").await.post(CALL).json(body("1")).await.refuses(403, "You may not do this");
    let reads = key_to(house, ada, "reads", "/repos/ada/central", "r").await;
    reads.post(CALL).json(body("1")).await.refuses(403, "You may not do this");
    ada.post(&CALL.replace("1.0", "2.0")).json(body("1")).await.refuses(404, "Version '2.0' was not found");
    assert_eq!(scene.remote.log(), [""; 0]);
    let writes = key_to(house, ada, "writes", "/packages/ada/central/lib/versions/1.0", "rw").await;
    writes.post(CALL).json(body("1")).await.expect(200);
}

#[tokio::test]
async fn every_sync_that_leaves_the_house_is_in_the_audit_log() {
    for (protocol, fault, status) in [("nexus", None, 200), ("portal", Some(Fault::Bundle), 502)] {
        let scene = Scene::start(protocol, fault, &[]).await;
        scene.sync("1").await.expect(status);
        let entry = scene.house.admin().get("/audit").await.expect(200).json()[0].clone();
        assert_eq!((&entry["actor"], &entry["action"]), (&json!("ada"), &json!("staging.sync")));
        assert_eq!(
            (&entry["target"], &entry["detail"]),
            (&json!("ada/central/lib/1.0"), &json!(format!("{protocol}: release")))
        );
        let before = scene.house.admin().get("/audit").await.header("x-rangelimit-total").to_owned();
        scene.ada.post(CALL).json(json!({})).await.expect(400);
        assert_eq!(scene.house.admin().get("/audit").await.header("x-rangelimit-total"), before);
    }
}

#[tokio::test]
async fn what_a_registry_says_back_is_told_without_the_credentials() {
    for protocol in PROTOCOLS {
        let scene = Scene::start(protocol, Some(Fault::Echo), &[]).await;
        let answer = scene.sync("1").await.expect(502);
        let said = messages(&answer);
        assert!(said.len() == 1 && said[0].ends_with("*** *** ***"), "{said:?}");
        let log = scene.house.admin().get("/audit").await.expect(200).text();
        for secret in [USERNAME, PASSWORD, "Q0FOQVJZ"] {
            assert!(!answer.text().contains(secret) && !log.contains(secret), "{protocol}: {secret}");
        }
    }
}

#[tokio::test]
async fn a_version_is_synced_once_at_a_time() {
    let scene = Scene::start("nexus", Some(Fault::Silence), &[("staging.timeout_secs", "3")]).await;
    let first = tokio::spawn(scene.ada.post(CALL).json(body("1")).try_send());
    while scene.remote.log().is_empty() {
        tokio::task::yield_now().await;
    }
    scene.sync("1").await.refuses(409, "This version is being synced already");
    first.await.expect("it ends").expect("an answer").expect(502);
    scene.remote.clear_fault();
    scene.sync("1").await.expect(200);
}

#[tokio::test]
async fn other_servers_know_what_is_being_synced() {
    let scene = Scene::start("nexus", Some(Fault::Silence), &[("staging.timeout_secs", "3")]).await;
    let second = scene.house.start_another().await;
    let there = second.as_ref().unwrap_or(&scene.house).person(scene.ada.name(), scene.ada.key());
    let first = tokio::spawn(scene.ada.post(CALL).json(body("1")).try_send());
    while scene.remote.log().is_empty() {
        tokio::task::yield_now().await;
    }
    there.post(CALL).json(body("1")).await.refuses(409, "This version is being synced already");
    first.await.expect("it ends").expect("an answer").expect(502);
}

#[tokio::test]
async fn whoever_has_lost_the_turn_releases_nothing() {
    let scene = Scene::start("nexus", Some(Fault::Hang), &[]).await;
    let call = tokio::spawn(scene.ada.post(CALL).json(body("1")).try_send());
    while !scene.remote.log().iter().any(|line| line.ends_with("/finish")) {
        tokio::task::yield_now().await;
    }
    take_over(&scene).await;
    scene.remote.clear_fault();
    let answer = call.await.expect("it ends").expect("an answer").expect(502);
    assert_eq!(messages(&answer), ["Another node has taken over this sync"]);
    assert_eq!((scene.remote.unreleased(), scene.remote.released().len()), (vec![], 0));
    scene.sync("1").await.refuses(409, "This version is being synced already");
    scene.house.clock.advance(61 * SECOND);
    scene.sync("1").await.expect(200);
}

/// Takes the lease on the version for another server, as if its owner had hung for a minute.
async fn take_over(scene: &Scene) {
    let db = &scene.house.app().house().db;
    let (owner, repo) = (SubjectName::parse("ada").expect("a name"), RepoName::parse("central").expect("a name"));
    let repo = repos::find(db, &owner, &repo, None).await.expect("read").expect("there").repo;
    let lib = PackageName::parse("lib").expect("a name");
    let package = packages::find(db, repo.id, &lib).await.expect("read").expect("there");
    let name = VersionName::parse("1.0").expect("a name");
    let version = versions::find(db, package.id, &name).await.expect("read").expect("there");
    let later = |milliseconds| Timestamp::from_millis(scene.house.clock.now().millis() + milliseconds);
    let (claim, now) = (SyncLease { token: 1, until: later(60 * SECOND) }, later(60 * SECOND));
    let claimed: database::Result<bool> =
        db.write(|tx| async move { public_syncs::lease(tx, version.id, claim, now).await }.scope_boxed()).await;
    assert!(claimed.expect("written"));
}

#[tokio::test]
async fn a_caller_who_goes_away_does_not_stop_a_sync() {
    let scene = Scene::start("nexus", None, &[]).await;
    let call = tokio::spawn(scene.ada.post(CALL).json(body("1")).try_send());
    while scene.remote.log().is_empty() {
        tokio::task::yield_now().await;
    }
    call.abort();
    let released = async {
        while scene.remote.released().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), released).await.expect("it goes on");
}
