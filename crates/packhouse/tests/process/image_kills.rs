//! SIGKILL during pushes, moved tags and deletions of images and during collections, repeatedly on the same data.

mod writer;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::json;
use suite::{Person, Stack, rounds};
use tokio::task::JoinSet;

use self::writer::Writer;
use crate::{
    content_kill::{GRACE, collect_beside, dice::Dice, pass_two_hours, reaches},
    program::{run, start_with},
    tools::sessions_end,
};

const WRITERS: u64 = 4;

/// The maximum life of a server on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// After this many kills, every image is pulled, and rows and store are compared.
const LOOK_EVERY: u64 = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_during_pushes_retags_deletes_and_collections_of_images_lose_nothing() {
    let (stack, began, mut dice) = (Stack::create().await, Instant::now(), Dice::of_this_run(3));
    let mut server = start_with(&stack, &GRACE).await;
    let ada = server.user("ada").await;
    ada.post("/repos/ada/img").json(json!({ "type": "docker" })).await.expect(201);
    let (key, done, kills) = (ada.key().to_owned(), Arc::new(AtomicU64::new(0)), rounds(6, 150));
    let mut writers: Vec<_> = (0..WRITERS).map(|number| Writer::new(number, dice.split(), done.clone())).collect();
    for kill in 1..=kills {
        let work: JoinSet<_> = writers.into_iter().map(|writer| writer.work(server.person("ada", &key))).collect();
        let collector = (kill % 2 == 0).then(|| collect_beside(&stack));
        let goal = done.load(Ordering::Relaxed) + 8 + dice.below(16);
        drop(tokio::time::timeout(PATIENCE, reaches(&done, goal)).await);
        tokio::time::sleep(Duration::from_millis(dice.below(20))).await;
        server.kill();
        writers = work.join_all().await;
        drop(collector);

        pass_two_hours(&stack).await;
        server = start_with(&stack, &GRACE).await;
        let ada = server.person("ada", &key);
        for writer in &mut writers {
            writer.check_changing(&ada).await;
        }
        if kill % LOOK_EVERY == 0 {
            check_all(&stack, &writers, &ada).await;
        }
    }
    let images = check_all(&stack, &writers, &server.person("ada", &key)).await;
    server.kill();
    sessions_end(&stack).await;
    let said = run(&stack, &["admin", "gc", "--grace-hours", "0"]).await.succeeds();
    assert_eq!(run(&stack, &["admin", "check"]).await.succeeds(), "no damage found");
    server = start_with(&stack, &GRACE).await;
    assert_eq!(check_all(&stack, &writers, &server.person("ada", &key)).await, images, "{said}");
    let done = done.load(Ordering::Relaxed);
    println!("{kills} kills, {done} changes acknowledged, {images} of {images} images complete, {:?}", began.elapsed());
    assert!(done > 5 * kills, "the kills hit something: {done}");
}

/// Pulls everything that was acknowledged; returns the number of images.
async fn check_all(stack: &Stack, writers: &[Writer], ada: &Person) -> usize {
    let mut images = 0;
    for writer in writers {
        images += writer.check_all(ada).await;
    }
    run(stack, &["admin", "verify"]).await.succeeds();
    images
}
