//! Packages that have published versions, for lists of native clients.

use model::{
    id::{PackageId, RepoId, VersionId},
    prefix::NameRange,
};

use crate::{
    Read, Result,
    engine::{
        keys,
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A package in such a list.
    pub struct PublishedPackage in "p" {
        /// Its id.
        id: PackageId,
        /// Its name.
        name: String,
        /// When it, or something in it, last changed.
        updated: i64,
    }
}

/// Returns the packages of a repository with published versions whose names come after this one, by name.
pub async fn list_after(db: &dyn Read, repo_id: RepoId, after: &str, limit: i64) -> Result<Vec<PublishedPackage>> {
    db.all(select!(
        PublishedPackage,
        "FROM packages p
         WHERE p.repo_id = $1 AND p.name > $2
             AND EXISTS (SELECT 1 FROM versions v WHERE v.package_id = p.id AND v.published_files > 0)
         ORDER BY p.name
         LIMIT $3",
        repo_id,
        after,
        limit,
    ))
    .await
}

/// Returns the published versions of a repository with the names of their packages, by package.
pub async fn list_versions(db: &dyn Read, repo_id: RepoId, limit: i64) -> Result<Vec<(String, String)>> {
    db.all(sql!(
        "SELECT p.name, v.name
         FROM packages p JOIN versions v ON v.package_id = p.id
         WHERE p.repo_id = $1 AND v.published_files > 0
         ORDER BY p.name, v.ordinal
         LIMIT $2",
        repo_id,
        limit,
    ))
    .await
}

/// Returns those of these packages that have published versions.
pub async fn list_by_ids(db: &dyn Read, ids: &[PackageId]) -> Result<Vec<PublishedPackage>> {
    let statement = select!(
        PublishedPackage,
        "FROM packages p
         WHERE p.id IN ($keys)
             AND EXISTS (SELECT 1 FROM versions v WHERE v.package_id = p.id AND v.published_files > 0)
         ORDER BY p.name",
    );
    keys::all(db, statement, ids).await
}

/// Returns the packages of those of these versions that are published.
pub async fn ids_of_versions(db: &dyn Read, version_ids: &[VersionId]) -> Result<Vec<PackageId>> {
    let statement =
        sql!("SELECT v.package_id FROM versions v WHERE v.id IN ($keys) AND v.published_files > 0 ORDER BY v.id");
    keys::all(db, statement, version_ids).await
}

/// Returns the packages with published files at a path or below it.
pub async fn ids_below(db: &dyn Read, repo_id: RepoId, path: &str, limit: i64) -> Result<Vec<PackageId>> {
    let path = path.trim_matches('/');
    let folder = NameRange::beginning_with(&format!("{path}/"));
    db.all(sql!(
        "SELECT DISTINCT f.package_id
         FROM files f
         WHERE f.repo_id = $1 AND (f.path = $2 OR f.path >= $3 AND f.path < $4) AND f.published_blob_id IS NOT NULL
         LIMIT $5",
        repo_id,
        path,
        folder.from,
        folder.to,
        limit,
    ))
    .await
}
