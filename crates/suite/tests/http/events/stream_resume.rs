//! A client that resumes a stream misses no event and gets none twice.

use database::{ScopedFutureExt, accounts::subjects, events};
use model::{
    event::{Event, EventKind},
    names::SubjectName,
};
use suite::{Lines, Person, TestHouse};

use crate::{
    content::{SECOND, cat, upload, upload_published},
    events::stream::RECONNECT_ID,
};

/// Returns the path and the id of the next event.
async fn next(lines: &mut Lines) -> (String, String) {
    let event = lines.event().await;
    let text = |field: &str| event[field].as_str().expect("a text").to_owned();
    (text("path"), text("id"))
}

async fn resume(who: &Person, id: &str) -> Lines {
    who.get("/stream/ada").header(RECONNECT_ID, id).follow().await
}

async fn put(ada: &Person, name: &str) {
    upload(ada, &format!("ada/tools/cat/1.0/{name}"), name).await;
}

/// The range of ids in ten milliseconds.
const EARLIER: i64 = 10 << 21;

/// Inserts an event with an id a little before the given one, like a slow transaction.
async fn come_in_before(house: &TestHouse, id: &str) {
    let db = &house.app().house().db;
    let ada = subjects::find(db, &SubjectName::parse("ada").expect("a name")).await.expect("read").expect("she exists");
    let row: i64 = id.split('.').next().expect("a row").parse().expect("a number");
    let event = &Event {
        id: row - EARLIER,
        subject_id: ada.id,
        at: house.clock.now(),
        kind: EventKind::Upload,
        repo: "tools".into(),
        package: "cat".into(),
        version: "1.0".into(),
        path: Some("late".into()),
        actor: "ada".into(),
        address: "127.0.0.1".into(),
        agent: None,
        detail: None,
    };
    let written: database::Result<()> =
        db.write(|tx| async move { events::insert(tx, event).await }.scope_boxed()).await;
    written.expect("written");
}

#[tokio::test]
async fn a_stream_goes_on_where_it_was_left() {
    let (house, ada) = cat().await;
    put(&ada, "zero").await;
    let mut lines = ada.get("/stream/ada").follow().await;
    let start = lines.header(RECONNECT_ID);
    put(&ada, "one").await;
    put(&ada, "two").await;
    let (path, one) = next(&mut lines).await;
    assert_eq!(path, "ada/tools/one");
    drop(lines);
    put(&ada, "three").await;
    let mut lines = resume(&ada, &one).await;
    assert_eq!(lines.header(RECONNECT_ID), one);
    let (path, two) = next(&mut lines).await;
    assert_eq!(path, "ada/tools/two");
    assert_eq!(next(&mut lines).await.0, "ada/tools/three");
    assert_eq!(next(&mut resume(&ada, &start).await).await.0, "ada/tools/one");
    drop(lines);
    house.clock.advance(3_600 * SECOND);
    put(&ada, "four").await;
    let mut lines = resume(&ada, &two).await;
    assert_eq!(next(&mut lines).await.0, "ada/tools/three");
    assert_eq!(next(&mut lines).await.0, "ada/tools/four");
}

#[tokio::test]
async fn what_comes_in_late_is_told_to_who_stays_and_to_who_comes_back() {
    let (house, ada) = cat().await;
    let mut lines = ada.get("/stream/ada").follow().await;
    put(&ada, "one").await;
    put(&ada, "two").await;
    next(&mut lines).await;
    let (_, two) = next(&mut lines).await;
    come_in_before(&house, &two).await;
    assert_eq!(next(&mut lines).await.0, "ada/tools/late");
    drop(lines);
    let mut lines = resume(&ada, &two).await;
    // Events may be sent again, with the same ids.
    assert_eq!(next(&mut lines).await.0, "ada/tools/late");
    assert_eq!(next(&mut lines).await.0, "ada/tools/one");
    put(&ada, "three").await;
    assert_eq!(next(&mut lines).await.0, "ada/tools/three");
}

#[tokio::test]
async fn a_stream_goes_on_among_downloads_that_came_together() {
    let (house, ada) = cat().await;
    for name in ["a.bin", "b.bin", "c.bin"] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{name}"), "meow").await;
    }
    let mut lines = house.admin().get("/stream/ada").follow().await;
    // With several servers, each one has a download of every file to record.
    let servers = house.apps().count();
    for name in ["a.bin", "b.bin", "c.bin"] {
        for _ in 0..servers {
            house.anyone().download(&format!("/ada/tools/{name}")).await.expect(200);
        }
    }
    house.flush().await;
    let (path, first) = next(&mut lines).await;
    assert_eq!(path, "ada/tools/a.bin");
    let mut lines = resume(&house.admin(), &first).await;
    let told = ["ada/tools/a.bin", "ada/tools/b.bin", "ada/tools/c.bin"].repeat(servers);
    for path in &told[1..] {
        assert_eq!(next(&mut lines).await.0, *path);
    }
}

#[tokio::test]
async fn a_long_absence_is_told_in_order() {
    let (_house, ada) = cat().await;
    let start = ada.get("/stream/ada").follow().await.header(RECONNECT_ID);
    for number in 0..120 {
        put(&ada, &number.to_string()).await;
    }
    let mut lines = resume(&ada, &start).await;
    for number in 0..120 {
        assert_eq!(next(&mut lines).await.0, format!("ada/tools/{number}"));
    }
}

#[tokio::test]
async fn what_is_no_id_is_refused() {
    let (_house, ada) = cat().await;
    for id in ["", "x", "1", "-1.0", "1.0.0.0"] {
        let refused = ada.get("/stream/ada").header(RECONNECT_ID, id).await;
        refused.refuses(400, "x-service-stream-reconnect-id: it is not an id of this stream");
    }
    let old = ada.get("/stream/ada").header("x-bintray-stream-reconnect-id", "x").await;
    old.refuses(400, "x-service-stream-reconnect-id: it is not an id of this stream");
}
