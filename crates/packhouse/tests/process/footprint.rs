//! The start-up time and the memory of the server.

use std::time::{Duration, Instant};

use suite::Stack;

use crate::program::start;

/// The maximum private memory of an idle server. The mapped pages of the program file do not count: their number
/// depends on the build and on the system, which reclaims them when it needs memory.
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
