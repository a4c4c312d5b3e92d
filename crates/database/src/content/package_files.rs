//! The published versions and files of a package, as its indexes need them.

use std::ops::RangeInclusive;

use model::{
    blob::Blob,
    digest::Digest,
    file_path::FilePath,
    id::{PackageId, RepoId, VersionId},
    names::VersionName,
    prefix::NameRange,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result,
    content::blobs::BlobRow,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// The amount of what the indexes of a package are made of.
    pub struct PackageSize {
        /// The number of published files.
        files: i64 = "COUNT(*)",
        /// The number of bytes that a format has found in them.
        about_bytes: i64 = "COALESCE(SUM(LENGTH(c.about)), 0)",
    }
}

/// Versions of a package, by the order of their creation.
pub type Ordinals = RangeInclusive<i64>;

/// All versions of a package.
pub const ALL: Ordinals = 0..=i64::MAX;

/// No version. The first one has the ordinal 1.
pub const NONE: Ordinals = 0..=0;

/// Returns the amount of the published files of these versions, and of what a format has found in them.
pub async fn measure(db: &dyn Read, package_id: PackageId, format: &str, ordinals: &Ordinals) -> Result<PackageSize> {
    let size = db
        .one(
            select!(
                PackageSize,
                "FROM versions v
                 JOIN files f ON f.version_id = v.id
                 LEFT JOIN content_facts c ON c.blob_id = f.published_blob_id AND c.format = $2
                 WHERE v.package_id = $1 AND v.ordinal >= $3 AND v.ordinal <= $4 AND v.published_files > 0
                     AND f.published_blob_id IS NOT NULL",
                package_id,
                format,
                *ordinals.start(),
                *ordinals.end(),
            )
            .long(),
        )
        .await?;
    Ok(size.unwrap_or(PackageSize { files: 0, about_bytes: 0 }))
}

/// A version with published files.
#[derive(Debug, Clone)]
pub struct PublishedVersion {
    /// Its database id.
    pub id: VersionId,
    /// Its name.
    pub name: VersionName,
    /// When its first file was published.
    pub first_published: Timestamp,
}

row! {
    struct PublishedVersionRow { id: VersionId, name: String, first_published: i64 = "COALESCE(first_published, created)" }
}

/// Returns those of the versions that have published files, in the order of their creation.
pub async fn list_versions(db: &dyn Read, package_id: PackageId, ordinals: &Ordinals) -> Result<Vec<PublishedVersion>> {
    let rows: Vec<PublishedVersionRow> = db
        .all(select!(
            PublishedVersionRow,
            "FROM versions
             WHERE package_id = $1 AND ordinal >= $2 AND ordinal <= $3 AND published_files > 0
             ORDER BY ordinal",
            package_id,
            *ordinals.start(),
            *ordinals.end(),
        ))
        .await?;
    let version = |row: PublishedVersionRow| {
        let damaged = |_| Error::Broken(format!("version {} has a damaged row", row.id));
        let name = VersionName::stored(&row.name).map_err(damaged)?;
        Ok(PublishedVersion { id: row.id, name, first_published: Timestamp::from_millis(row.first_published) })
    };
    rows.into_iter().map(version).collect()
}

/// A published file, with its content and what a format has found in it.
#[derive(Debug, Clone)]
pub struct PackageFile {
    /// The id of its version.
    pub version_id: VersionId,
    /// Its path in the repository.
    pub path: FilePath,
    /// When it was published.
    pub published: Timestamp,
    /// The facts in its row.
    pub facts: Option<String>,
    /// Its size.
    pub size: i64,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1, in hexadecimal digits.
    pub sha1: String,
    /// Its MD5, if known.
    pub md5: Option<String>,
    /// Its SHA-512, if known.
    pub sha512: Option<String>,
    /// What the format has found in its content.
    pub about: Option<Vec<u8>>,
}

