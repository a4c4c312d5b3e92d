//! Names in a repository that are taken for ever, in the notation of its format.

use model::id::{PackageId, RepoId, VersionId};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// A name that is taken.
    pub struct SpentName {
        /// What has taken it.
        holder: String,
        /// The version that has taken it, which may be gone.
        version_id: VersionId,
        /// Whether that version exists.
        has_version: bool = "EXISTS (SELECT 1 FROM versions v WHERE v.id = spent_names.version_id)",
        /// Whether that version exists and was published.
        is_published: bool = "EXISTS (SELECT 1 FROM versions v
            WHERE v.id = spent_names.version_id AND v.first_published IS NOT NULL)",
    }
}

/// Returns who has taken a name.
pub async fn find(db: &dyn Read, repo_id: RepoId, name: &str) -> Result<Option<SpentName>> {
    db.one(select!(SpentName, "FROM spent_names WHERE repo_id = $1 AND name = $2", repo_id, name).looking_up()).await
}

/// Takes a name; returns whether it was free.
pub async fn take(tx: &mut Tx, repo_id: RepoId, name: &str, holder: &str, version_id: VersionId) -> Result<bool> {
    let inserted = tx
        .run(insert!(spent_names { repo_id, name, holder, version_id }, "ON CONFLICT (repo_id, name) DO NOTHING"))
        .await?;
    Ok(inserted > 0)
}

/// Frees the names of a version that was never published.
pub async fn free(tx: &mut Tx, version_id: VersionId) -> Result<()> {
    tx.run(sql!("DELETE FROM spent_names WHERE version_id = $1", version_id).long()).await?;
    Ok(())
}

/// Frees one name, if this version has taken it.
pub async fn free_name(tx: &mut Tx, repo_id: RepoId, name: &str, version_id: VersionId) -> Result<()> {
    tx
        .run(
            sql!(
                "DELETE FROM spent_names WHERE repo_id = $1 AND name = $2 AND version_id = $3",
                repo_id,
                name,
                version_id,
            )
            .long(),
        )
        .await?;
    Ok(())
}

/// Frees the names of all versions of a package that were never published.
pub async fn free_unpublished(tx: &mut Tx, package_id: PackageId) -> Result<()> {
    tx.run(
        sql!(
            "DELETE FROM spent_names WHERE version_id IN (
                 SELECT id FROM versions WHERE package_id = $1 AND first_published IS NULL)",
            package_id,
        )
        .long(),
    )
    .await?;
    Ok(())
}

/// Hands a name over to another version.
pub async fn hand_over(tx: &mut Tx, repo_id: RepoId, name: &str, version_id: VersionId) -> Result<()> {
    tx.run(sql!("UPDATE spent_names SET version_id = $3 WHERE repo_id = $1 AND name = $2", repo_id, name, version_id,))
        .await?;
    Ok(())
}
