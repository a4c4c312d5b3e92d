//! A subject has at most three stream connections, on all servers together.

use std::time::Duration;

use model::event::EventKind;
use suite::{Lines, Person, TestHouse};

use crate::{
    content::{SECOND, cat, upload, upload_published},
    events::stream::count,
};

const FULL: &str = "'ada' already has 3 connections to its event stream; close one first";

async fn follow(who: &Person) -> Lines {
    who.get("/stream/ada").follow().await
}

/// Subscribes as soon as a slot is free.
async fn follow_soon(who: &Person) {
    let patience = Duration::from_secs(20);
    let call = async { while who.call(reqwest::Method::HEAD, "/stream/ada").await.status == 429 {} };
    tokio::time::timeout(patience, call).await.expect("a place is free in time");
}

#[tokio::test]
async fn the_fourth_connection_is_refused_until_one_ends() {
    let (house, ada) = cat().await;
    let lines = [follow(&ada).await, follow(&house.admin()).await, follow(&ada).await];
    let refused = ada.get("/stream/ada").await.refuses(429, FULL);
    assert_eq!(refused.header("retry-after"), "10");
    let [first, ..] = lines;
    drop(first);
    follow_soon(&ada).await;
}

#[tokio::test]
async fn places_that_nobody_keeps_are_free_after_a_minute() {
    let (house, ada) = cat().await;
    let lines = [follow(&ada).await, follow(&ada).await, follow(&ada).await];
    house.clock.advance(59 * SECOND);
    ada.get("/stream/ada").await.refuses(429, FULL);
    // As if the clients had stopped reading, or their server had died.
    house.clock.advance(61 * SECOND);
    follow(&ada).await;
    for mut lost in lines {
        assert_eq!(lost.next().await, None);
    }
}

#[tokio::test]
async fn a_place_is_kept_for_as_long_as_somebody_reads() {
    let (house, ada) = cat().await;
    let mut lines = follow(&ada).await;
    for name in ["a.bin", "b.bin", "c.bin", "d.bin"] {
        house.clock.advance(40 * SECOND);
        upload(&ada, &format!("ada/tools/cat/1.0/{name}"), name).await;
        assert_eq!(lines.event().await["path"], format!("ada/tools/{name}"));
    }
}

#[tokio::test]
async fn many_who_come_at_once_get_three_places() {
    let (_house, ada) = cat().await;
    let calls: Vec<_> = (0..8).map(|_| ada.get("/stream/ada").open()).collect();
    let running: Vec<_> = calls.into_iter().map(tokio::spawn).collect();
    let mut statuses = Vec::new();
    let mut open = Vec::new();
    for call in running {
        let response = call.await.expect("the call ends");
        statuses.push(response.status().as_u16());
        open.push(response);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 429, 429, 429, 429, 429]);
}

/// Uses two servers, if the stack allows them.
#[tokio::test]
async fn servers_count_together_and_tell_what_happens_on_each_other() {
    let (first, ada) = cat().await;
    let second = first.start_another().await;
    let other = second.as_ref().unwrap_or(&first);
    let there = other.person(ada.name(), ada.key());
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let mut lines = follow(&ada).await;
    let _others = [follow(&there).await, follow(&there).await];
    there.get("/stream/ada").await.refuses(429, FULL);
    ada.get("/stream/ada").await.refuses(429, FULL);
    upload_published(&there, "ada/tools/cat/1.0/dog.bin", "woof").await;
    assert_eq!(lines.event().await["path"], "ada/tools/dog.bin");
    assert_eq!(lines.event().await["path"], "ada/tools/cat/1.0");
    told_of_download(&mut lines, other).await;
}

async fn told_of_download(lines: &mut Lines, there: &TestHouse) {
    there.anyone().download("/ada/tools/cat.bin").await.expect(200);
    there.flush().await;
    loop {
        let event = lines.event().await;
        if event["type"] == "download" {
            assert_eq!(event["path"], "ada/tools/cat.bin");
            return;
        }
        assert_eq!(event["type"], "login_success");
    }
}

/// Uses two servers, too. All of them know about a subscription when the stream is open.
#[tokio::test]
async fn a_login_at_another_server_is_told_of_at_once() {
    let (first, ada) = cat().await;
    let second = first.start_another().await;
    let other = second.as_ref().unwrap_or(&first);
    other.person("ada", "wrong").get("/users/ada").await.expect(401);
    other.flush().await;
    let mut lines = follow(&ada).await;
    other.person("ada", "wrong").get("/users/ada").await.expect(401);
    other.flush().await;
    assert_eq!(lines.event().await["type"], "login_failure");
    assert_eq!(count(&first, "ada", EventKind::LoginFailure).await, 1);
}
