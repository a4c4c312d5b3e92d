//! Published files with everything that their entries in indexes are made of.

use std::collections::BTreeSet;

use model::{
    access::GrantScope,
    blob::Blob,
    file_path::FilePath,
    id::{PackageId, RepoId, VersionId},
    prefix::NameRange,
};

use crate::{
    Error, Read, Result,
    content::blobs::BlobRow,
    engine::{
        keys,
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A published file that the indexes of a repository may show.
    pub struct IndexSource {
        /// Its database id.
        id: i64 = "f.id",
        /// Its path.
        path: String = "f.path",
        /// The facts in its row.
        facts: Option<String> = "f.published_facts",
        /// When it was published, in milliseconds since the start of 1970.
        published: i64 = "f.published",
        /// Its size.
        size: i64 = "b.size",
        /// Its SHA-256 in hexadecimal digits.
        sha256: String = "b.sha256",
        /// Its SHA-1 in hexadecimal digits.
        sha1: String = "b.sha1",
        /// Its MD5 in hexadecimal digits, if it is known.
        md5: Option<String> = "b.md5",
        /// Its SHA-512 in hexadecimal digits, if it is known.
        sha512: Option<String> = "b.sha512",
        /// What the format has found in its content.
        about: Option<Vec<u8>> = "c.about",
        /// The folder of the package that a link shows, if a link shows the file and only a folder.
        link_folder: Option<String> = "l.path_prefix",
    }
}

/// Returns the sizes of the facts about the content of those of these files that are published.
pub async fn list_sizes(db: &dyn Read, format: &str, file_ids: &[i64]) -> Result<Vec<(i64, i64)>> {
    let statement = sql!(
        "SELECT f.id, CAST(LENGTH(c.about) AS BIGINT) FROM files f
         JOIN content_facts c ON c.blob_id = f.published_blob_id AND c.format = $1
         WHERE f.id IN ($keys)",
        format,
    );
    keys::all(db, statement, file_ids).await
}

row! {
    struct UndetailedRow { path: String = "f.path", ..blob: BlobRow }
}

/// Returns those of these files that are published and whose content has no facts of this name, once for each content.
pub async fn list_undetailed(db: &dyn Read, facts: &str, file_ids: &[i64]) -> Result<Vec<(FilePath, Blob)>> {
    let statement = select!(
        UndetailedRow,
        "FROM files f
         JOIN blobs b ON b.id = f.published_blob_id
         WHERE f.id IN ($keys)
             AND NOT EXISTS (SELECT 1 FROM content_facts c WHERE c.blob_id = f.published_blob_id AND c.format = $1)",
        facts,
    );
    let mut rows: Vec<UndetailedRow> = keys::all(db, statement, file_ids).await?;
    rows.sort_by_key(|row| row.blob.id);
    rows.dedup_by_key(|row| row.blob.id);
    let file = |row: UndetailedRow| {
        let damaged = |_| Error::Broken(format!("the file '{}' has a damaged row", row.path));
        Ok((FilePath::stored(&row.path).map_err(damaged)?, Blob::try_from(row.blob)?))
    };
    rows.into_iter().map(file).collect()
}

/// Returns those of these files that are published in a repository, or shown there by a link to a public repository.
pub async fn list(db: &dyn Read, repo_id: RepoId, format: &str, file_ids: &[i64]) -> Result<Vec<IndexSource>> {
    let statement = select!(
        IndexSource,
        "FROM files f
         JOIN blobs b ON b.id = f.published_blob_id
         JOIN repos r ON r.id = f.repo_id
         LEFT JOIN links l ON l.repo_id = $1 AND l.package_id = f.package_id AND f.repo_id <> $1
         LEFT JOIN content_facts c ON c.blob_id = f.published_blob_id AND c.format = $2
         WHERE f.id IN ($keys) AND (f.repo_id = $1 OR (l.repo_id IS NOT NULL AND NOT r.is_private))",
        repo_id,
        format,
    );
    let mut found: Vec<IndexSource> = keys::all(db, statement, file_ids).await?;
    found.sort_by_key(|file| file.id);
    found.dedup_by_key(|file| file.id);
    found.retain(|file| file.link_folder.as_deref().is_none_or(|folder| is_below(&file.path, folder)));
    Ok(found)
}

/// Returns those of these files whose versions have a mark.
pub async fn list_marked(db: &dyn Read, mark: &str, file_ids: &[i64]) -> Result<BTreeSet<i64>> {
    let statement = sql!(
        "SELECT f.id FROM files f JOIN marks m ON m.version_id = f.version_id AND m.name = $1 WHERE f.id IN ($keys)",
        mark,
    );
    let marked: Vec<i64> = keys::all(db, statement, file_ids).await?;
    Ok(marked.into_iter().collect())
}

/// Returns the published files of a repository that one of these scopes contains, by id; of each scope at most this many.
pub async fn list_in_scopes(db: &dyn Read, repo_id: RepoId, scopes: &[GrantScope], limit: i64) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for scope in scopes {
        ids.extend(match scope {
            GrantScope::Package(id) => in_package(db, repo_id, *id, limit).await?,
            GrantScope::Version(id) => in_version(db, repo_id, *id, limit).await?,
            GrantScope::Path(path) => in_folder(db, repo_id, path.trim_matches('/'), limit).await?,
        });
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

async fn in_package(db: &dyn Read, repo_id: RepoId, id: PackageId, limit: i64) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT id FROM files
         WHERE package_id = $1 AND repo_id = $2 AND published_blob_id IS NOT NULL
         ORDER BY path
         LIMIT $3",
        id,
        repo_id,
        limit,
    ))
    .await
}

async fn in_version(db: &dyn Read, repo_id: RepoId, id: VersionId, limit: i64) -> Result<Vec<i64>> {
    db.all(sql!(
        "SELECT id FROM files
         WHERE version_id = $1 AND repo_id = $2 AND published_blob_id IS NOT NULL
         ORDER BY path
         LIMIT $3",
        id,
        repo_id,
        limit,
    ))
    .await
}

/// The file at a path, and those below it.
async fn in_folder(db: &dyn Read, repo_id: RepoId, path: &str, limit: i64) -> Result<Vec<i64>> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let below = NameRange::beginning_with(&format!("{path}/"));
    db.all(sql!(
        "SELECT id FROM files
         WHERE repo_id = $1 AND published_blob_id IS NOT NULL AND (path = $2 OR (path >= $3 AND path < $4))
         ORDER BY path
         LIMIT $5",
        repo_id,
        path,
        below.from,
        below.to,
        limit,
    ))
    .await
}

/// Returns whether a path is inside a folder, compared by whole segments.
fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| folder.is_empty() || rest.is_empty() || rest.starts_with('/'))
}
