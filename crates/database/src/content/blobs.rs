//! Blobs: the content of files, as rows. The bytes are in the blob store.

use model::{
    blob::{Blob, BlobTotals, Check},
    digest::Digest,
    id::{BlobId, RepoId},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// Content that is about to be stored.
#[derive(Debug, Clone)]
pub struct NewBlob {
    /// The id for its row, if it has none yet.
    pub id: BlobId,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1, in hexadecimal digits, if known. Only layers of images may have none.
    pub sha1: Option<String>,
    /// Its MD5, if known.
    pub md5: Option<String>,
    /// Its SHA-512, if known.
    pub sha512: Option<String>,
    /// Its size in bytes.
    pub size: i64,
    /// Whether its other checksums are computed on request only.
    pub sums_on_request: bool,
}

row! {
    pub(crate) struct BlobRow in "b" {
        id: BlobId, sha256: String, sha1: Option<String> = "NULLIF(b.sha1, '')", md5: Option<String>,
        sha512: Option<String>, size: i64,
        is_damaged: bool = "b.damaged_since IS NOT NULL", verified: Option<i64>, stamp: Option<i64>,
    }
}

impl TryFrom<BlobRow> for Blob {
    type Error = Error;

    fn try_from(row: BlobRow) -> Result<Self> {
        let sha256 = row.sha256.parse().map_err(|_| Error::Broken(format!("blob {} has a damaged row", row.id)))?;
        let (id, is_damaged, check) = (row.id, row.is_damaged, check(row.verified, row.stamp));
        Ok(Blob { id, sha256, sha1: row.sha1, md5: row.md5, sha512: row.sha512, size: row.size, is_damaged, check })
    }
}

/// Combines two columns into a check.
pub(crate) fn check(verified: Option<i64>, stamp: Option<i64>) -> Option<Check> {
    verified.zip(stamp).map(|(at, stamp)| Check { at: Timestamp::from_millis(at), stamp })
}

/// Returns the blob with this id.
pub async fn find(db: &dyn Read, id: BlobId) -> Result<Option<Blob>> {
    let row: Option<BlobRow> = db.one(select!(BlobRow, "FROM blobs b WHERE b.id = $1", id).looking_up()).await?;
    row.map(Blob::try_from).transpose()
}

/// Returns the blob with this digest, unless it is marked for removal.
pub async fn find_by_digest(db: &dyn Read, sha256: Digest) -> Result<Option<Blob>> {
    let statement = select!(BlobRow, "FROM blobs b WHERE b.sha256 = $1 AND NOT b.is_going", sha256);
    let row: Option<BlobRow> = db.one(statement).await?;
    row.map(Blob::try_from).transpose()
}

row! {
    /// Content, and whether a file of the repository `$2` refers to it.
    struct ReferencedRow in "b" {
        is_in_repo: bool = "EXISTS (SELECT 1 FROM files f WHERE f.published_blob_id = b.id AND f.repo_id = $2)
            OR EXISTS (SELECT 1 FROM files f WHERE f.staged_blob_id = b.id AND f.repo_id = $2)",
        ..blob: BlobRow,
    }
}

/// Returns the blob with this digest if a file refers to it, which means that the store has it durably; and whether a
/// file of this repository refers to it.
pub async fn find_referenced(db: &dyn Read, sha256: Digest, repo_id: RepoId) -> Result<Option<(Blob, bool)>> {
    let statement = select!(
        ReferencedRow,
        "FROM blobs b WHERE b.sha256 = $1 AND b.loose_since IS NULL AND NOT b.is_going",
        sha256,
        repo_id,
    );
    let row: Option<ReferencedRow> = db.one(statement.looking_up()).await?;
    row.map(|ReferencedRow { is_in_repo, blob }| Ok((Blob::try_from(blob)?, is_in_repo))).transpose()
}

row! {
    /// The row of announced content.
    #[derive(Copy)]
    pub struct Announced {
        /// Its database id.
        id: BlobId,
        /// Whether its stored bytes are known to be damaged.
        is_damaged: bool,
    }
}

/// Announces content before the store has it, so that nothing in the store is without a row. Returns its row; `None`
/// while a collector removes the same content.
pub async fn announce(tx: &mut Tx, blob: &NewBlob, now: Timestamp) -> Result<Option<Announced>> {
    tx.one(insert!(
        blobs {
            id: blob.id,
            sha256: blob.sha256,
            sha1: blob.sha1.as_deref().unwrap_or_default(),
            md5: blob.md5.as_deref(),
            sha512: blob.sha512.as_deref(),
            size: blob.size,
            loose_since: now,
            is_going: false,
            sums_on_request: blob.sums_on_request,
        },
        "ON CONFLICT (sha256) DO UPDATE SET
             loose_since = CASE WHEN blobs.loose_since IS NULL THEN NULL ELSE excluded.loose_since END,
             sha1 = CASE WHEN blobs.sha1 = '' THEN excluded.sha1 ELSE blobs.sha1 END,
             md5 = COALESCE(blobs.md5, excluded.md5),
             sha512 = COALESCE(blobs.sha512, excluded.sha512),
             sums_on_request = blobs.sums_on_request AND excluded.sums_on_request
         WHERE NOT blobs.is_going
         RETURNING id, damaged_since IS NOT NULL",
    ))
    .await
}

/// Counts the content that files refer to. Reads all rows, so it is for administrators only.
pub async fn count_referenced(db: &dyn Read) -> Result<BlobTotals> {
    let amount = db
        .one(select!(BlobTotalsRow, "FROM blobs b WHERE b.id > 0 AND b.loose_since IS NULL AND NOT b.is_going"))
        .await?;
    Ok(amount.unwrap_or_default())
}

/// Marks content as used by a file of this transaction. Returns `false` if it was removed meanwhile.
///
/// A check means that its bytes were stored a moment ago; this clears any earlier damage.
pub async fn mark_used(tx: &mut Tx, id: BlobId, check: Option<Check>) -> Result<bool> {
    let kept = match check {
        None => tx.run(sql!("UPDATE blobs SET loose_since = NULL WHERE id = $1 AND NOT is_going", id)).await?,
        Some(Check { at, stamp }) => {
            let kept = sql!(
                "UPDATE blobs
                 SET loose_since = NULL, verified = $2, stamp = $3, damaged_since = NULL, damage = NULL
                 WHERE id = $1 AND NOT is_going",
                id,
                at,
                stamp,
            );
            tx.run(kept).await?
        }
    };
    Ok(kept == 1)
}

/// Returns some of the content that files refer to and whose slow checksums have not been computed yet, unless they are
/// computed on request only.
pub async fn list_without_md5(db: &dyn Read, limit: i64) -> Result<Vec<Blob>> {
    let rows: Vec<BlobRow> = db
        .all(select!(
            BlobRow,
            "FROM blobs b
             WHERE b.md5 IS NULL AND NOT b.sums_on_request AND b.loose_since IS NULL AND b.damaged_since IS NULL
             ORDER BY b.id
             LIMIT $1",
            limit,
        ))
        .await?;
    rows.into_iter().map(Blob::try_from).collect()
}

/// Stores the checksums that were computed later; keeps those that the row has and this blob does not.
pub async fn set_other_sums(tx: &mut Tx, blob: &Blob) -> Result<()> {
    let Blob { sha1, md5, sha512, .. } = blob;
    let (sha1, md5, sha512) = (sha1.as_deref().unwrap_or_default(), md5.as_deref(), sha512.as_deref());
    tx.run(sql!(
        "UPDATE blobs SET sha1 = $2, md5 = $3, sha512 = COALESCE($4, sha512) WHERE id = $1",
        blob.id,
        sha1,
        md5,
        sha512,
    ))
    .await?;
    Ok(())
}

row! {
    pub(crate) struct BlobTotalsRow => BlobTotals {
        blobs: i64 = "CAST(COUNT(*) AS BIGINT)", bytes: i64 = "CAST(COALESCE(SUM(b.size), 0) AS BIGINT)",
    }
}
