//! Builders that hang or lose their lease.

use database::{
    ScopedFutureExt,
    indexes::{
        changes,
        heads::{self, IndexLease},
    },
};
use model::timestamp::Timestamp;
use serde_json::json;

use super::{chart, charts, generations::repo_id, publish_charts, repo_of, run_job};
use crate::content::DAY;

#[tokio::test]
async fn a_publish_does_not_wait_for_a_builder_that_hangs_and_the_job_makes_up_for_it() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web"]).await;
    let (db, repo_id) = (&house.app().house().db, repo_id(&house).await);
    let lease = IndexLease { repo_id, token: 1 };
    let (now, until) = (Timestamp::EPOCH, Timestamp::from_millis(4_000_000 * DAY));
    // The clock of the house is never this late.
    let far = Timestamp::from_millis(3_000_000 * DAY);
    let head = db.write(|tx| heads::lease(tx, lease, far, until).scope_boxed()).await.expect("a write");
    assert!(head.is_some());
    assert!(db.write(|tx| heads::lease(tx, lease, now, until).scope_boxed()).await.expect("a write").is_none());
    ada.put("/content/ada/repo/web/2.0.0/web-2.0.0.tgz").body(chart("web", "2.0.0", "x")).await.expect(201);
    let answer = ada.post("/content/ada/repo/web/2.0.0/publish").await.expect(200).json();
    assert_eq!(answer, json!({"files": 1, "indexed": false}));
    house.anyone().download("/ada/repo/web-2.0.0.tgz").await.expect(200);
    assert_eq!(charts(&house.anyone()).await, ["web 1.0.0"]);
    db.write(|tx| heads::release(tx, lease, None).scope_boxed()).await.expect("a write");
    // The first look of the job only remembers the change.
    for _ in 0..2 {
        run_job(&house).await;
    }
    assert_eq!(charts(&house.anyone()).await, ["web 2.0.0", "web 1.0.0"]);
    assert_eq!(changes::find_any(db, repo_id).await.expect("a look-up"), None);
}

#[tokio::test]
async fn a_builder_that_has_lost_its_lease_changes_nothing() {
    let (house, ada) = repo_of("helm").await;
    publish_charts(&ada, &["web"]).await;
    let (db, repo_id) = (&house.app().house().db, repo_id(&house).await);
    let (slow, next) = (IndexLease { repo_id, token: 1 }, IndexLease { repo_id, token: 2 });
    let at = Timestamp::from_millis;
    let head = db.write(|tx| heads::lease(tx, slow, at(10), at(20)).scope_boxed()).await.expect("a write");
    let generation = head.expect("it is free").generation;
    assert!(db.write(|tx| heads::lease(tx, next, at(20), at(30)).scope_boxed()).await.expect("a write").is_some());
    assert!(!db.write(|tx| heads::renew(tx, slow, at(40)).scope_boxed()).await.expect("a write"));
    let switch = async |lease| {
        db.write(|tx| heads::switch(tx, lease, generation, at(25), None).scope_boxed()).await.expect("a write")
    };
    assert!(!switch(slow).await);
    assert!(switch(next).await);
    assert!(!switch(next).await, "a lease ends with its switch");
}
