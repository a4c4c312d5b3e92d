//! The files that versions of images reach.

use std::collections::BTreeMap;

use model::{
    file_path::FilePath,
    id::{RepoId, VersionId},
};

use crate::{
    Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        keys,
        statement::{insert, sql},
    },
};

/// Records that a version reaches a file.
pub async fn add(tx: &mut Tx, version_id: VersionId, file_id: i64) -> Result<()> {
    tx.run(insert!(oci_uses { version_id, file_id }, "ON CONFLICT (version_id, file_id) DO NOTHING")).await?;
    Ok(())
}

/// Forgets what a version reaches.
pub async fn clear(tx: &mut Tx, version_id: VersionId) -> Result<()> {
    tx.run(sql!("DELETE FROM oci_uses WHERE version_id = $1", version_id).long()).await?;
    Ok(())
}

/// Returns the versions that reach a file, oldest first.
pub async fn list_versions(db: &dyn Read, file_id: i64) -> Result<Vec<VersionId>> {
    db.all(sql!("SELECT version_id FROM oci_uses WHERE file_id = $1 ORDER BY version_id", file_id)).await
}

/// Returns whether a version reaches a file.
pub async fn is_used(db: &dyn Read, file_id: i64) -> Result<bool> {
    let found: Option<i64> = db.one(sql!("SELECT file_id FROM oci_uses WHERE file_id = $1 LIMIT 1", file_id)).await?;
    Ok(found.is_some())
}

/// Returns one of these versions that reaches the file at a path.
pub async fn find_among(
    db: &dyn Read,
    repo_id: RepoId,
    path: &FilePath,
    version_ids: &[VersionId],
) -> Result<Option<VersionId>> {
    let statement = sql!(
        "SELECT u.version_id
         FROM files f
         JOIN oci_uses u ON u.file_id = f.id
         WHERE f.repo_id = $1 AND f.path = $2 AND u.version_id IN ($keys)
         ORDER BY u.version_id
         LIMIT 1",
        repo_id,
        path,
    );
    Ok(keys::all(db, statement, version_ids).await?.into_iter().next())
}

/// Gives the files of a version that only others reach to the oldest of those, so that they outlive it.
pub async fn release(tx: &mut Tx, repo_id: RepoId, version_id: VersionId) -> Result<()> {
    let shared: Vec<(i64, VersionId)> = tx
        .all(sql!(
            "SELECT f.id, MIN(u.version_id)
             FROM files f
             JOIN oci_uses u ON u.file_id = f.id
             WHERE f.version_id = $1 AND u.version_id <> $1
                 AND NOT EXISTS (SELECT 1 FROM oci_uses o WHERE o.file_id = f.id AND o.version_id = $1)
             GROUP BY f.id
             ORDER BY f.id",
            version_id,
        ))
        .await?;
    if shared.is_empty() {
        return Ok(());
    }
    tx.invalidate(Invalidation::Files(repo_id));
    let mut counts: BTreeMap<i64, i64> = BTreeMap::new();
    for (file_id, heir) in &shared {
        tx.run(sql!("UPDATE files SET version_id = $2 WHERE id = $1", *file_id, *heir)).await?;
        *counts.entry(heir.get()).or_default() += 1;
    }
    for (heir, count) in counts {
        add_published(tx, VersionId::new(heir), count).await?;
    }
    add_published(tx, version_id, -i64::try_from(shared.len()).unwrap_or(i64::MAX)).await
}

async fn add_published(tx: &mut Tx, id: VersionId, files: i64) -> Result<()> {
    tx.run(sql!("UPDATE versions SET published_files = published_files + $2 WHERE id = $1", id, files)).await?;
    Ok(())
}
