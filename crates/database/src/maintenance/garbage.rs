//! Unreferenced content: it is dated, marked and deleted.
//!
//! A process that removes content holds the [`CollectorLock`](crate::CollectorLock). Uploads do not wait for it: an
//! upload and the collector both lock the row of the content while they decide.

use model::{blob::BlobTotals, digest::Digest, id::BlobId, timestamp::Timestamp};

use crate::{
    Error, Read, Result, Tx,
    content::blobs::BlobTotalsRow,
    engine::{
        row::row,
        statement::{RowLock, insert, select, sql},
    },
};

/// Content that is marked for removal: no upload can use it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkedBlob {
    /// Its database id.
    pub id: BlobId,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its size in bytes.
    pub size: i64,
    /// When it was marked.
    pub since: Timestamp,
}

/// The position of a sweep over unreferenced content, by date and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepCursor(i64, BlobId);

impl SweepCursor {
    /// The position before all dated content.
    pub const START: SweepCursor = SweepCursor(0, BlobId::new(i64::MAX));
}

/// The result for one batch of unreferenced content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkBatch {
    /// The blobs that were marked.
    pub marked: Vec<MarkedBlob>,
    /// Where to continue; `None` at the end.
    pub next: Option<SweepCursor>,
}

row! {
    struct UnreferencedRow { id: BlobId, sha256: String, size: i64, since: i64 = "loose_since" }
}

impl TryFrom<UnreferencedRow> for MarkedBlob {
    type Error = Error;

    fn try_from(row: UnreferencedRow) -> Result<Self> {
        let sha256 = row.sha256.parse().map_err(|_| Error::Broken(format!("blob {} has a damaged row", row.id)))?;
        Ok(MarkedBlob { id: row.id, sha256, size: row.size, since: Timestamp::from_millis(row.since) })
    }
}

/// Dates some of the content that has become unreferenced, and some that a wrong clock has dated in the future; returns
/// the number of blobs.
pub async fn date(tx: &mut Tx, now: Timestamp, limit: i64) -> Result<usize> {
    let undated = sql!("SELECT id FROM blobs WHERE loose_since = 0 AND NOT is_going ORDER BY id LIMIT $1", limit);
    let mut ids: Vec<BlobId> = tx.all(undated.locking(RowLock::SkipLocked)).await?;
    let future = sql!(
        "SELECT id FROM blobs WHERE loose_since > $1 AND NOT is_going ORDER BY loose_since, id LIMIT $2",
        now,
        limit,
    );
    ids.extend(tx.all::<BlobId>(future.locking(RowLock::SkipLocked)).await?);
    for id in &ids {
        tx.run(sql!("UPDATE blobs SET loose_since = $2 WHERE id = $1", *id, now)).await?;
    }
    Ok(ids.len())
}

/// Checks some of the content that has been unreferenced since a time or longer: marks what no file refers to, and
/// keeps the rest.
pub async fn mark(tx: &mut Tx, after: SweepCursor, until: Timestamp, now: Timestamp, limit: i64) -> Result<MarkBatch> {
    let loose = select!(
        UnreferencedRow,
        "FROM blobs
         WHERE (loose_since, id) > ($1, $2) AND loose_since <= $3 AND NOT is_going
         ORDER BY loose_since, id
         LIMIT $4",
        after.0,
        after.1,
        until,
        limit,
    );
    // An upload that is about to use the content holds a lock on its row; such content is not unreferenced.
    let rows: Vec<UnreferencedRow> = tx.all(loose.locking(RowLock::SkipLocked)).await?;
    let next = rows.last().map(|row| SweepCursor(row.since, row.id));
    let mut marked = Vec::new();
    for row in rows {
        if mark_one(tx, row.id, now).await? {
            marked.push(MarkedBlob { since: now, ..MarkedBlob::try_from(row)? });
        } else {
            mark_used(tx, row.id).await?;
        }
    }
    Ok(MarkBatch { marked, next })
}

/// Marks content that no file refers to and that is not held for an image.
async fn mark_one(tx: &mut Tx, id: BlobId, now: Timestamp) -> Result<bool> {
    let changed = tx
        .run(sql!(
            "UPDATE blobs SET is_going = TRUE, loose_since = $2
             WHERE id = $1
                 AND NOT EXISTS (SELECT 1 FROM files WHERE published_blob_id = $1)
                 AND NOT EXISTS (SELECT 1 FROM files WHERE staged_blob_id = $1)
                 AND NOT EXISTS (SELECT 1 FROM download_log_parts WHERE blob_id = $1)
                 AND NOT EXISTS (SELECT 1 FROM held_blobs WHERE blob_id = $1)
                 AND NOT EXISTS (SELECT 1 FROM staged_blobs WHERE blob_id = $1)",
            id,
            now,
        ))
        .await?;
    Ok(changed == 1)
}

