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

/// Returns the entries of the manifests that refer to a manifest, in the order in which they came.
pub async fn list(db: &impl Read, repo_id: RepoId, image: &str, subject: &str, limit: i64) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT descriptor FROM oci_subjects
         WHERE repo_id = $1 AND image = $2 AND subject = $3
         ORDER BY file_id
         LIMIT $4",
        repo_id,
        image,
        subject,
        limit,
    ))
    .await
}
