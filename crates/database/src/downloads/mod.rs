//! Looks up the file at a path for a reader.

pub mod download_counts;
pub mod download_logs;
pub mod index_texts;
pub mod signed_urls;

use model::{
    blob::Blob,
    file_path::FilePath,
    id::{BlobId, PackageId, RepoId, VersionId},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result,
    engine::{row::row, statement::select},
};

/// A file with the content to serve.
#[derive(Debug, Clone)]
pub struct ReadableFile {
    /// The id of the repository that contains it.
    pub repo_id: RepoId,
    /// The id of its package.
    pub package_id: PackageId,
    /// The id of its version.
    pub version_id: VersionId,
    /// Its content.
    pub blob: Blob,
    /// When this content was first published; absent if it is not published.
    pub published: Option<Timestamp>,
    /// When the path was first uploaded.
    pub created: Timestamp,
    /// When its version was first published.
    pub first_published: Option<Timestamp>,
    /// Whether it is the signature of a file next to it.
    pub is_signature: bool,
    /// The folder of the link through which the file was found, if any.
    pub path_prefix: Option<String>,
}

row! {
    /// A file `f` of the version `v` with the content `b`. If it is a signature, `$3` is the path of the signed file.
    struct ReadableRow in "f" {
        repo_id: RepoId, package_id: PackageId, version_id: VersionId, published: Option<i64>, created: i64,
        is_published: bool = "f.published_blob_id IS NOT NULL",
        is_signature: bool = "EXISTS (SELECT 1 FROM files s WHERE s.repo_id = f.repo_id AND s.path = $3)",
        first_published: Option<i64> = "v.first_published", blob_id: BlobId = "b.id", sha256: String = "b.sha256",
        sha1: Option<String> = "NULLIF(b.sha1, '')", md5: Option<String> = "b.md5", sha512: Option<String> = "b.sha512",
        size: i64 = "b.size", is_damaged: bool = "b.damaged_since IS NOT NULL",
    }
}

row! {
    struct LinkedRow in "l" { path_prefix: Option<String>, ..file: ReadableRow }
}

impl ReadableFile {
    fn read(row: ReadableRow, path_prefix: Option<String>) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("blob {} has a damaged row", row.blob_id));
        let blob = Blob {
            id: row.blob_id,
            sha256: row.sha256.parse().map_err(damaged)?,
            sha1: row.sha1,
            md5: row.md5,
            sha512: row.sha512,
            size: row.size,
            is_damaged: row.is_damaged,
            check: None,
        };
        Ok(ReadableFile {
            repo_id: row.repo_id,
            package_id: row.package_id,
            version_id: row.version_id,
            blob,
            published: row.published.filter(|_| row.is_published).map(Timestamp::from_millis),
            created: Timestamp::from_millis(row.created),
            first_published: row.first_published.map(Timestamp::from_millis),
            is_signature: row.is_signature,
            path_prefix,
        })
    }
}

/// Returns the repository's own file at a path: the published content, or else the staged content.
pub async fn find(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<ReadableFile>> {
    match (find_as(db, repo_id, path).await?, path.other_form()) {
        (None, Some(other)) => find_as(db, repo_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_as(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<ReadableFile>> {
    let row: Option<ReadableRow> = db
        .one(select!(
            ReadableRow,
            "FROM files f
             JOIN versions v ON v.id = f.version_id
             JOIN blobs b ON b.id = COALESCE(f.published_blob_id, f.staged_blob_id)
             WHERE f.repo_id = $1 AND f.path = $2",
            repo_id,
            path,
            path.signed().unwrap_or_default(),
        ))
        .await?;
    row.map(|row| ReadableFile::read(row, None)).transpose()
}

/// Returns the published files at a path in the packages that are linked into the repository.
pub async fn list_linked(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Vec<ReadableFile>> {
    match (list_linked_as(db, repo_id, path).await?, path.other_form()) {
        (found, Some(other)) if found.is_empty() => list_linked_as(db, repo_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn list_linked_as(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Vec<ReadableFile>> {
    let rows: Vec<LinkedRow> = db
        .all(select!(
            LinkedRow,
            "FROM links l
             JOIN files f ON f.package_id = l.package_id AND f.path = $2 AND f.published_blob_id IS NOT NULL
             JOIN versions v ON v.id = f.version_id
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE l.repo_id = $1
             ORDER BY l.created, f.id",
            repo_id,
            path,
            path.signed().unwrap_or_default(),
        ))
        .await?;
    rows.into_iter().map(|row| ReadableFile::read(row.file, row.path_prefix)).collect()
}
