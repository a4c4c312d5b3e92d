//! Builders of indexes that die; the next one finds every change.

use std::{io::Write, time::Duration};

use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use suite::{Person, Stack};

use crate::{
    fault_points::INDEXES,
    program::{run, start, start_with},
    tools::{change, sessions_end, tar},
};

fn chart(version: &str) -> Vec<u8> {
    let yaml = format!("apiVersion: v2\nname: web\nversion: {version}\n");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&tar(&[("web/Chart.yaml", &yaml)])).expect("memory takes everything");
    packed.finish().expect("memory takes everything")
}

/// The versions in the index, the highest first.
async fn versions(who: &Person) -> Vec<String> {
    let index = who.download("/ada/charts/index.yaml").await;
    if index.status == 404 {
        return Vec::new();
    }
    let index = index.expect(200).json();
    let entries = index["entries"]["web"].as_array().cloned().unwrap_or_default();
    entries.iter().map(|entry| entry["version"].as_str().expect("a version").to_owned()).collect()
}

async fn wait_for(who: &Person, expected: &[String]) {
    let listed = async {
        while versions(who).await != expected {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let done = tokio::time::timeout(Duration::from_secs(20), listed).await;
    assert!(done.is_ok(), "{:?} and not {expected:?}", versions(who).await);
}

#[tokio::test]
async fn a_builder_that_dies_anywhere_is_followed_by_one_that_lists_every_file() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let ada = server.user("ada").await;
    let key = ada.key().to_owned();
    ada.post("/repos/ada/charts").json(json!({"type": "helm"})).await.expect(201);
    ada.post("/packages/ada/charts").json(json!({"name": "web"})).await.expect(201);
    // The first generation, so that the job has nothing to build.
    ada.post("/calc_metadata/ada/charts").await.expect(202);
    let mut published: Vec<String> = Vec::new();
    for (number, place) in INDEXES.iter().enumerate() {
        server.kill();
        sessions_end(&stack).await;
        let mut dying = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", place)]).await;
        let version = format!("1.{number}.0");
        let path = format!("/content/ada/charts/web/{version}/web-{version}.tgz?publish=1");
        let answer = dying.person("ada", &key).put(&path).body(chart(&version)).try_send().await;
        assert!(answer.is_err(), "{place}: {answer:?}");
        assert!(!dying.wait(), "{place}: it ended well");
        sessions_end(&stack).await;
        // As if half a minute had passed: the lease of the dead builder has ended.
        change(&stack, "UPDATE index_heads SET leased_until = 0").await;
        server = start(&stack).await;
        published.insert(0, version.clone());
        // The file was published before its indexes were built.
        server.anyone().download(&format!("/ada/charts/web-{version}.tgz")).await.expect(200);
        wait_for(&server.anyone(), &published).await;
    }
    let ada = server.person("ada", &key);
    let path = "/content/ada/charts/web/2.0.0/web-2.0.0.tgz?publish=1";
    ada.put(path).body(chart("2.0.0")).await.expect(201);
    published.insert(0, "2.0.0".to_owned());
    assert_eq!(versions(&server.anyone()).await, published);
    run(&stack, &["admin", "verify"]).await.succeeds();
}

#[tokio::test]
async fn packages_from_before_their_contents_were_recorded_are_recorded_by_a_rebuild() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = server.user("ada").await;
    ada.post("/repos/ada/charts").json(json!({"type": "helm"})).await.expect(201);
    ada.post("/packages/ada/charts").json(json!({"name": "web"})).await.expect(201);
    let put = |version: &str, path: &str, body: Vec<u8>| {
        ada.put(&format!("/content/ada/charts/web/{version}/{path}/web-1.0.0.tgz?publish=1")).body(body)
    };
    put("1.0.0", "a", chart("1.0.0")).await.expect(201);
    let mut other = chart("1.0.0");
    // The time in the head of a gzip file.
    other[4] ^= 1;
    put("2.0.0", "b", other.clone()).await.expect(409);
    assert_eq!(change(&stack, "DELETE FROM package_identities").await, 1);
    ada.post("/calc_metadata/ada/charts").await.expect(202);
    put("2.0.0", "b", other).await.expect(409);
}
