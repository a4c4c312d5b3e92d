//! Limits the simultaneous connections to a subject's stream. Connections have leases that nodes renew: those of a node
//! that died expire.

use database::{
    ScopedFutureExt,
    events::stream_connections::{self as rows, Lease},
};
use model::{subject::Subject, timestamp::Timestamp};

use crate::{Error, House, Result, access};

/// The maximum number of connections to a subject, on all nodes together.
const AT_ONCE: i64 = 3;

/// The lease of a connection. A subscriber that reads nothing for this long is disconnected.
const LEASE_MS: i64 = 60_000;

/// How long events are still recorded for subscribers that may reconnect.
const RETURN_MS: i64 = 10 * 60_000;

/// When a rejected subscriber may try again.
const RETRY_SECS: u64 = 10;

/// Opens a connection and returns its id.
pub(super) async fn enter(house: &House, subject: &Subject) -> Result<i64> {
    let (id, now) = (house.next_id(), house.clock.now());
    house
        .db
        .write(|tx| {
            async move {
                // The lock keeps simultaneous requests from exceeding the limit together.
                access::lock(tx, subject).await?;
                if rows::count_open(tx, subject.id, now).await? >= AT_ONCE {
                    return Err(Error::LimitReached {
                        message: format!(
                            "'{}' already has {AT_ONCE} connections to its event stream; close one first",
                            subject.name
                        ),
                        retry_after_secs: RETRY_SECS,
                        limit: AT_ONCE.unsigned_abs(),
                    });
                }
                rows::insert(tx, id, subject.id, open(now)).await?;
                Ok(id)
            }
            .scope_boxed()
        })
        .await
}

/// Renews the lease; false if it was lost.
pub(super) async fn renew(house: &House, id: i64) -> Result<bool> {
    update(house, id, open(house.clock.now())).await
}

/// Closes the connection.
#[boxed::future]
pub async fn close(house: &House, id: i64) -> Result<()> {
    let now = house.clock.now();
    update(house, id, Lease { open_until: now, followed_until: later(now, RETURN_MS) }).await.map(drop)
}

async fn update(house: &House, id: i64, lease: Lease) -> Result<bool> {
    let now = house.clock.now();
    let updated = house.db.write(|tx| async move { rows::update(tx, id, now, lease).await }.scope_boxed()).await;
    updated.map_err(|error: database::Error| Error::from(error))
}

/// Deletes connections that ended long ago.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let now = house.clock.now();
    let deleted = house.db.write(|tx| async move { rows::delete_before(tx, now).await }.scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}

fn open(now: Timestamp) -> Lease {
    Lease { open_until: later(now, LEASE_MS), followed_until: later(now, LEASE_MS + RETURN_MS) }
}

fn later(now: Timestamp, milliseconds: i64) -> Timestamp {
    Timestamp::from_millis(now.millis() + milliseconds)
}
