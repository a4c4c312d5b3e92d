//! Attempts to download more files with an access key than its `max_downloads` allows.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::json;
use suite::{Answer, Person, TestHouse};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::scene::{DAY, new_cat, publish};

const USED_UP: &str = "The downloads of access key 'client@ada' are used up";

/// Larger than the buffers of sockets.
const LARGE: usize = 32 << 20;

/// Starts a house where `ada/tools` has `a.bin` and `b.bin` of a hundred bytes, and a key with this many downloads.
async fn limited(max_downloads: i64) -> (TestHouse, Person, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_cat(&ada, "ada/tools").await;
    publish(&ada, "ada/tools/cat/1.0/a.bin", "a".repeat(100)).await;
    publish(&ada, "ada/tools/cat/1.0/b.bin", "b".repeat(100)).await;
    let client = house.key(&ada, "client", json!({"max_downloads": max_downloads})).await;
    house.grant("ada/tools", "client", "r").await;
    (house, ada, client)
}

/// Downloads a range of a file.
async fn part(who: &Person, file: &str, range: &str) -> Answer {
    who.download(&format!("/ada/tools/{file}")).header("range", &format!("bytes={range}")).await
}

#[tokio::test]
async fn ranges_that_stop_short_are_downloads() {
    let (_house, _ada, client) = limited(3).await;
    for _ in 0..3 {
        assert_eq!(part(&client, "a.bin", "0-98").await.expect(206).body.len(), 99);
    }
    for range in ["0-98", "1-", "0-49,51-"] {
        part(&client, "a.bin", range).await.refuses(403, USED_UP);
    }
    client.download("/ada/tools/a.bin").await.refuses(403, USED_UP);
    // Three bytes were counted but not sent.
    part(&client, "a.bin", "97-99").await.expect(206);
    // A second file is refused, too.
    part(&client, "b.bin", "0-0").await.refuses(403, USED_UP);
}

#[tokio::test]
async fn nearly_all_of_many_files_are_as_many_downloads() {
    let (_house, _ada, client) = limited(1).await;
    part(&client, "a.bin", "0-98").await.expect(206);
    part(&client, "b.bin", "0-98").await.refuses(403, USED_UP);
    part(&client, "a.bin", "99-").await.expect(206);
    part(&client, "a.bin", "0-0").await.refuses(403, USED_UP);
}

#[tokio::test]
async fn a_request_that_says_a_file_many_times_is_sent_it_once() {
    let (_house, _ada, client) = limited(1).await;
    let once = part(&client, "a.bin", "0-98,1-99,0-97,2-99").await.expect(200);
    assert_eq!(once.body.len(), 100);
    part(&client, "a.bin", "0-98,1-99").await.refuses(403, USED_UP);
}

#[tokio::test]
async fn a_client_that_resumes_or_begins_again_pays_once() {
    let (_house, _ada, client) = limited(2).await;
    for range in ["0-29", "30-59", "60-"] {
        part(&client, "a.bin", range).await.expect(206);
    }
    // The second one breaks off after forty bytes, and is requested again completely.
    part(&client, "b.bin", "0-39").await.expect(206);
    client.download("/ada/tools/b.bin").await.expect(200);
    client.download("/ada/tools/b.bin").await.refuses(403, USED_UP);
    client.download("/ada/tools/a.bin").await.refuses(403, USED_UP);
}

