//! Content that was pushed to an image and that no manifest uses yet. It is not garbage for a while.

use model::{
    blob::Blob,
    digest::Digest,
    id::{BlobId, RepoId},
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    content::blobs::BlobRow,
    engine::statement::{insert, select, sql},
};

/// Holds content for an image; returns `false` if it was removed meanwhile.
pub async fn insert(tx: &mut Tx, repo_id: RepoId, image: &str, blob_id: BlobId, now: Timestamp) -> Result<bool> {
    // Locks the row, so that a collector that decides about it sees the hold.
    let kept = sql!("UPDATE blobs SET size = size WHERE id = $1 AND NOT is_going", blob_id);
    if tx.run(kept).await? == 0 {
        return Ok(false);
    }
    tx.run(insert!(
        held_blobs { repo_id, image, blob_id, at: now },
        "ON CONFLICT (repo_id, image, blob_id) DO UPDATE SET at = excluded.at",
    ))
    .await?;
    Ok(true)
}

/// Returns content by its digest that is held for an image or staged in it.
pub async fn find(db: &dyn Read, repo_id: RepoId, image: &str, sha256: Digest) -> Result<Option<Blob>> {
    let row: Option<BlobRow> = db
        .one(select!(
            BlobRow,
            "FROM blobs b
             WHERE b.sha256 = $3 AND NOT b.is_going AND (
                 EXISTS (SELECT 1 FROM held_blobs h WHERE h.blob_id = b.id AND h.repo_id = $1 AND h.image = $2)
                 OR EXISTS (
                     SELECT 1 FROM staged_blobs s
                     JOIN staged_manifests m ON m.id = s.manifest_id
                     WHERE s.blob_id = b.id AND m.repo_id = $1 AND m.image = $2
                 )
             )",
            repo_id,
            image,
            sha256,
        ))
        .await?;
    row.map(Blob::try_from).transpose()
}

/// Ends the hold of content that a file of the image uses now.
pub async fn delete(tx: &mut Tx, repo_id: RepoId, image: &str, blob_id: BlobId) -> Result<()> {
    tx.run(
        sql!("DELETE FROM held_blobs WHERE repo_id = $1 AND image = $2 AND blob_id = $3", repo_id, image, blob_id)
            .long(),
    )
    .await?;
    Ok(())
}

/// Ends the holds that are older than a time; returns their number.
pub async fn delete_old(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.run(sql!("DELETE FROM held_blobs WHERE at < $1", before).long()).await
}