/// Clears the date of content that a file refers to. While its last file is being deleted, the date stays, or the
/// deletion would go unnoticed.
async fn mark_used(tx: &mut Tx, id: BlobId) -> Result<()> {
    let user =
        sql!("SELECT id FROM files WHERE published_blob_id = $1 OR staged_blob_id = $1 ORDER BY id LIMIT 1", id,);
    let user: Option<i64> = tx.one(user.locking(RowLock::SkipLockedShare)).await?;
    let part = sql!("SELECT id FROM download_log_parts WHERE blob_id = $1 ORDER BY id LIMIT 1", id);
    let part: Option<i64> = tx.one(part.locking(RowLock::SkipLockedShare)).await?;
    if user.or(part).is_some() {
        tx.run(sql!("UPDATE blobs SET loose_since = NULL WHERE id = $1", id)).await?;
    }
    Ok(())
}

/// Marks content in the store that has no row, by adding a row for it; returns `false` if it has one by now.
pub async fn mark_orphan(tx: &mut Tx, orphan: MarkedBlob) -> Result<bool> {
    let inserted = tx
        .run(insert!(
            blobs {
                id: orphan.id,
                sha256: orphan.sha256,
                sha1: "",
                size: orphan.size,
                loose_since: orphan.since,
                is_going: true,
            },
            "ON CONFLICT (sha256) DO NOTHING",
        ))
        .await?;
    Ok(inserted == 1)
}

/// Returns some of the marked content, for a collector that takes over from one that stopped.
pub async fn list_marked(db: &dyn Read, after_id: BlobId, limit: i64) -> Result<Vec<MarkedBlob>> {
    let rows: Vec<UnreferencedRow> = db
        .all(select!(
            UnreferencedRow,
            "FROM blobs
             WHERE is_going AND id > $1
             ORDER BY id
             LIMIT $2",
            after_id,
            limit,
        ))
        .await?;
    rows.into_iter().map(MarkedBlob::try_from).collect()
}

/// Deletes the row of content that the store no longer has.
pub async fn delete_removed(tx: &mut Tx, id: BlobId) -> Result<()> {
    tx.run(sql!("DELETE FROM blobs WHERE id = $1 AND is_going", id).long()).await?;
    Ok(())
}

/// Makes marked content unreferenced again because the store refuses to remove it. Content that had no row before gets
/// none now.
pub async fn spare(tx: &mut Tx, id: BlobId, now: Timestamp) -> Result<()> {
    tx.run(sql!("DELETE FROM blobs WHERE id = $1 AND is_going AND sha1 = '' AND NOT sums_on_request", id).long())
        .await?;
    tx.run(sql!("UPDATE blobs SET is_going = FALSE, loose_since = $2 WHERE id = $1 AND is_going", id, now)).await?;
    Ok(())
}

/// Counts the content that has been unreferenced since a time within this range and that no file refers to.
pub async fn count_unreferenced(db: &dyn Read, from: Timestamp, to: Timestamp) -> Result<BlobTotals> {
    let amount = db
        .one(select!(
            BlobTotalsRow,
            "FROM blobs b
             WHERE b.loose_since >= $1 AND b.loose_since <= $2 AND NOT b.is_going
                 AND NOT EXISTS (SELECT 1 FROM files f WHERE f.published_blob_id = b.id)
                 AND NOT EXISTS (SELECT 1 FROM files f WHERE f.staged_blob_id = b.id)
                 AND NOT EXISTS (SELECT 1 FROM download_log_parts l WHERE l.blob_id = b.id)
                 AND NOT EXISTS (SELECT 1 FROM held_blobs h WHERE h.blob_id = b.id)
                 AND NOT EXISTS (SELECT 1 FROM staged_blobs s WHERE s.blob_id = b.id)",
            from,
            to,
        ))
        .await?;
    Ok(amount.unwrap_or_default())
}

/// Counts the marked content.
pub async fn count_marked(db: &dyn Read) -> Result<BlobTotals> {
    let amount = db
        .one(select!(
            BlobTotalsRow,
            "FROM blobs b
             WHERE b.is_going AND b.id > 0"
        ))
        .await?;
    Ok(amount.unwrap_or_default())
}
