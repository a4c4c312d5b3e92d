//! Content whose stored bytes are damaged or missing, and the results of checks.

use model::{
    blob::{Blob, Check, Damaged},
    id::{BlobId, RepoId},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    content::blobs::BlobRow,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{select, sql},
    },
};

/// The number of repositories whose cached answers are invalidated individually. With more, all caches are invalidated.
const REPOS: i64 = 200;

row! {
    struct DamagedRow { since: i64 = "b.damaged_since", reason: Option<String> = "b.damage", ..blob: BlobRow }
}

impl TryFrom<DamagedRow> for Damaged {
    type Error = Error;

    fn try_from(row: DamagedRow) -> Result<Self> {
        let DamagedRow { since, reason, blob } = row;
        let (since, reason) = (Timestamp::from_millis(since), reason.unwrap_or_default());
        Ok(Damaged { blob: Blob::try_from(blob)?, since, reason })
    }
}

/// Withholds content from readers and invalidates cached answers about it. Returns `false` if it is already withheld,
/// or was stored again after the check.
pub async fn mark(tx: &mut Tx, blob: &Blob, reason: &str, now: Timestamp) -> Result<bool> {
    let marked = tx
        .run(sql!(
            "UPDATE blobs SET damaged_since = $2, damage = $3
             WHERE id = $1 AND damaged_since IS NULL AND NOT is_going
                 AND COALESCE(verified, 0) = $4 AND COALESCE(stamp, 0) = $5",
            blob.id,
            now,
            reason,
            blob.check.map_or(0, |check| check.at.millis()),
            blob.check.map_or(0, |check| check.stamp),
        ))
        .await?;
    if marked == 1 {
        end_answers(tx, blob.id).await?;
    }
    Ok(marked == 1)
}

/// Records that the stored bytes were replaced: cached answers may still contain the old file.
pub async fn heal(tx: &mut Tx, blob_id: BlobId, check: Check) -> Result<()> {
    clear(tx, blob_id, check).await?;
    end_answers(tx, blob_id).await
}

/// Invalidates cached answers about the files that refer to some content.
pub async fn end_answers(tx: &mut Tx, blob_id: BlobId) -> Result<()> {
    let repos: Vec<RepoId> = tx
        .all(sql!(
            "SELECT repo_id FROM files WHERE published_blob_id = $1
             UNION
             SELECT repo_id FROM files WHERE staged_blob_id = $1
             ORDER BY 1
             LIMIT $2",
            blob_id,
            REPOS + 1,
        ))
        .await?;
    if repos.len() as i64 > REPOS {
        tx.invalidate(Invalidation::Everything);
    } else {
        repos.into_iter().for_each(|repo_id| tx.invalidate(Invalidation::Files(repo_id)));
    }
    Ok(())
}

/// Records that stored bytes are correct; withheld content becomes available again.
pub async fn clear(tx: &mut Tx, blob_id: BlobId, check: Check) -> Result<()> {
    tx.run(sql!(
        "UPDATE blobs SET verified = $2, stamp = $3, damaged_since = NULL, damage = NULL WHERE id = $1",
        blob_id,
        check.at,
        check.stamp,
    ))
    .await?;
    Ok(())
}

/// Returns a page of the withheld content, by id.
pub async fn list(db: &dyn Read, after_id: BlobId, limit: i64) -> Result<Vec<Damaged>> {
    let rows: Vec<DamagedRow> = db
        .all(select!(
            DamagedRow,
            "FROM blobs b
             WHERE b.damaged_since IS NOT NULL AND b.id > $1
             ORDER BY b.id
             LIMIT $2",
            after_id,
            limit,
        ))
        .await?;
    rows.into_iter().map(Damaged::try_from).collect()
}

/// Counts the blobs that are withheld.
pub async fn count(db: &dyn Read) -> Result<i64> {
    let count: Option<i64> =
        db.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM blobs WHERE damaged_since IS NOT NULL AND id > 0")).await?;
    Ok(count.unwrap_or_default())
}
