//! Every call of the API, and the other URLs for programs.

use std::collections::BTreeSet;

use suite::public_sync::{Gpg, StandIn, release};

use super::{
    assert_recorded,
    pattern::endpoint,
    scene::{Scene, furniture},
    script::record,
    step::steps,
};

/// The scripts, each with its file and its snapshot.
const SCRIPTS: [(&str, &str); 14] = [
    ("catalogue", include_str!("scripts/catalogue.txt")),
    ("attributes", include_str!("scripts/attributes.txt")),
    ("content", include_str!("scripts/content.txt")),
    ("webhooks", include_str!("scripts/webhooks.txt")),
    ("sync", include_str!("scripts/sync.txt")),
    ("signing", include_str!("scripts/signing.txt")),
    ("accounts", include_str!("scripts/accounts.txt")),
    ("keys", include_str!("scripts/keys.txt")),
    ("tokens", include_str!("scripts/tokens.txt")),
    ("entitlements", include_str!("scripts/entitlements.txt")),
    ("products", include_str!("scripts/products.txt")),
    ("numbers", include_str!("scripts/numbers.txt")),
    ("administration", include_str!("scripts/administration.txt")),
    ("surfaces", include_str!("scripts/surfaces.txt")),
];

/// Runs scripts one after the other in a new house, and compares the results.
async fn assert_answers(names: &[&str]) {
    assert_answers_in(&mut Scene::start().await, names).await;
}

async fn assert_answers_in(scene: &mut Scene, names: &[&str]) {
    for name in names {
        let (_, script) = SCRIPTS.into_iter().find(|(known, _)| known == name).expect("a script");
        assert_recorded(name, &record(scene, script).await);
    }
}

#[test]
fn every_endpoint_is_in_a_script() {
    let name = |endpoint: &server::Endpoint| format!("{} {}", endpoint.method, endpoint.path);
    let all = SCRIPTS.into_iter().flat_map(|(_, script)| steps(script));
    let asked: BTreeSet<String> = all.filter_map(|step| endpoint(&step.method, step.path)).map(name).collect();
    for endpoint in server::endpoints().iter().map(name) {
        assert!(asked.contains(&endpoint), "`{endpoint}` is in no script of the baseline: add a line");
    }
}

#[test]
fn every_line_of_a_script_is_about_an_endpoint() {
    let all = SCRIPTS.into_iter().filter(|(name, _)| *name != "surfaces").flat_map(|(_, script)| steps(script));
    for step in all.chain(furniture()).filter(|step| !step.path.starts_with("//")) {
        let path = step.path.replace("/download_keys", "/access_keys");
        assert!(endpoint(&step.method, &path).is_some(), "no endpoint takes `{}`", step.request);
    }
}

#[test]
fn every_script_is_run() {
    let tests = include_str!("calls.rs");
    for (name, _) in SCRIPTS {
        assert!(tests.matches(&format!("\"{name}\"")).count() > 1, "no test runs `{name}`");
    }
}

#[tokio::test]
async fn the_catalogue_answers_as_before() {
    assert_answers(&["catalogue", "attributes"]).await;
}

#[tokio::test]
async fn content_and_signing_answer_as_before() {
    assert_answers(&["content", "signing"]).await;
}

#[tokio::test]
async fn syncs_answer_as_before() {
    let gpg = Gpg::create();
    let remote = StandIn::start(&gpg, None).await;
    let own = remote.settings("nexus");
    let settings: Vec<(&str, &str)> = own.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let mut scene = Scene::start_with(&settings).await;
    scene.callers.get("owner").publish_release(&release(&gpg)).await;
    assert_answers_in(&mut scene, &["sync"]).await;
}

#[tokio::test]
async fn accounts_answer_as_before() {
    assert_answers(&["accounts", "administration"]).await;
}

#[tokio::test]
async fn keys_teams_and_entitlements_answer_as_before() {
    assert_answers(&["keys", "entitlements"]).await;
}

#[tokio::test]
async fn tokens_answer_as_before() {
    assert_answers(&["tokens"]).await;
}

#[tokio::test]
async fn downloads_and_what_leads_to_them_answer_as_before() {
    assert_answers(&["surfaces", "webhooks", "products"]).await;
}

#[tokio::test]
async fn numbers_answer_as_before() {
    assert_answers(&["numbers"]).await;
}
