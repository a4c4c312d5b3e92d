//! The removal of unreferenced content.

use database::{
    ScopedFutureExt, events,
    maintenance::garbage::{self as rows, SweepCursor},
};
use model::{digest::Digest, event::EventKind, timestamp::Timestamp};
use operations::maintenance::garbage::{self, BlobTotals, Report};
use suite::{Person, TestHouse};

use crate::{
    content::{DAY, MEOW_SHA256, SECOND, cat, read, upload, upload_published},
    maintenance::jobs::run_jobs_until,
};

/// An hour of the house's clock.
const HOUR: i64 = 60 * 60 * SECOND;

/// The default grace period of unreferenced content, in hours.
const GRACE: i64 = 24;

const NOTHING: BlobTotals = BlobTotals { blobs: 0, bytes: 0 };

fn meow() -> Digest {
    MEOW_SHA256.parse().expect("a digest")
}

async fn collect(house: &TestHouse) -> Report {
    garbage::collect(house.app().house(), GRACE).await.expect("collected")
}

async fn is_stored(house: &TestHouse, digest: Digest) -> bool {
    house.app().house().blobs.size(digest).await.expect("the store answers").is_some()
}

async fn delete(by: &Person, path: &str) {
    by.delete(&format!("/content/{path}")).await.expect(200);
}

#[tokio::test]
async fn content_goes_a_grace_time_after_its_last_file() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/one.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/two.bin", "meow").await;
    delete(&ada, "ada/tools/one.bin").await;
    assert_eq!(collect(&house).await, Report::default(), "two.bin has it");
    delete(&ada, "ada/tools/two.bin").await;

    let waits = Report { removed: NOTHING, waiting: BlobTotals { blobs: 1, bytes: 4 } };
    assert_eq!(collect(&house).await, waits);
    house.clock.advance(GRACE * HOUR - 1);
    assert_eq!(collect(&house).await, waits);
    assert!(is_stored(&house, meow()).await);
    house.clock.advance(1);
    let goes = Report { removed: BlobTotals { blobs: 1, bytes: 4 }, waiting: NOTHING };
    assert_eq!(garbage::preview(house.app().house(), GRACE).await.expect("looked"), goes);
    assert_eq!(collect(&house).await, goes);
    assert!(!is_stored(&house, meow()).await);

    upload_published(&ada, "ada/tools/cat/1.0/three.bin", "meow").await;
    assert_eq!(read(&ada, "/ada/tools/three.bin").await, "meow");
}

#[tokio::test]
async fn content_that_got_a_file_again_stays() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/one.bin", "meow").await;
    delete(&ada, "ada/tools/one.bin").await;
    collect(&house).await;
    house.clock.advance(2 * DAY);
    upload_published(&ada, "ada/tools/cat/1.0/two.bin", "meow").await;
    assert_eq!(collect(&house).await, Report::default());
    assert_eq!(read(&ada, "/ada/tools/two.bin").await, "meow");
}

#[tokio::test]
async fn content_of_a_refused_upload_goes() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/one.bin", "purr").await;
    ada.put("/content/ada/tools/cat/1.0/one.bin").body("meow").await.expect(409);
    house.clock.advance(GRACE * HOUR);
    assert_eq!(collect(&house).await.removed, BlobTotals { blobs: 1, bytes: 4 });
    assert!(!is_stored(&house, meow()).await);
}

#[tokio::test]
async fn a_replaced_and_a_discarded_file_leave_their_content_to_the_collector() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/one.bin", "meow").await;
    ada.put("/content/ada/tools/cat/1.0/one.bin?override=1").body("louder meow").await.expect(201);
    ada.post("/content/ada/tools/cat/1.0/publish").body("{\"discard\":true}").await.expect(200);
    assert_eq!(collect(&house).await.waiting, BlobTotals { blobs: 2, bytes: 15 });
    house.clock.advance(GRACE * HOUR);
    assert_eq!(collect(&house).await.removed, BlobTotals { blobs: 2, bytes: 15 });
}

#[tokio::test]
async fn everything_of_a_deleted_repository_goes() {
    let (house, ada) = cat().await;
    for number in 0..40 {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{number}.bin"), &"x".repeat(number + 1)).await;
    }
    ada.delete("/repos/ada/tools").await.expect(200);
    collect(&house).await;
    house.clock.advance(GRACE * HOUR);
    let expected = Report { removed: BlobTotals { blobs: 40, bytes: 820 }, waiting: NOTHING };
    assert_eq!(garbage::preview(house.app().house(), GRACE).await.expect("looked"), expected);
    assert_eq!(collect(&house).await, expected);
}

#[tokio::test]
async fn a_clock_that_went_back_makes_content_stay_longer() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/one.bin", "meow").await;
    delete(&ada, "ada/tools/one.bin").await;
    collect(&house).await;
    house.clock.advance(-30 * DAY);
    assert_eq!(collect(&house).await.removed, NOTHING);
    house.clock.advance(GRACE * HOUR - 1);
    assert_eq!(collect(&house).await.removed, NOTHING);
    house.clock.advance(1);
    assert_eq!(collect(&house).await.removed, BlobTotals { blobs: 1, bytes: 4 });
}

#[tokio::test]
async fn what_a_collector_has_begun_the_next_one_finishes() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/one.bin", "meow").await;
    delete(&ada, "ada/tools/one.bin").await;
    collect(&house).await;
    condemn_everything(&house).await;
    ada.put("/content/ada/tools/cat/1.0/two.bin").body("meow").await.expect(503);
    house.clock.advance(HOUR);

    let goes = Report { removed: BlobTotals { blobs: 1, bytes: 4 }, waiting: NOTHING };
    assert_eq!(garbage::preview(house.app().house(), GRACE).await.expect("looked"), goes);
    assert_eq!(collect(&house).await, goes);
    upload_published(&ada, "ada/tools/cat/1.0/two.bin", "meow").await;
    assert_eq!(read(&ada, "/ada/tools/two.bin").await, "meow");
}

/// Stops after the first step of a collector.
async fn condemn_everything(house: &TestHouse) {
    let (db, now) = (&house.app().house().db, house.clock.now());
    let marked: database::Result<rows::MarkBatch> =
        db.write(|tx| rows::mark(tx, SweepCursor::START, now, now, 100).scope_boxed()).await;
    assert_eq!(marked.expect("marked").marked.len(), 1);
}

#[tokio::test]
async fn a_server_collects_and_forgets_by_itself() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/one.bin", "meow").await;
    delete(&ada, "ada/tools/one.bin").await;
    run_jobs_until(house.state(), async || dated(&house).await).await;
    house.clock.advance(91 * DAY);
    upload(&ada, "ada/tools/cat/1.0/two.bin", "purr").await;
    run_jobs_until(house.state(), async || !is_stored(&house, meow()).await).await;
    assert_eq!(uploads(&house).await, 1, "the newer event is remembered");
}

async fn dated(house: &TestHouse) -> bool {
    let first = Timestamp::from_millis(1);
    let db = &house.app().house().db;
    rows::count_unreferenced(db, first, house.clock.now()).await.expect("counted") == BlobTotals { blobs: 1, bytes: 4 }
}

async fn uploads(house: &TestHouse) -> i64 {
    let db = &house.app().house().db;
    let ada = model::names::SubjectName::parse("ada").expect("a name");
    let ada = database::accounts::subjects::find(db, &ada).await.expect("read").expect("she exists");
    events::count(db, ada.id, EventKind::Upload).await.expect("counted")
}
