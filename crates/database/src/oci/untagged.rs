//! Manifests that no tag uses, in repositories that remove them after some days.

use model::{
    id::{PackageId, RepoId, VersionId},
    timestamp::Timestamp,
};

use crate::{
    Read, Result,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A version that is named by the digest of a manifest without a tag.
    pub struct UntaggedVersion in "v" {
        /// Its database id.
        id: VersionId,
        /// The id of its package.
        package_id: PackageId,
    }
}

/// Returns the repositories that remove manifests without a tag, each with the number of days that they stay.
pub async fn list_repos(db: &dyn Read) -> Result<Vec<(RepoId, i64)>> {
    db.all(sql!("SELECT id, untagged_days FROM repos WHERE untagged_days IS NOT NULL AND id > 0 ORDER BY id").long())
        .await
}

/// Returns versions of a repository after one of them that are named by a digest and were made before a time. Manifests
/// that an index names, and those that refer to another one, are not among them.
pub async fn list(
    db: &dyn Read,
    repo_id: RepoId,
    before: Timestamp,
    after: VersionId,
    limit: i64,
) -> Result<Vec<UntaggedVersion>> {
    let statement = select!(
        UntaggedVersion,
        "FROM packages p
         JOIN versions v ON v.package_id = p.id
         JOIN files f ON f.repo_id = $1 AND f.path = REPLACE(p.name, ':', '/') || '/manifests/' || v.name
         WHERE p.repo_id = $1 AND v.name >= 'sha256:' AND v.name < 'sha256;' AND v.created < $2 AND v.id > $3
             AND NOT EXISTS (SELECT 1 FROM oci_references r WHERE r.file_id = f.id)
             AND NOT EXISTS (SELECT 1 FROM oci_subjects s WHERE s.file_id = f.id)
         ORDER BY v.id
         LIMIT $4",
        repo_id,
        before,
        after,
        limit,
    );
    db.all(statement.long()).await
}

/// Returns whether a version is still one of those that [`list`] returns.
pub async fn is_removable(db: &dyn Read, repo_id: RepoId, id: VersionId) -> Result<bool> {
    let found: Option<VersionId> = db
        .one(sql!(
            "SELECT v.id
             FROM versions v
             JOIN packages p ON p.id = v.package_id
             JOIN files f ON f.repo_id = $1 AND f.path = REPLACE(p.name, ':', '/') || '/manifests/' || v.name
             WHERE v.id = $2
                 AND NOT EXISTS (SELECT 1 FROM oci_references r WHERE r.file_id = f.id)
                 AND NOT EXISTS (SELECT 1 FROM oci_subjects s WHERE s.file_id = f.id)",
            repo_id,
            id,
        ))
        .await?;
    Ok(found.is_some())
}
