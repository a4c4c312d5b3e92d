//! Manifests that refer to another manifest.

use model::id::RepoId;

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Records a manifest that refers to another one, with its entry in the list of referrers.
pub async fn add(
    tx: &mut Tx,
    repo_id: RepoId,
    image: &str,
    subject: &str,
    file_id: i64,
    descriptor: &str,
) -> Result<()> {
    tx.run(insert!(
        oci_subjects { repo_id, image, subject, file_id, descriptor },
        "ON CONFLICT (repo_id, image, subject, file_id) DO UPDATE SET descriptor = excluded.descriptor",
    ))
    .await?;
    Ok(())
}

/// Returns the entries of manifests that refer to a manifest, after one of them, in the order in which they came.
pub async fn list(
    db: &dyn Read,
    repo_id: RepoId,
    image: &str,
    subject: &str,
    after: i64,
    limit: i64,
) -> Result<Vec<(i64, String)>> {
    db.all(sql!(
        "SELECT file_id, descriptor FROM oci_subjects
         WHERE repo_id = $1 AND image = $2 AND subject = $3 AND file_id > $4
         ORDER BY file_id
         LIMIT $5",
        repo_id,
        image,
        subject,
        after,
        limit,
    ))
    .await
}

/// Returns the entries of the manifests that refer to a manifest, each with the oldest version that reaches it.
pub async fn list_with_versions(
    db: &dyn Read,
    repo_id: RepoId,
    image: &str,
    subject: &str,
    limit: i64,
) -> Result<Vec<(String, String)>> {
    db.all(sql!(
        "SELECT s.descriptor, v.name
         FROM oci_subjects s
         JOIN files f ON f.id = s.file_id
         JOIN versions v ON v.id = f.version_id
         WHERE s.repo_id = $1 AND s.image = $2 AND s.subject = $3
         ORDER BY s.file_id
         LIMIT $4",
        repo_id,
        image,
        subject,
        limit,
    ))
    .await
}
