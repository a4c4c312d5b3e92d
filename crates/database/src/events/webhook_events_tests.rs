//! Tests the migration that gives deliveries a state, on a database with rows of the step before, on the engine that
//! the run uses.

use model::{
    id::PackageId,
    timestamp::Timestamp,
    webhook_event::{WebhookEvent, WebhookEvents},
};
use tokio::sync::Notify;

use crate::{
    Database, Error, Result, ScopedFutureExt,
    engine::statement::sql,
    events::{
        settled_deliveries::{self, DeliveryStatus},
        webhook_deliveries::{self, DeliveryLease, DeliveryState, LeasedDelivery},
        webhooks,
    },
    testing::scratch::{Scratch, is_cluster},
};

/// The last step without states.
const BEFORE: i64 = 19;

fn now() -> Timestamp {
    Timestamp::from_millis(1_000)
}

/// Webhook 1 is active and webhook 2 is not. Deliveries 10 and 12 are due at 500 and 2,000; 11 and 21 are settled, and
/// 20 and 22 wait for webhook 2 to become active.
const ROWS: &str = "
    INSERT INTO subjects (id, kind, name, folded_name, full_name, plan, is_site_admin, registered)
    VALUES (1, 'user', 'ada', 'ada', '', 'free', FALSE, 0);
    INSERT INTO repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
        gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, package_count, created)
    VALUES (1, 1, 'tools', 'tools', 'generic', FALSE, '', '', '', FALSE, FALSE, FALSE, 1, 0);
    INSERT INTO packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
        custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)
    VALUES (1, 1, 'cat', 'cat', '', '', '', '', '', FALSE, 0, 0, 0, 1, 0, 0);
    INSERT INTO webhooks (id, repo_id, package_id, user_id, url, method, sealed_mac, sealed_secret, failure_count,
        is_active, claim, claimed_until, created)
    VALUES (1, 1, 1, 1, 'https://on', 'post', '', '', 0, TRUE, 0, 0, 0),
        (2, 1, 1, 1, 'https://off', 'put', '', '', 7, FALSE, 0, 0, 0);
    INSERT INTO webhook_deliveries (id, webhook_id, version, payload, attempts, due)
    VALUES (10, 1, '1.0', '{}', 2, 500), (11, 1, '1.1', '{}', 0, 9223372036854775806),
        (12, 1, '1.2', '{}', 1, 2000), (20, 2, '1.0', '{}', 3, 9223372036854775807),
        (21, 2, '1.1', '{}', 0, 9223372036854775806), (22, 2, '1.2', '{}', 0, 9223372036854775807);";

async fn upgraded() -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate_up_to(BEFORE).await.expect("the older schema");
    let written: Result<()> = db.write(|tx| tx.batch(ROWS).scope_boxed()).await;
    written.expect("rows of the older schema");
    db.migrate(now()).await.expect("the newest schema");
    (scratch, db)
}

/// Returns the ids of all deliveries, with the event and the state of each.
async fn states(db: &Database) -> Vec<(i64, String)> {
    db.all(sql!("SELECT id, event || ' ' || state FROM webhook_deliveries ORDER BY id")).await.expect("read")
}

#[tokio::test]
async fn deliveries_get_the_state_that_their_dates_stood_for() {
    let (_scratch, db) = upgraded().await;
    let expected = [(10, "pending"), (11, "settled"), (12, "pending"), (20, "parked"), (21, "settled"), (22, "parked")];
    assert_eq!(states(&db).await, expected.map(|(id, state)| (id, format!("release {state}"))));
    let dues: Vec<i64> =
        db.all(sql!("SELECT due FROM webhook_deliveries WHERE due > $1 ORDER BY id", 0_i64)).await.expect("read");
    assert_eq!(dues, [500, 2_000], "no date stands for a state");
    for url in ["https://on", "https://off"] {
        let hook = webhooks::find(&db, PackageId::new(1), url).await.expect("read").expect("there");
        assert_eq!(hook.events, WebhookEvents::default(), "{url}");
    }
    let status = |state, is_active| Some(DeliveryStatus { state, is_active });
    for (id, expected) in [
        (10, status(DeliveryState::Pending, true)),
        (11, status(DeliveryState::Settled, true)),
        (20, status(DeliveryState::Parked, false)),
        (21, status(DeliveryState::Settled, false)),
        (99, None),
    ] {
        assert_eq!(settled_deliveries::find_status(&db, PackageId::new(1), id).await.expect("read"), expected, "{id}");
    }
}

