//! Download logs: one gzip file per day and package, in chronological order.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use operations::jobs;
use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::new_package,
    content::{DAY, SECOND, cat, upload_published},
};

const LOGS: &str = "/packages/ada/tools/cat/logs";
const FIRST: &str = "downloads-15-01-2026.log.gz";

/// Starts a house where `ada/tools/cat` was downloaded once.
async fn downloaded() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    download(&house, "first").await;
    (house, ada)
}

async fn download(house: &TestHouse, agent: &str) {
    house.anyone().download("/ada/tools/cat.bin").header("user-agent", agent).await.expect(200);
    house.flush().await;
}

async fn store(house: &TestHouse) {
    jobs::run_once(house.app().house(), "download_logs").await.expect("stored");
}

async fn list(who: &Person) -> Value {
    who.get(LOGS).await.expect(200).json()
}

/// Returns the lines of a log.
pub(crate) async fn read_log(who: &Person, path: &str) -> String {
    unpacked(&who.get(path).await.expect(200))
}

fn unpacked(log: &Answer) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(&log.body[..]).read_to_string(&mut text).expect("gzip");
    text
}

/// Returns the user agents in a log, in their order; asserts that its size is the listed one.
async fn agents(who: &Person, name: &str) -> Vec<String> {
    let log = who.get(&format!("{LOGS}/{name}")).await.expect(200);
    assert_eq!(log.header("content-type"), "application/gzip");
    let listed = list(who).await;
    let listed = listed.as_array().expect("a list").iter().find(|file| file["name"] == name).expect("listed").clone();
    assert_eq!(listed["size"], log.body.len());
    unpacked(&log).lines().map(|line| line.rsplit('"').nth(1).expect("an agent").to_owned()).collect()
}

#[tokio::test]
async fn a_log_is_listed_and_read_on_its_own_day() {
    let (house, ada) = downloaded().await;
    house.clock.advance(90 * SECOND);
    download(&house, "second").await;
    let listed = list(&ada).await;
    assert_eq!(listed[0]["name"], FIRST);
    assert_eq!(listed[0]["update"], "2026-01-15T12:01:30+0000");
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(agents(&ada, FIRST).await, ["first", "second"]);
    insta::assert_snapshot!(read_log(&ada, &format!("{LOGS}/{FIRST}")).await, @r#"
    127.0.0.1 - - [15/Jan/2026:12:00:00 +0000] "GET /dl/ada/tools/cat.bin HTTP/1.1" 200 4 "-" "first"
    127.0.0.1 - - [15/Jan/2026:12:01:30 +0000] "GET /dl/ada/tools/cat.bin HTTP/1.1" 200 4 "-" "second"
    "#);
}

#[tokio::test]
async fn a_day_that_is_over_lies_in_the_store_and_late_lines_come_after_it() {
    let (house, ada) = downloaded().await;
    store(&house).await;
    let today = list(&ada).await;
    house.clock.advance(DAY);
    download(&house, "next day").await;
    store(&house).await;
    assert_eq!(list(&ada).await[0], today[0]);
    assert_eq!(agents(&ada, FIRST).await, ["first"]);
    assert_eq!(agents(&ada, "downloads-16-01-2026.log.gz").await, ["next day"]);
    house.clock.advance(-DAY);
    download(&house, "late").await;
    house.clock.advance(DAY);
    assert_eq!(agents(&ada, FIRST).await, ["first", "late"]);
    store(&house).await;
    store(&house).await;
    assert_eq!(agents(&ada, FIRST).await, ["first", "late"]);
}

#[tokio::test]
async fn lines_of_two_nodes_are_merged_in_the_order_of_time() {
    let (house, ada) = downloaded().await;
    // A download at second twenty is recorded by one node before a download at second ten by another.
    for (seconds, agent) in [(20, "third"), (-10, "second"), (20, "fourth")] {
        house.clock.advance(seconds * SECOND);
        download(&house, agent).await;
    }
    assert_eq!(agents(&ada, FIRST).await, ["first", "second", "third", "fourth"]);
    house.clock.advance(DAY);
    store(&house).await;
    assert_eq!(agents(&ada, FIRST).await, ["first", "second", "third", "fourth"]);
}

#[tokio::test]
async fn stored_logs_are_not_garbage_until_their_package_goes() {
    let (house, ada) = downloaded().await;
    house.clock.advance(DAY);
    store(&house).await;
    house.clock.advance(3 * DAY);
    let inside = house.app().house();
    operations::maintenance::garbage::collect(inside, 24).await.expect("collected");
    assert_eq!(agents(&ada, FIRST).await, ["first"]);
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    // Marked as unreferenced first, removed a day later.
    operations::maintenance::garbage::collect(inside, 24).await.expect("collected");
    house.clock.advance(2 * DAY);
    let report = operations::maintenance::garbage::collect(inside, 24).await.expect("collected");
    // The file and the log.
    assert_eq!(report.removed.blobs, 2);
}

#[tokio::test]
async fn logs_are_kept_for_as_long_as_the_setting_says() {
    let house = TestHouse::start_with(&[("download_logs.keep_days", "2")]).await;
    let ada = house.user("ada").await;
    crate::catalogue::new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    download(&house, "first").await;
    house.clock.advance(DAY);
    store(&house).await;
    assert_eq!(agents(&ada, FIRST).await, ["first"]);
    house.clock.advance(DAY);
    store(&house).await;
    assert_eq!(list(&ada).await, json!([]));
    ada.get(&format!("{LOGS}/{FIRST}")).await.refuses(404, &format!("Log '{FIRST}' was not found"));
}

#[tokio::test]
async fn logs_are_for_publishers() {
    let (house, ada) = downloaded().await;
    let bob = house.user("bob").await;
    for path in [LOGS.to_owned(), format!("{LOGS}/{FIRST}")] {
        bob.get(&path).await.refuses(403, "You may not do this");
        house.anyone().get(&path).await.expect(401);
        house.admin().get(&path).await.expect(200);
    }
    for name in ["downloads-14-01-2026.log.gz", "downloads-15-1-2026.log.gz", "x"] {
        ada.get(&format!("{LOGS}/{name}")).await.refuses(404, &format!("Log '{name}' was not found"));
    }
    ada.get("/packages/ada/tools/dog/logs").await.refuses(404, "Package 'dog' was not found");
}
