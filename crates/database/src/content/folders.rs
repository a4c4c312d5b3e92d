//! Files in the order of their paths, starting at a path. Folder listings are built from these.

use model::{
    id::{PackageId, RepoId},
    prefix::NameRange,
};

use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

row! {
    /// A file in a folder, or below it.
    pub struct FolderFile in "f" {
        /// Its path in the repository.
        path: String,
        /// Its size in bytes.
        size: i64 = "b.size",
        /// When it was published or, if it is not, uploaded.
        changed: i64 = "COALESCE(f.published, f.created)",
        /// Whether it is published.
        is_published: bool = "f.published_blob_id IS NOT NULL",
    }
}

/// The files to list.
#[derive(Debug, Clone, Copy)]
pub enum FolderOwner {
    /// The repository's own published files.
    Repo(RepoId),
    /// The repository's own files, including staged ones.
    RepoWithStaged(RepoId),
    /// The published files of a package.
    Package(PackageId),
}

/// Returns some of the files in a range, by path.
pub async fn list(db: &dyn Read, owner: FolderOwner, range: &NameRange, limit: i64) -> Result<Vec<FolderFile>> {
    let statement = match owner {
        FolderOwner::Repo(id) => select!(
            FolderFile,
            "FROM files f
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE f.repo_id = $1 AND f.path >= $2 AND f.path < $3 AND f.published_blob_id IS NOT NULL
             ORDER BY f.path
             LIMIT $4",
            id,
            &range.from,
            &range.to,
            limit,
        ),
        FolderOwner::RepoWithStaged(id) => select!(
            FolderFile,
            "FROM files f
             JOIN blobs b ON b.id = COALESCE(f.published_blob_id, f.staged_blob_id)
             WHERE f.repo_id = $1 AND f.path >= $2 AND f.path < $3
             ORDER BY f.path
             LIMIT $4",
            id,
            &range.from,
            &range.to,
            limit,
        ),
        FolderOwner::Package(id) => select!(
            FolderFile,
            "FROM files f
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE f.package_id = $1 AND f.path >= $2 AND f.path < $3 AND f.published_blob_id IS NOT NULL
             ORDER BY f.path
             LIMIT $4",
            id,
            &range.from,
            &range.to,
            limit,
        ),
    };
    db.all(statement).await
}

row! {
    /// A package that is linked into a repository.
    pub struct LinkedPackage in "l" {
        /// The id of its source repository.
        source_repo_id: RepoId = "p.repo_id",
        /// Its database id.
        package_id: PackageId,
        /// The folder that the link includes, if it does not include all files.
        path_prefix: Option<String>,
    }
}

/// Returns the packages that are linked into a repository.
pub async fn list_linked_packages(db: &dyn Read, repo_id: RepoId) -> Result<Vec<LinkedPackage>> {
    db.all(select!(
        LinkedPackage,
        "FROM links l
         JOIN packages p ON p.id = l.package_id
         WHERE l.repo_id = $1
         ORDER BY l.package_name",
        repo_id,
    ))
    .await
}

row! {
    /// An index file, which the server generates.
    pub struct DerivedEntry in "d" {
        /// Its path in the repository.
        path: String,
        /// Its size in bytes.
        size: i64 = "COALESCE(d.joined_size, CAST(OCTET_LENGTH(d.content) AS BIGINT))",
        /// When it was created.
        changed: i64 = "d.created",
    }
}

/// Returns the index files in a range, by path, each once.
pub async fn list_derived(db: &dyn Read, repo_id: RepoId, range: &NameRange, limit: i64) -> Result<Vec<DerivedEntry>> {
    db.all(select!(
        DerivedEntry,
        "FROM derived_files d
         WHERE d.repo_id = $1 AND d.path >= $2 AND d.path < $3
             AND d.generation = (SELECT MAX(n.generation) FROM derived_files n WHERE n.repo_id = $1 AND n.path = d.path)
         ORDER BY d.path
         LIMIT $4",
        repo_id,
        &range.from,
        &range.to,
        limit,
    ))
    .await
}
