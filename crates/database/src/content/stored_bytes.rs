//! The storage used by the files of a repository, in bytes.

use std::collections::HashMap;

use model::{
    access::Viewer,
    id::{PackageId, RepoId, SubjectId, VersionId},
};

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        statement::{insert, sql},
    },
};

/// The number of rows per repository: with several, uploads of different versions rarely wait for each other.
const SLOTS: i64 = 8;

/// One of the rows of a repository, chosen by the id of the version or the package whose files have changed.
#[derive(Debug, Clone, Copy)]
pub struct Slot(i64);

impl From<VersionId> for Slot {
    fn from(id: VersionId) -> Self {
        Self(id.get().rem_euclid(SLOTS))
    }
}

impl From<PackageId> for Slot {
    fn from(id: PackageId) -> Self {
        Self(id.get().rem_euclid(SLOTS))
    }
}

/// Adds to the storage used by a repository; a negative number subtracts.
pub async fn add(tx: &mut Tx, repo_id: RepoId, slot: impl Into<Slot>, bytes: i64) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    tx.run(insert!(
        stored_bytes { repo_id, slot: slot.into().0, bytes },
        "ON CONFLICT (repo_id, slot) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes",
    ))
    .await?;
    Ok(())
}

/// Returns the bytes of a version's files, published and staged.
pub async fn of_version(db: &dyn Read, version_id: VersionId) -> Result<i64> {
    let bytes = db
        .one(sql!(
            "SELECT CAST(COALESCE(SUM(COALESCE(p.size, 0) + COALESCE(s.size, 0)), 0) AS BIGINT)
             FROM files f
             LEFT JOIN blobs p ON p.id = f.published_blob_id
             LEFT JOIN blobs s ON s.id = f.staged_blob_id
             WHERE f.version_id = $1",
            version_id,
        ))
        .await?;
    Ok(bytes.unwrap_or_default())
}

/// Returns the bytes of a repository's files, published and staged.
pub async fn of_repo(db: &dyn Read, repo_id: RepoId) -> Result<i64> {
    let statement =
        sql!("SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM stored_bytes WHERE repo_id = $1", repo_id);
    Ok(db.one(statement).await?.unwrap_or_default())
}

/// Returns the bytes of a repository's staged files, which only publishers may see.
pub async fn staged_of_repo(db: &dyn Read, repo_id: RepoId) -> Result<i64> {
    let bytes = db
        .one(sql!(
            "SELECT CAST(COALESCE(SUM(b.size), 0) AS BIGINT)
             FROM files f
             JOIN blobs b ON b.id = f.staged_blob_id
             WHERE f.repo_id = $1 AND f.staged_blob_id IS NOT NULL",
            repo_id,
        ))
        .await?;
    Ok(bytes.unwrap_or_default())
}

/// Returns the bytes of the files in all repositories of a subject, published and staged.
pub async fn of_owner(db: &dyn Read, owner_id: SubjectId) -> Result<i64> {
    let bytes = db
        .one(sql!(
            "SELECT CAST(COALESCE(SUM(b.bytes), 0) AS BIGINT)
             FROM repos r
             JOIN stored_bytes b ON b.repo_id = r.id
             WHERE r.owner_id = $1",
            owner_id,
        ))
        .await?;
    Ok(bytes.unwrap_or_default())
}

/// Returns the number of repositories that store something, and the bytes of their files: content that several files
/// share counts for each.
pub async fn of_all(db: &dyn Read) -> Result<(i64, i64)> {
    let both: Option<(i64, i64)> = db
        .one(sql!(
            "SELECT CAST(COUNT(DISTINCT repo_id) AS BIGINT), CAST(COALESCE(SUM(bytes), 0) AS BIGINT)
             FROM stored_bytes
             WHERE repo_id > 0"
        ))
        .await?;
    Ok(both.unwrap_or_default())
}

/// Returns the bytes of the files in all repositories of each format, by format.
pub async fn of_formats(db: &dyn Read) -> Result<Vec<(String, i64)>> {
    db.all(sql!(
        "SELECT r.type, CAST(SUM(b.bytes) AS BIGINT)
         FROM stored_bytes b
         JOIN repos r ON r.id = b.repo_id
         WHERE b.repo_id > 0
         GROUP BY r.type
         ORDER BY r.type"
    ))
    .await
}

/// Returns the bytes of a package's files, published and staged.
pub async fn of_package(db: &dyn Read, package_id: PackageId) -> Result<i64> {
    let bytes = db
        .one(sql!(
            "SELECT CAST(COALESCE(SUM(COALESCE(p.size, 0) + COALESCE(s.size, 0)), 0) AS BIGINT)
             FROM files f
             LEFT JOIN blobs p ON p.id = f.published_blob_id
             LEFT JOIN blobs s ON s.id = f.staged_blob_id
             WHERE f.package_id = $1",
            package_id,
        ))
        .await?;
    Ok(bytes.unwrap_or_default())
}

/// Returns the bytes of each subject's repositories that the viewer may see, without staged files where the viewer may
/// not publish; subjects without any are left out.
pub async fn of_owners(db: &dyn Read, owner_ids: &[SubjectId], reader: Viewer) -> Result<HashMap<SubjectId, i64>> {
    let mut bytes = all_of_owners(db, owner_ids, reader).await?;
    for (owner_id, hidden) in hidden_of_owners(db, owner_ids, reader).await? {
        bytes.entry(owner_id).and_modify(|bytes| *bytes -= hidden);
    }
    Ok(bytes)
}

async fn all_of_owners(db: &dyn Read, owner_ids: &[SubjectId], reader: Viewer) -> Result<HashMap<SubjectId, i64>> {
    let statement = sql!(
        "SELECT r.owner_id, CAST(SUM(b.bytes) AS BIGINT)
         FROM repos r
         JOIN stored_bytes b ON b.repo_id = r.id
         WHERE r.owner_id IN ($keys)
             AND (NOT r.is_private OR ($2 AND r.owner_id > 0)
                 OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1 AND g.granted = 3))
         GROUP BY r.owner_id
         ORDER BY r.owner_id",
        reader.id,
        reader.sees_everything,
    );
    Ok(keys::all::<(SubjectId, i64)>(db, statement, owner_ids).await?.into_iter().collect())
}

/// The bytes of staged files in public repositories in which the viewer may not publish.
async fn hidden_of_owners(db: &dyn Read, owner_ids: &[SubjectId], reader: Viewer) -> Result<Vec<(SubjectId, i64)>> {
    let statement = sql!(
        "SELECT r.owner_id, CAST(SUM(b.size) AS BIGINT)
         FROM repos r
         JOIN files f ON f.repo_id = r.id AND f.staged_blob_id IS NOT NULL
         JOIN blobs b ON b.id = f.staged_blob_id
         WHERE r.owner_id IN ($keys) AND NOT r.is_private AND NOT $2
             AND NOT EXISTS (SELECT 1 FROM repo_grants g
                 WHERE g.repo_id = r.id AND g.grantee_id = $1 AND g.granted >= 2)
         GROUP BY r.owner_id
         ORDER BY r.owner_id",
        reader.id,
        reader.sees_everything,
    );
    keys::all(db, statement, owner_ids).await
}