row! {
    struct PackageFileRow {
        version_id: VersionId = "f.version_id", path: String = "f.path", published: Option<i64> = "f.published",
        facts: Option<String> = "f.published_facts", size: i64 = "b.size", sha256: String = "b.sha256",
        sha1: String = "b.sha1", md5: Option<String> = "b.md5", sha512: Option<String> = "b.sha512",
        about: Option<Vec<u8>> = "c.about",
    }
}

impl TryFrom<PackageFileRow> for PackageFile {
    type Error = Error;

    fn try_from(row: PackageFileRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("the file '{}' has a damaged row", row.path));
        Ok(Self {
            version_id: row.version_id,
            path: FilePath::stored(&row.path).map_err(|_| damaged())?,
            published: Timestamp::from_millis(row.published.unwrap_or_default()),
            sha256: row.sha256.parse().map_err(|_| damaged())?,
            facts: row.facts,
            size: row.size,
            sha1: row.sha1,
            md5: row.md5,
            sha512: row.sha512,
            about: row.about,
        })
    }
}

/// Returns the published files of these versions; those of one version are ordered by path.
pub async fn list(db: &dyn Read, package_id: PackageId, format: &str, ordinals: &Ordinals) -> Result<Vec<PackageFile>> {
    let rows: Vec<PackageFileRow> = db
        .all(
            select!(
                PackageFileRow,
                "FROM versions v
                 JOIN files f ON f.version_id = v.id
                 JOIN blobs b ON b.id = f.published_blob_id
                 LEFT JOIN content_facts c ON c.blob_id = f.published_blob_id AND c.format = $2
                 WHERE v.package_id = $1 AND v.ordinal >= $3 AND v.ordinal <= $4 AND v.published_files > 0
                     AND f.published_blob_id IS NOT NULL
                 ORDER BY v.ordinal, f.path",
                package_id,
                format,
                *ordinals.start(),
                *ordinals.end(),
            )
            .long(),
        )
        .await?;
    rows.into_iter().map(PackageFile::try_from).collect()
}

row! {
    struct UninspectedRow { path: String = "f.path", ..blob: BlobRow }
}

/// Returns some published files of a package whose content a format has found nothing in, with the first paths after one.
pub async fn list_uninspected(
    db: &dyn Read,
    package_id: PackageId,
    format: &str,
    after: &str,
) -> Result<Vec<(FilePath, Blob)>> {
    let rows: Vec<UninspectedRow> = db
        .all(
            select!(
                UninspectedRow,
                "FROM files f
                 JOIN blobs b ON b.id = f.published_blob_id
                 WHERE f.package_id = $1 AND f.path > $3 AND f.published_blob_id IS NOT NULL
                     AND NOT EXISTS (SELECT 1 FROM content_facts c WHERE c.blob_id = f.published_blob_id AND c.format = $2)
                 ORDER BY f.path
                 LIMIT 100",
                package_id,
                format,
                after,
            )
            .long(),
        )
        .await?;
    let file = |row: UninspectedRow| {
        let damaged = |_| Error::Broken(format!("the file '{}' has a damaged row", row.path));
        Ok((FilePath::stored(&row.path).map_err(damaged)?, Blob::try_from(row.blob)?))
    };
    rows.into_iter().map(file).collect()
}

/// Returns some packages of a repository that have published files below a folder, with the first names after one.
pub async fn list_packages(
    db: &dyn Read,
    repo_id: RepoId,
    folder: &NameRange,
    after: &str,
) -> Result<Vec<(PackageId, String)>> {
    let statement = sql!(
        "SELECT p.id, p.name FROM packages p
         WHERE p.repo_id = $1 AND p.name > $2 AND EXISTS (SELECT 1 FROM files f
             WHERE f.package_id = p.id AND f.path >= $3 AND f.path < $4 AND f.published_blob_id IS NOT NULL)
         ORDER BY p.name
         LIMIT 100",
        repo_id,
        after,
        &folder.from,
        &folder.to,
    );
    db.all(statement.long()).await
}
