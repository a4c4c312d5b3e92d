//! SIGKILL during uploads, publishes, deletions and garbage collection, repeatedly on the same data.

mod author;
pub(crate) mod dice;
mod ledger;

use std::{
    collections::BTreeSet,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::json;
use suite::{Process, Stack, rounds};
use tokio::{process::Child, task::JoinSet};

use self::{author::Author, dice::Dice};
use crate::{
    program::{command, run, start_with},
    store::Store,
    tools::{change, sessions_end},
};

/// Returns the number of kills per test: enough to hit every step now and then, and many in a soak.
fn kills() -> u64 {
    rounds(16, 200)
}

/// A server lives until this many writes are acknowledged, and up to eleven more.
const WRITES: u64 = 5;

/// After this many kills, everything that was ever acknowledged is read.
const LOOK_EVERY: u64 = 16;

const AUTHORS: u64 = 6;

/// The maximum life of a server on a busy machine. Few need a tenth of it.
const PATIENCE: Duration = Duration::from_secs(10);

/// An hour, so that no upload outlasts it; [`pass_two_hours`] makes it short.
pub(crate) const GRACE: [(&str, &str); 1] = [("PACKHOUSE_GARBAGE__GRACE_HOURS", "1")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_during_uploads_publishes_deletes_and_collections_lose_nothing() {
    lose_nothing(Dice::of_this_run(1)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_kills_of_the_kind_lose_nothing() {
    lose_nothing(Dice::of_this_run(2)).await;
}

async fn lose_nothing(mut dice: Dice) {
    let (stack, began, mut removed) = (Stack::create().await, Instant::now(), 0);
    let done = Arc::new(AtomicU64::new(0));
    let mut server = start_with(&stack, &GRACE).await;
    let key = make_packages(&server).await;
    let mut authors: Vec<_> = (0..AUTHORS).map(|number| Author::new(number, dice.split(), done.clone())).collect();

    // With few kills the counts vary more, so the test continues until enough was written and removed.
    let is_enough = |written: u64, removed: usize| written > 10 * kills() && removed as u64 > kills();
    for kill in 1..=10 * kills() {
        if kill > kills() && is_enough(done.load(Ordering::Relaxed), removed) {
            break;
        }
        let work: JoinSet<_> = authors.into_iter().map(|author| author.work(server.person("ada", &key))).collect();
        let collector = (kill % 4 == 0).then(|| collect_beside(&stack));
        let goal = done.load(Ordering::Relaxed) + WRITES + dice.below(12);
        drop(tokio::time::timeout(PATIENCE, reaches(&done, goal)).await);
        tokio::time::sleep(Duration::from_millis(dice.below(20))).await;
        server.kill();
        authors = work.join_all().await;
        drop(collector);
        removed += server.log().matches("removed unreferenced blob ").count();

        pass_two_hours(&stack).await;
        server = start_with(&stack, &GRACE).await;
        let people = || (server.anyone(), server.person("ada", &key));
        authors = each(authors, |author| author.check(people().0, people().1)).await;
        if kill % LOOK_EVERY == 0 {
            authors = each(authors, |author| author.check_all(people().0, people().1)).await;
            run(&stack, &["admin", "verify"]).await.succeeds();
        }
    }

    server.kill();
    is_whole(&stack, &authors).await;
    let (done, kept) = (done.load(Ordering::Relaxed), authors.iter().map(|author| author.kept).sum::<u64>());
    println!("{done} writes acknowledged, {kept} files kept, {removed} blobs removed, {:?}", began.elapsed());
    assert!(done > 10 * kills(), "the kills hit something: {done}");
    assert!(removed as u64 > kills(), "garbage was collected meanwhile: {removed}");
}

/// Waits until this many writes are acknowledged.
pub(crate) async fn reaches(done: &AtomicU64, goal: u64) {
    while done.load(Ordering::Relaxed) < goal {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Creates two packages of one repository, whose authors contend for locks; returns the key of their owner.
async fn make_packages(server: &Process) -> String {
    let ada = server.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    for package in author::PACKAGES {
        ada.post("/packages/ada/tools").json(json!({ "name": package })).await.expect(201);
    }
    ada.key().to_owned()
}

/// Runs an action of all authors at once.
async fn each<F>(authors: Vec<Author>, what: impl Fn(Author) -> F) -> Vec<Author>
where
    F: Future<Output = Author> + Send + 'static,
{
    authors.into_iter().map(what).collect::<JoinSet<_>>().join_all().await
}

/// Starts a collector as a separate process. Dropping it kills it, like the server.
pub(crate) fn collect_beside(stack: &Stack) -> Child {
    let mut collector = command(stack);
    collector.args(["admin", "gc", "--grace-hours", "1"]).stdout(Stdio::null()).stderr(Stdio::null());
    tokio::process::Command::from(collector).kill_on_drop(true).spawn().expect("it starts")
}

/// Ages the unreferenced blobs, after the last work of the dead processes has ended.
pub(crate) async fn pass_two_hours(stack: &Stack) {
    sessions_end(stack).await;
    change(stack, "UPDATE blobs SET loose_since = loose_since - 7200000 WHERE loose_since > 7200000").await;
}

/// Checks that rows and store agree, and that after a collection the store has exactly the content of the files.
async fn is_whole(stack: &Stack, authors: &[Author]) {
    sessions_end(stack).await;
    run(stack, &["admin", "verify"]).await.succeeds();
    change(stack, "UPDATE blobs SET loose_since = loose_since - 7200000 WHERE is_going").await;
    run(stack, &["admin", "gc", "--grace-hours", "0"]).await.succeeds();
    let needed: BTreeSet<_> = authors.iter().flat_map(Author::digests).collect();
    assert_eq!(Store::of(stack).digests().await, needed);
    run(stack, &["admin", "verify"]).await.succeeds();
    assert_eq!(run(stack, &["admin", "check"]).await.succeeds(), "no damage found");
}
