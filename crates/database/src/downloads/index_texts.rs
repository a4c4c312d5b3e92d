//! Index files as readers need them: with the package that they are about, also through links.

use model::{
    access::GrantScope,
    file_path::FilePath,
    id::{PackageId, RepoId},
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
    /// An index file.
    pub struct IndexText in "d" {
        /// The id of the repository that contains it.
        repo_id: RepoId,
        /// The id of the package that it is about, if it is an index of one.
        package_id: Option<PackageId>,
        /// Its text.
        content: String,
        /// When it was created, in milliseconds.
        created: i64,
    }
}

row! {
    /// An index file of a linked package.
    pub struct LinkedIndexText in "d" {
        /// The id of the repository that contains it.
        repo_id: RepoId,
        /// Its text.
        content: String,
        /// When it was created, in milliseconds.
        created: i64,
        /// The folder of the link, if it shows a part of the package only.
        path_prefix: Option<String> = "l.path_prefix",
    }
}

/// Returns the newest generation of the repository's own index at a path.
pub async fn find(db: &impl Read, repo_id: RepoId, path: &FilePath) -> Result<Option<IndexText>> {
    db.one(select!(
        IndexText,
        "FROM derived_files d
         WHERE d.repo_id = $1 AND d.path = $2
         ORDER BY d.generation DESC
         LIMIT 1",
        repo_id,
        path,
    ))
    .await
}

/// Returns the indexes at a path of the packages that are linked into the repository, the newest generation of each.
pub async fn list_linked(db: &impl Read, repo_id: RepoId, path: &FilePath) -> Result<Vec<LinkedIndexText>> {
    db.all(select!(
        LinkedIndexText,
        "FROM links l
         JOIN derived_files d ON d.package_id = l.package_id AND d.path = $2
         WHERE l.repo_id = $1 AND d.generation = (
             SELECT MAX(n.generation) FROM derived_files n WHERE n.repo_id = d.repo_id AND n.path = d.path)
         ORDER BY l.created, d.package_id",
        repo_id,
        path,
    ))
    .await
}

/// Returns whether one of these scopes of a repository contains a published file of a package.
pub async fn is_in_package(db: &impl Read, parts: &[&GrantScope], package_id: PackageId) -> Result<bool> {
    let mut version_ids = Vec::new();
    for part in parts {
        match part {
            GrantScope::Package(id) if *id == package_id => return Ok(true),
            GrantScope::Package(_) => {}
            GrantScope::Version(id) => version_ids.push(*id),
            GrantScope::Path(path) => {
                if is_at(db, package_id, path.trim_matches('/')).await? {
                    return Ok(true);
                }
            }
        }
    }
    let of_versions = sql!(
        "SELECT id FROM files
         WHERE package_id = $1 AND published_blob_id IS NOT NULL AND version_id IN ($keys)
         LIMIT 1",
        package_id,
    );
    Ok(!keys::all::<i64>(db, of_versions, &version_ids).await?.is_empty())
}

/// Returns whether a package has a published file at a path or below it.
async fn is_at(db: &impl Read, package_id: PackageId, path: &str) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!(
            "SELECT id FROM files WHERE package_id = $1 AND path = $2 AND published_blob_id IS NOT NULL LIMIT 1",
            package_id,
            path,
        ))
        .await?;
    if found.is_some() {
        return Ok(true);
    }
    let NameRange { from, to } = NameRange::beginning_with(&format!("{path}/"));
    let found: Option<i64> = db
        .one(sql!(
            "SELECT id FROM files
             WHERE package_id = $1 AND path >= $2 AND path < $3 AND published_blob_id IS NOT NULL
             LIMIT 1",
            package_id,
            from,
            to,
        ))
        .await?;
    Ok(found.is_some())
}