#[tokio::test(flavor = "multi_thread")]
async fn ranges_of_one_download_are_one_on_every_server() {
    let (house, _ada, client) = limited(2).await;
    let another = house.start_another().await;
    let there = another.as_ref().unwrap_or(&house).person(client.name(), client.key());
    let ranges = (0..20).map(|n| format!("bytes={}-{}", 5 * n, 5 * n + 4));
    let asked = ranges
        .zip([&client, &there].into_iter().cycle())
        .map(|(range, who)| tokio::spawn(who.download("/ada/tools/a.bin").header("range", &range).into_future()));
    for answer in asked.collect::<Vec<_>>() {
        answer.await.expect("it ends").expect(206);
    }
    // One is left across all servers, and one of twenty requests gets it.
    let asked = (0..20).zip([&client, &there].into_iter().cycle());
    let asked = asked.map(|(_, who)| tokio::spawn(part_of(who.clone())));
    let mut statuses = Vec::new();
    for answer in asked.collect::<Vec<_>>() {
        statuses.push(answer.await.expect("it ends").status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [[206; 1].as_slice(), &[403; 19]].concat());
}

async fn part_of(who: Person) -> Answer {
    part(&who, "a.bin", "0-98").await
}

/// Reads this many bytes of a whole download, then disconnects.
async fn break_off(house: &TestHouse, client: &Person, bytes: usize) -> bool {
    let mut socket = TcpStream::connect(house.address).await.expect("the server listens");
    let credentials = BASE64_STANDARD.encode(format!("{}:{}", client.name(), client.key()));
    let head = format!(
        "GET /dl/ada/tools/large.bin HTTP/1.1\r\nhost: {}\r\nauthorization: Basic {credentials}\r\nconnection: close\r\n\r\n",
        house.address
    );
    socket.write_all(head.as_bytes()).await.expect("sent");
    let mut received = vec![0; bytes];
    let is_read = socket.read_exact(&mut received).await.is_ok();
    is_read && received.starts_with(b"HTTP/1.1 200")
}

/// Publishes `large.bin`.
async fn publish_large(ada: &Person) {
    publish(ada, "ada/tools/cat/1.0/large.bin", "l".repeat(LARGE)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn transfers_that_break_off_near_the_end_are_downloads() {
    let (house, ada, client) = limited(2).await;
    publish_large(&ada).await;
    // Only the server knows how much it has sent, so the last bytes may be in flight.
    let mut complete = 0;
    for _ in 0..6 {
        complete += usize::from(break_off(&house, &client, LARGE - 1_000).await);
        house.flush().await;
    }
    assert_eq!(complete, 2);
    client.download("/ada/tools/b.bin").await.refuses(403, USED_UP);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_sent_is_given_back_to_the_next_range() {
    let (house, ada, client) = limited(1).await;
    publish_large(&ada).await;
    assert!(break_off(&house, &client, 1 << 20).await);
    client.download("/ada/tools/a.bin").await.refuses(403, USED_UP);
    // The server notices the disconnect a moment later; the unsent bytes are then available to the next request.
    let rest = format!("{}-", LARGE / 2);
    while part(&client, "large.bin", &rest).await.status == 403 {
        tokio::task::yield_now().await;
    }
    client.download("/ada/tools/large.bin").await.refuses(403, USED_UP);
}

#[tokio::test]
async fn what_is_left_of_a_download_is_forgotten_after_a_month() {
    let (house, _ada, client) = limited(1).await;
    part(&client, "a.bin", "0-9").await.expect(206);
    house.clock.advance(29 * DAY);
    operations::downloads::delete_expired(house.app().house()).await.expect("forgotten");
    part(&client, "a.bin", "10-19").await.expect(206);
    house.clock.advance(31 * DAY);
    operations::downloads::delete_expired(house.app().house()).await.expect("forgotten");
    part(&client, "a.bin", "20-29").await.refuses(403, USED_UP);
}

#[tokio::test]
async fn what_sends_no_byte_costs_nothing() {
    let (_house, _ada, client) = limited(1).await;
    let etag = client.head("//dl/ada/tools/a.bin").await.expect(200).header("etag").to_owned();
    for _ in 0..3 {
        client.head("//dl/ada/tools/b.bin").await.expect(200);
        client.download("/ada/tools/a.bin").header("if-none-match", &etag).await.expect(304);
        part(&client, "a.bin", "900-").await.expect(416);
        client.download("/ada/tools/a.bin.sha1").await.expect(200);
    }
    client.download("/ada/tools/a.bin").await.expect(200);
    client.download("/ada/tools/a.bin").header("if-none-match", &etag).await.expect(304);
    client.download("/ada/tools/a.bin").await.refuses(403, USED_UP);
}
