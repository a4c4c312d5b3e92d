//! Pushes, moved tags and deletions of images while `packhouse admin gc` removes what nothing uses.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use suite::{Answer, Call, Person, Stack, rounds};
use tokio::task::JoinSet;

use crate::program::{run, start};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// One in this many pushes gets a tag that stays.
const KEPT_EVERY: usize = 10;

/// The image of one writer, the tags that it knows to exist, with their layers, and the number of its pushes.
struct Pushed {
    image: String,
    kept: BTreeMap<String, String>,
    pushes: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pushes_retags_and_deletions_that_cross_a_collector_lose_nothing() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = server.user("ada").await;
    ada.post("/repos/ada/img").json(json!({ "type": "docker" })).await.expect(201);
    let is_over = Arc::new(AtomicBool::new(false));
    let writers: JoinSet<_> = (0..4).map(|writer| come_and_go(ada.clone(), writer, is_over.clone())).collect();
    let (mut runs, mut removed, enough) = (0, 0, rounds(15, 300));
    while runs < enough || removed <= enough && runs < 10 * enough {
        let said = run(&stack, &["admin", "gc", "--grace-hours", "0"]).await.succeeds();
        removed += said.split(' ').nth(1).and_then(|count| count.parse::<u64>().ok()).expect("a count");
        runs += 1;
    }
    is_over.store(true, Ordering::Relaxed);
    let pushed = writers.join_all().await;
    assert!(removed > enough, "{runs} runs removed only {removed} blobs");
    let mut kept = 0;
    for Pushed { image, kept: tags, .. } in &pushed {
        for (tag, layer) in tags {
            assert_eq!(pulled(&ada, image, tag).await, *layer, "{image}:{tag}");
            kept += 1;
        }
    }
    run(&stack, &["admin", "verify"]).await.succeeds();
    let pushes: usize = pushed.iter().map(|pushed| pushed.pushes).sum();
    println!("{runs} runs removed {removed} blobs; {pushes} pushes, {kept} of {kept} tags are there");
}

/// Pushes the same few layers as the other writers, moves tags, and deletes most of what it pushed.
async fn come_and_go(ada: Person, writer: usize, is_over: Arc<AtomicBool>) -> Pushed {
    let own = format!("ada/img/w{writer}");
    let mut pushed = Pushed { image: own.clone(), kept: BTreeMap::new(), pushes: 0 };
    while !is_over.load(Ordering::Relaxed) {
        pushed.pushes += 1;
        let number = pushed.pushes;
        let is_kept = number.is_multiple_of(KEPT_EVERY);
        let layer = match number % 4 {
            _ if is_kept => format!("kept {}", number % 40),
            1 => format!("going {writer} {number}"),
            _ => format!("passing {}", number % 3),
        };
        let tag = if is_kept { format!("kept{number}") } else { format!("t{}", number % 2) };
        let digest = push(&ada, &own, &tag, &layer).await;
        assert_eq!(pulled(&ada, &own, &tag).await, layer, "{own}:{tag} was acknowledged");
        match number % 4 {
            _ if is_kept => drop(pushed.kept.insert(tag, layer)),
            0 => delete(&ada, &own, &tag).await,
            1 => delete(&ada, &own, &digest).await,
            2 => {
                // All writers move this tag.
                push(&ada, "ada/img/shared", "latest", &layer).await;
                pulled(&ada, "ada/img/shared", "latest").await;
            }
            _ => {}
        }
    }
    pushed
}

/// Pushes an image with one layer; returns the digest of its manifest.
async fn push(ada: &Person, image: &str, tag: &str, layer: &str) -> String {
    let descriptor = |bytes: &str| json!({ "mediaType": "x/y", "digest": digest(bytes), "size": bytes.len() });
    let text = json!({ "schemaVersion": 2, "config": descriptor("{}"), "layers": [descriptor(layer)] }).to_string();
    for bytes in [layer, "{}"] {
        let at = format!("//v2/{image}/blobs/uploads/?digest={}", digest(bytes));
        until_taken(|| ada.post(&at).body(bytes.to_owned())).await.expect(201);
    }
    let at = format!("//v2/{image}/manifests/{tag}");
    until_taken(|| ada.put(&at).header("content-type", MANIFEST).body(text.clone())).await.expect(201);
    digest(&text)
}

/// Deletes a tag, or a manifest with its tags; others may have deleted the tag with its manifest before.
async fn delete(ada: &Person, image: &str, reference: &str) {
    until_taken(|| ada.delete(&format!("//v2/{image}/manifests/{reference}"))).await.expect(202);
}

/// Pulls an image, and returns its layer.
async fn pulled(ada: &Person, image: &str, tag: &str) -> String {
    let manifest: Value = ada.get(&format!("//v2/{image}/manifests/{tag}")).await.expect(200).json();
    let layer = manifest["layers"][0]["digest"].as_str().expect("a layer");
    ada.get(&format!("//v2/{image}/blobs/{layer}")).await.expect(200).text()
}

/// Repeats a call while the same content is being removed.
async fn until_taken(call: impl Fn() -> Call) -> Answer {
    for _ in 0..100 {
        let answer = call().await;
        if answer.status != 503 {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the call is not taken");
}

fn digest(bytes: &str) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
