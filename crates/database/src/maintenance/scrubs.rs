//! How far all content has been read and held against its digests.

use model::timestamp::Timestamp;

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
    maintenance::garbage::BlobTotals,
};

/// The key of the one row.
const ROW: i64 = 1;

/// A pass over all content, and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scrub {
    /// When the pass began.
    pub started: Timestamp,
    /// The key of the last content that was looked at.
    pub reached: i64,
    /// What was looked at.
    pub read: BlobTotals,
    /// How many blobs of it were damaged.
    pub damaged: i64,
    /// The last pass that reached its end.
    pub last: Option<Pass>,
}

/// A pass that reached its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// What was looked at.
    pub read: BlobTotals,
    /// How many blobs of it were damaged.
    pub damaged: i64,
}

row! {
    struct ScrubRow {
        started: i64, reached: i64, blobs: i64, bytes: i64, damaged: i64, last_started: Option<i64>,
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

/// How far it is; `None` before the first pass.
pub async fn find(db: &impl Read) -> Result<Option<Scrub>> {
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

/// Claims the pass until a time, for the first time or once more; `false` while another server has it.
pub async fn claim(tx: &mut Tx, token: i64, now: Timestamp, until: Timestamp) -> Result<bool> {
    let claimed = tx
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
    Ok(claimed == 1)
}

/// Gives the pass free, if it is claimed by this token.
pub async fn release(tx: &mut Tx, token: i64) -> Result<()> {
    tx.run(sql!("UPDATE scrubs SET claimed_until = 0 WHERE id = $1 AND claim = $2", ROW, token)).await?;
    Ok(())
}

/// Writes down how far the pass is; `false` when another server has it by now.
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
