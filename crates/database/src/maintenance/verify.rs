//! Queries for comparing the rows with the store and with each other.

use model::{
    blob::Blob,
    digest::Digest,
    id::{BlobId, RepoId, VersionId},
};

use crate::{
    Read, Result,
    content::blobs::BlobRow,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

/// Returns some of the content that files refer to, by id.
pub async fn list_used(db: &dyn Read, after_id: BlobId, limit: i64) -> Result<Vec<Blob>> {
    let rows: Vec<BlobRow> = db
        .all(select!(
            BlobRow,
            "FROM blobs b
             WHERE b.id > $1
                 AND (EXISTS (SELECT 1 FROM files f WHERE f.published_blob_id = b.id)
                     OR EXISTS (SELECT 1 FROM files f WHERE f.staged_blob_id = b.id)
                     OR EXISTS (SELECT 1 FROM download_log_parts l WHERE l.blob_id = b.id))
             ORDER BY b.id
             LIMIT $2",
            after_id,
            limit,
        ))
        .await?;
    rows.into_iter().map(Blob::try_from).collect()
}

/// Returns the files that refer to some content, as `subject/repository/path`, and the packages whose logs refer to it.
pub async fn list_users(db: &dyn Read, blob_id: BlobId) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT s.name || '/' || r.name || '/' || f.path
         FROM files f
         JOIN repos r ON r.id = f.repo_id
         JOIN subjects s ON s.id = r.owner_id
         WHERE f.published_blob_id = $1 OR f.staged_blob_id = $1
         UNION
         SELECT 'log of ' || s.name || '/' || r.name || '/' || p.name
         FROM download_log_parts l
         JOIN packages p ON p.id = l.package_id
         JOIN repos r ON r.id = p.repo_id
         JOIN subjects s ON s.id = r.owner_id
         WHERE l.blob_id = $1
         ORDER BY 1",
        blob_id,
    ))
    .await
}

/// Returns whether this content has a row, referenced or not.
pub async fn is_known(db: &dyn Read, sha256: Digest) -> Result<bool> {
    let id: Option<BlobId> = db.one(sql!("SELECT id FROM blobs WHERE sha256 = $1", sha256)).await?;
    Ok(id.is_some())
}

row! {
    /// A stored number that is also computed from the rows.
    pub struct Count {
        /// The name of the object that it belongs to.
        name: String,
        /// The stored number.
        kept: i64,
        /// The computed number.
        found: i64,
    }
}

row! {
    struct RepoCountRow { id: RepoId, ..count: Count }
}

row! {
    struct VersionCountRow { id: VersionId, ..count: Count }
}

/// Returns the id and the bytes of the next repository, if any. A single statement reads both numbers at the same moment, so they
/// agree unless one is wrong.
pub async fn stored_bytes(db: &dyn Read, after_id: RepoId) -> Result<Option<(RepoId, Count)>> {
    let statement = sql!(
        "SELECT r.id, s.name || '/' || r.name,
             CAST(COALESCE((SELECT SUM(b.bytes) FROM stored_bytes b WHERE b.repo_id = r.id), 0) AS BIGINT),
             CAST(COALESCE((
                 SELECT SUM(COALESCE(p.size, 0) + COALESCE(g.size, 0))
                 FROM files f
                 LEFT JOIN blobs p ON p.id = f.published_blob_id
                 LEFT JOIN blobs g ON g.id = f.staged_blob_id
                 WHERE f.repo_id = r.id
             ), 0) AS BIGINT)
         FROM repos r
         JOIN subjects s ON s.id = r.owner_id
         WHERE r.id > $1 AND r.owner_id > 0
         ORDER BY r.id
         LIMIT 1",
        after_id,
    );
    let row: Option<RepoCountRow> = db.one(statement).await?;
    Ok(row.map(|row| (row.id, row.count)))
}

/// Returns the ids of some versions with their numbers of published files.
pub async fn published_files(db: &dyn Read, after_id: VersionId, limit: i64) -> Result<Vec<(VersionId, Count)>> {
    let statement = sql!(
        "SELECT v.id, s.name || '/' || r.name || '/' || p.name || '/' || v.name, v.published_files,
             (SELECT CAST(COUNT(*) AS BIGINT)
              FROM files f
              WHERE f.version_id = v.id AND f.published_blob_id IS NOT NULL)
         FROM versions v
         JOIN packages p ON p.id = v.package_id
         JOIN repos r ON r.id = p.repo_id
         JOIN subjects s ON s.id = r.owner_id
         WHERE v.id > $1 AND r.owner_id > 0
         ORDER BY v.id
         LIMIT $2",
        after_id,
        limit,
    );
    let rows: Vec<VersionCountRow> = db.all(statement).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.count)).collect())
}
