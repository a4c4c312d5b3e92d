//! Three servers that build the indexes of one repository, while some of them are killed and others hang beyond their
//! leases: no change is lost, and every update of a client succeeds.

mod client;
mod fleet;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use suite::{Stack, archives::deb, rounds};
use tokio::task::JoinSet;

use self::{
    client::update_until,
    fleet::{Fleet, NODES, Nodes},
};
use crate::{content_kill::dice::Dice, program::run};

/// Publishes packages at one node until the end; returns the names of those that were acknowledged.
async fn publish_until(nodes: Nodes, number: usize, is_over: Arc<AtomicBool>) -> BTreeSet<String> {
    let mut acknowledged = BTreeSet::new();
    while !is_over.load(Ordering::Relaxed) {
        let name = format!("p{number}x{}", acknowledged.len());
        let path = format!("//dl/ada/repo/upload/stable/main/{name}_1_amd64.deb");
        // The node may be down, hang, or end in the middle: its successor gets the same package again.
        let Some(ada) = nodes.author(number) else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let sent =
            tokio::time::timeout(Duration::from_secs(15), ada.put(&path).body(deb(&name, "1", "amd64")).try_send())
                .await;
        match sent {
            Ok(Ok(answer)) if answer.status == 201 => {
                acknowledged.insert(name);
            }
            Ok(Ok(answer)) => assert_eq!(answer.status, 503, "{}", answer.text()),
            Ok(Err(_)) | Err(_) => {}
        }
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn builders_that_die_or_hang_on_three_servers_lose_no_change_and_fail_no_client() {
    let stack = Stack::create().await;
    // SQLite belongs to one process.
    if !stack.is_cluster() {
        return;
    }
    let mut fleet = Fleet::start(&stack).await;
    let nodes = fleet.nodes.clone();
    let ada = nodes.author(0).expect("it runs");
    let repo = json!({"type": "debian", "gpg_sign_metadata": true});
    ada.post("/repos/ada/repo").json(repo).await.expect(201);
    ada.put("//dl/ada/repo/upload/stable/main/first_1_amd64.deb").body(deb("first", "1", "amd64")).await.expect(201);
    let (is_over, updates) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let mut publishers = JoinSet::new();
    for number in 0..NODES {
        publishers.spawn(publish_until(nodes.clone(), number, is_over.clone()));
    }
    let client = tokio::spawn(update_until(nodes.clone(), is_over.clone(), updates.clone()));
    let mut dice = Dice::of_this_run(24);
    for _ in 0..rounds(8, 300) {
        tokio::time::sleep(Duration::from_millis(200 + dice.below(400))).await;
        let number = usize::try_from(dice.below(NODES as u64)).expect("small");
        if dice.below(2) == 0 {
            fleet.kill(number).await
        } else {
            fleet.hang(number, 500 + dice.below(1_000)).await
        }
        assert!(!client.is_finished(), "an update has failed: {:?}", client.await);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    is_over.store(true, Ordering::Relaxed);
    client.await.expect("every update succeeds");
    let published: BTreeSet<String> = publishers.join_all().await.into_iter().flatten().collect();
    println!("{} packages, {} updates", published.len(), updates.load(Ordering::Relaxed));
    assert!(published.len() > 10 && updates.load(Ordering::Relaxed) > 10, "nothing happened");
    fleet.list_all(&published).await;
    run(&stack, &["admin", "verify"]).await.succeeds();
}
