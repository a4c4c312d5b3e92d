//! How soon the server is ready, and how little it needs.

use std::time::{Duration, Instant};

use suite::Stack;

use crate::program::start;

/// The limit of a release build is 40 MiB; a debug build carries more code.
const IDLE_KIB: u64 = 60 * 1024;

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

    let resident = resident_kib(server.id());

    println!("resident: {resident} KiB");
    assert!(resident < IDLE_KIB, "{resident} KiB are resident");
}

fn resident_kib(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line with the size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
