//! Published files with their content, for the documents that describe a version.

use model::{
    digest::Digest,
    file_path::FilePath,
    id::{BlobId, VersionId},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result,
    engine::{row::row, statement::select},
};

/// A published file of a version.
#[derive(Debug, Clone)]
pub struct PublishedContent {
    /// Its path in the repository.
    pub path: FilePath,
    /// The facts in its row.
    pub facts: Option<String>,
    /// When it was published.
    pub published: Timestamp,
    /// The id of its content.
    pub blob_id: BlobId,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1, in hexadecimal digits.
    pub sha1: String,
    /// Its MD5, if it is known.
    pub md5: Option<String>,
    /// Its SHA-512, if it is known.
    pub sha512: Option<String>,
    /// Its size in bytes.
    pub size: i64,
}

row! {
    struct PublishedContentRow in "f" {
        path: String, facts: Option<String> = "f.published_facts", published: i64 = "COALESCE(f.published, f.created)",
        blob_id: BlobId = "b.id", sha256: String = "b.sha256", sha1: String = "b.sha1", md5: Option<String> = "b.md5",
        sha512: Option<String> = "b.sha512", size: i64 = "b.size",
    }
}

impl TryFrom<PublishedContentRow> for PublishedContent {
    type Error = Error;

    fn try_from(row: PublishedContentRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("the file '{}' has a damaged row", row.path));
        Ok(Self {
            path: FilePath::stored(&row.path).map_err(|_| damaged())?,
            facts: row.facts,
            published: Timestamp::from_millis(row.published),
            blob_id: row.blob_id,
            sha256: row.sha256.parse().map_err(|_| damaged())?,
            sha1: row.sha1,
            md5: row.md5,
            sha512: row.sha512,
            size: row.size,
        })
    }
}

/// Returns the published files of a version, by path.
pub async fn of_version(db: &dyn Read, version_id: VersionId) -> Result<Vec<PublishedContent>> {
    let rows: Vec<PublishedContentRow> = db
        .all(select!(
            PublishedContentRow,
            "FROM files f
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE f.version_id = $1 AND f.published_blob_id IS NOT NULL
             ORDER BY f.path",
            version_id,
        ))
        .await?;
    rows.into_iter().map(PublishedContent::try_from).collect()
}