#[tokio::test]
async fn deliveries_of_the_step_before_are_sent_requeued_and_unparked() {
    let (_scratch, db) = upgraded().await;
    assert_eq!(webhook_deliveries::list_due_hooks(&db, now(), 10).await.expect("read"), [1]);
    assert_eq!(settled_deliveries::list(&db, PackageId::new(1)).await.expect("read"), [11]);
    let first: Result<(i64, WebhookEvent, i64)> = db
        .write(|tx| {
            async move {
                let lease = DeliveryLease { token: 7, until: Timestamp::from_millis(1) };
                let leased = webhook_deliveries::lease(tx, 1, lease, now()).await?.expect("it is due");
                settled_deliveries::settle(tx, leased.id, 1, 100).await?;
                assert!(settled_deliveries::requeue(tx, 11, now()).await?);
                assert!(!settled_deliveries::requeue(tx, 11, now()).await?, "it is pending now");
                assert!(!settled_deliveries::requeue(tx, 20, now()).await?, "it is parked");
                webhook_deliveries::unpark(tx, 2, now()).await?;
                Ok((leased.id, leased.event, leased.attempts))
            }
            .scope_boxed()
        })
        .await;
    assert_eq!(first.expect("written"), (10, WebhookEvent::Release, 2));
    let expected =
        [(10, "settled"), (11, "pending"), (12, "pending"), (20, "pending"), (21, "settled"), (22, "pending")];
    assert_eq!(states(&db).await, expected.map(|(id, state)| (id, format!("release {state}"))));
    for (webhook_id, pending) in [(1, 2), (2, 2)] {
        assert_eq!(webhook_deliveries::count_pending(&db, webhook_id, 10).await.expect("read"), pending);
    }
    assert_eq!(webhook_deliveries::count_pending(&db, 1, 1).await.expect("read"), 1, "no further than asked");
}

#[tokio::test]
async fn a_webhook_is_leased_while_an_upload_keeps_it() {
    let (_scratch, db) = upgraded().await;
    let (is_kept, is_leased) = (&Notify::new(), &Notify::new());
    let keep = db.write(|tx| {
        async move {
            let active = webhooks::lock_subscriptions(tx, PackageId::new(1)).await?;
            assert_eq!(active.iter().map(|hook| hook.webhook_id).collect::<Vec<_>>(), [1]);
            assert!(active[0].includes(WebhookEvent::Release) && !active[0].includes(WebhookEvent::Upload));
            is_kept.notify_one();
            // On SQLite, one transaction writes at a time.
            if is_cluster() {
                is_leased.notified().await;
            }
            Ok::<_, Error>(())
        }
        .scope_boxed()
    });
    let lease = async {
        is_kept.notified().await;
        let lease = DeliveryLease { token: 7, until: Timestamp::from_millis(2_000) };
        let leased = db.write(|tx| webhook_deliveries::lease(tx, 1, lease, now()).scope_boxed()).await;
        is_leased.notify_one();
        leased.map(|leased: Option<LeasedDelivery>| leased.map(|leased| leased.id))
    };
    let (kept, leased) = tokio::join!(keep, lease);
    kept.expect("kept");
    assert_eq!(leased.expect("written"), Some(10));
}

#[tokio::test]
async fn only_settled_and_parked_deliveries_expire() {
    let (_scratch, db) = upgraded().await;
    let deleted: Result<u64> = db
        .write(|tx| {
            async move {
                webhook_deliveries::park(tx, 1).await?;
                webhook_deliveries::unpark(tx, 2, now()).await?;
                webhook_deliveries::delete_idle_before(tx, 22, 2).await
            }
            .scope_boxed()
        })
        .await;
    assert_eq!(deleted.expect("written"), 2, "no more than asked");
    let rest: Result<u64> = db.write(|tx| webhook_deliveries::delete_idle_before(tx, 22, 10).scope_boxed()).await;
    assert_eq!(rest.expect("written"), 2);
    let left: Vec<i64> = states(&db).await.into_iter().map(|row| row.0).collect();
    assert_eq!(left, [20, 22], "those are pending");
}
