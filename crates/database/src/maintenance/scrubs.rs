//! The progress of scrubs, which read all content and compare it with its digests.

use model::{
    blob::BlobTotals,
    id::BlobId,
    scrub::{Pass, Scrub},
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

/// The id of the only row.
const ROW: i64 = 1;

row! {
    struct ScrubRow {
        started: i64, reached: BlobId, blobs: i64, bytes: i64, damaged: i64, last_started: Option<i64>,
        last_ended: Option<i64>, last_blobs: i64, last_bytes: i64, last_damaged: i64,
    }
}

impl From<ScrubRow> for Scrub {
    fn from(row: ScrubRow) -> Self {
        let last = row.last_started.zip(row.last_ended).map(|(started, ended)| Pass {
            started: Timestamp::from_millis(started),
            ended: Timestamp::from_millis(ended),
            read: BlobTotals { blobs: row.last_blobs, bytes: row.last_bytes },
            damaged: row.last_damaged,
        });
        Scrub {
            started: Timestamp::from_millis(row.started),
            reached: row.reached,
            read: BlobTotals { blobs: row.blobs, bytes: row.bytes },
            damaged: row.damaged,
            last,
        }
    }
}

/// Returns the progress; `None` before the first pass.
pub async fn find(db: &dyn Read) -> Result<Option<Scrub>> {
    let row: Option<ScrubRow> = db
        .one(select!(
            ScrubRow,
            "FROM scrubs
             WHERE id = $1",
            ROW,
        ))
        .await?;
    Ok(row.map(Scrub::from))
}

/// Leases the pass until a time, or renews the lease; returns `false` while another node has it.
pub async fn lease(tx: &mut Tx, token: i64, now: Timestamp, until: Timestamp) -> Result<bool> {
    let leased = tx
        .run(sql!(
            "INSERT INTO scrubs (id, claim, claimed_until, started, reached, blobs, bytes, damaged, last_blobs, last_bytes,
                 last_damaged)
             VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0, 0)
             ON CONFLICT (id) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
             WHERE scrubs.claimed_until <= $4 OR scrubs.claim = excluded.claim",
            ROW,
            token,
            until,
            now,
        ))
        .await?;
    Ok(leased == 1)
}

/// Releases the lease with this token.
pub async fn release(tx: &mut Tx, token: i64) -> Result<()> {
    tx.run(sql!("UPDATE scrubs SET claimed_until = 0 WHERE id = $1 AND claim = $2", ROW, token)).await?;
    Ok(())
}

/// Records the progress of the pass; returns `false` if another node has the lease by now.
pub async fn advance(tx: &mut Tx, token: i64, until: Timestamp, scrub: &Scrub) -> Result<bool> {
    let advanced = tx
        .run(sql!(
            "UPDATE scrubs
             SET claimed_until = $3, started = $4, reached = $5, blobs = $6, bytes = $7, damaged = $8,
                 last_started = $9, last_ended = $10, last_blobs = $11, last_bytes = $12, last_damaged = $13
             WHERE id = $1 AND claim = $2",
            ROW,
            token,
            until,
            scrub.started,
            scrub.reached,
            scrub.read.blobs,
            scrub.read.bytes,
            scrub.damaged,
            scrub.last.map(|last| last.started),
            scrub.last.map(|last| last.ended),
            scrub.last.map_or(0, |last| last.read.blobs),
            scrub.last.map_or(0, |last| last.read.bytes),
            scrub.last.map_or(0, |last| last.damaged),
        ))
        .await?;
    Ok(advanced == 1)
}
