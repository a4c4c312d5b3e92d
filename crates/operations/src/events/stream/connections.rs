//! How many follow a subject at once. Connections have leases, which servers renew: those of one that died run out.

use database::{
    ScopedFutureExt,
    accounts::subjects::Subject,
    events::stream_connections::{self as rows, Lease},
};
use model::timestamp::Timestamp;

use crate::{Error, House, Result, access};

/// The most connections of a subject, on all servers together.
const AT_ONCE: i64 = 3;

/// How long a connection is open without being renewed. Who takes nothing of what is sent for so long is dropped.
const LEASE_MS: i64 = 60_000;

/// How long what passes is written down for those who come back.
const RETURN_MS: i64 = 10 * 60_000;

/// When whoever finds no place may try again.
const RETRY_SECS: u64 = 10;

/// Takes a place; returns the key of the connection.
pub(super) async fn enter(house: &House, subject: &Subject) -> Result<i64> {
    let (id, now) = (house.next_id(), house.clock.now());
    house
        .db
        .write(|tx| {
            async move {
                // Held, so that of several who come at once no more get in than there are places.
                access::hold(tx, subject).await?;
                if rows::count_open(tx, subject.id, now).await? >= AT_ONCE {
                    return Err(Error::LimitReached {
                        message: format!("'{}' is followed over {AT_ONCE} connections already", subject.name),
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

/// Keeps the place; false when it was lost.
pub(super) async fn renew(house: &House, id: i64) -> Result<bool> {
    update(house, id, open(house.clock.now())).await
}

/// Gives the place back.
pub async fn close(house: &House, id: i64) -> Result<()> {
    let now = house.clock.now();
    update(house, id, Lease { open_until: now, followed_until: later(now, RETURN_MS) }).await.map(drop)
}

async fn update(house: &House, id: i64, lease: Lease) -> Result<bool> {
    let now = house.clock.now();
    let updated = house.db.write(|tx| async move { rows::update(tx, id, now, lease).await }.scope_boxed()).await;
    updated.map_err(|error: database::Error| Error::from(error))
}

/// Forgets connections that ended long ago.
pub(crate) async fn forget(house: &House) -> Result<()> {
    let now = house.clock.now();
    let forgotten = house.db.write(|tx| async move { rows::delete_before(tx, now).await }.scope_boxed()).await;
    forgotten.map_err(|error: database::Error| Error::from(error))
}

fn open(now: Timestamp) -> Lease {
    Lease { open_until: later(now, LEASE_MS), followed_until: later(now, LEASE_MS + RETURN_MS) }
}

fn later(now: Timestamp, milliseconds: i64) -> Timestamp {
    Timestamp::from_millis(now.millis() + milliseconds)
}
