//! How soon the server is ready, and how little it needs.

use std::time::{Duration, Instant};

use suite::Stack;

use crate::program::start;

/// What an idle server may hold for itself. The pages of the program's own file are not counted: how many there are is up
/// to the build and to the system, which takes them back when it needs room.
const IDLE_KIB: u64 = 20 * 1024;

#[tokio::test]
async fn the_server_is_ready_within_two_seconds_and_again_after_a_kill() {
    let stack = Stack::create().await;
    let began = Instant::now();
    let mut server = start(&stack).await;
    server.anyone().get("//readyz").await.expect(200);
    assert!(began.elapsed() < Duration::from_secs(2), "the first start took {:?}", began.elapsed());
    server.kill();

    let began = Instant::now();
    let server = start(&stack).await;
    server.anyone().get("//readyz").await.expect(200);
    assert!(began.elapsed() < Duration::from_secs(2), "the second start took {:?}", began.elapsed());
}

#[tokio::test]
async fn an_idle_server_is_small() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    server.admin().get("/users/admin").await.expect(200);

    let own = own_kib(server.id());

    println!("its own: {own} KiB");
    assert!(own < IDLE_KIB, "{own} KiB are its own");
}

fn own_kib(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line with the size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
