//! Manifests that wait to be published.

use model::id::{BlobId, RepoId};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A manifest that waits.
    pub struct StagedManifest in "m" {
        /// Its database id.
        id: i64,
        /// Its tag or digest.
        reference: String,
        /// The id of its content.
        blob_id: BlobId,
        /// The facts about it.
        facts: String,
        /// What it names.
        named: String,
    }
}

/// Stages a manifest under its tag or digest, instead of one that was staged there before.
pub async fn replace(tx: &mut Tx, repo_id: RepoId, image: &str, new: &StagedManifest) -> Result<()> {
    delete(tx, repo_id, image, &new.reference).await?;
    tx.run(insert!(staged_manifests {
        id: new.id,
        repo_id,
        image,
        reference: &new.reference,
        blob_id: new.blob_id,
        facts: &new.facts,
        named: &new.named,
    }))
    .await?;
    Ok(())
}

/// Records content that a staged manifest needs.
pub async fn add_blob(tx: &mut Tx, manifest_id: i64, blob_id: BlobId) -> Result<()> {
    tx.run(insert!(staged_blobs { manifest_id, blob_id }, "ON CONFLICT (manifest_id, blob_id) DO NOTHING")).await?;
    Ok(())
}

/// Returns the manifest that is staged under a tag or digest.
pub async fn find(db: &dyn Read, repo_id: RepoId, image: &str, reference: &str) -> Result<Option<StagedManifest>> {
    db.one(select!(
        StagedManifest,
        "FROM staged_manifests m WHERE m.repo_id = $1 AND m.image = $2 AND m.reference = $3",
        repo_id,
        image,
        reference,
    ))
    .await
}

/// Returns the staged manifests of an image, in the order in which they came.
pub async fn list(db: &dyn Read, repo_id: RepoId, image: &str, limit: i64) -> Result<Vec<StagedManifest>> {
    db.all(select!(
        StagedManifest,
        "FROM staged_manifests m WHERE m.repo_id = $1 AND m.image = $2 ORDER BY m.id LIMIT $3",
        repo_id,
        image,
        limit,
    ))
    .await
}

/// Returns the tags that are staged in a repository, or in one of its images, each with its image.
pub async fn list_tags(
    db: &dyn Read,
    repo_id: RepoId,
    image: Option<&str>,
    limit: i64,
) -> Result<Vec<(String, String)>> {
    let (first, last) = image.map_or(("", "~"), |image| (image, image));
    db.all(sql!(
        "SELECT image, reference FROM staged_manifests
         WHERE repo_id = $1 AND image >= $2 AND image <= $3 AND reference NOT LIKE 'sha256:%'
         ORDER BY image, reference
         LIMIT $4",
        repo_id,
        first,
        last,
        limit,
    ))
    .await
}

/// Removes a staged manifest; returns whether it existed.
pub async fn delete(tx: &mut Tx, repo_id: RepoId, image: &str, reference: &str) -> Result<bool> {
    let deleted = sql!(
        "DELETE FROM staged_manifests WHERE repo_id = $1 AND image = $2 AND reference = $3",
        repo_id,
        image,
        reference,
    )
    .long();
    Ok(tx.run(deleted).await? == 1)
}
