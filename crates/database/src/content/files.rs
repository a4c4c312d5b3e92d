//! Files: paths of a repository, each belonging to one version, with published and staged content.

use model::{
    access::GrantScope,
    file::{File, FileContent},
    file_path::FilePath,
    id::{BlobId, PackageId, RepoId, VersionId},
    names::{PackageName, VersionName},
    prefix::NameRange,
    text::fold,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    content::file_names,
    engine::{
        invalidation::Invalidation,
        keys,
        row::row,
        statement::{Statement, insert, select, sql},
    },
};

row! {
    pub(crate) struct FileRow in "f" {
        id: i64, repo_id: RepoId, package_id: PackageId, version_id: VersionId, path: String,
        published_blob_id: Option<BlobId>, published_facts: Option<String>,
        staged_blob_id: Option<BlobId>, staged_facts: Option<String>,
    }
}

impl TryFrom<FileRow> for File {
    type Error = Error;

    fn try_from(row: FileRow) -> Result<Self> {
        let damaged = |_| Error::Broken(format!("file {} has a damaged row", row.id));
        Ok(File {
            id: row.id,
            repo_id: row.repo_id,
            package_id: row.package_id,
            version_id: row.version_id,
            path: FilePath::stored(&row.path).map_err(damaged)?,
            published: row.published_blob_id.map(|blob_id| FileContent { blob_id, facts: row.published_facts }),
            staged: row.staged_blob_id.map(|blob_id| FileContent { blob_id, facts: row.staged_facts }),
        })
    }
}

/// Returns the file at a path, if any, in any Unicode form of the path's characters.
pub async fn find(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<File>> {
    let row: Option<FileRow> = match (db.one(by_path(repo_id, path)).await?, path.other_form()) {
        (None, Some(other)) => db.one(by_path(repo_id, &other)).await?,
        (row, _) => row,
    };
    row.map(File::try_from).transpose()
}

/// Returns the file like [`find`], and locks it until the transaction ends.
pub async fn lock(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<File>> {
    let row: Option<FileRow> = match (db.one(by_path(repo_id, path).locking_rows()).await?, path.other_form()) {
        (None, Some(other)) => db.one(by_path(repo_id, &other).locking_rows()).await?,
        (row, _) => row,
    };
    row.map(File::try_from).transpose()
}

fn by_path(repo_id: RepoId, path: &FilePath) -> Statement {
    select!(FileRow, "FROM files f WHERE f.repo_id = $1 AND f.path = $2", repo_id, path).looking_up()
}

/// Returns the files of a version with staged content, and locks them until the transaction ends.
pub async fn lock_staged(db: &dyn Read, version_id: VersionId) -> Result<Vec<File>> {
    let rows: Vec<FileRow> = db
        .all(
            select!(
                FileRow,
                "FROM files f WHERE f.version_id = $1 AND f.staged_blob_id IS NOT NULL ORDER BY f.path",
                version_id,
            )
            .locking_rows(),
        )
        .await?;
    rows.into_iter().map(File::try_from).collect()
}

/// Returns all files of a version, and locks them until the transaction ends.
pub async fn lock_all(db: &dyn Read, version_id: VersionId) -> Result<Vec<File>> {
    let rows: Vec<FileRow> = db
        .all(select!(FileRow, "FROM files f WHERE f.version_id = $1 ORDER BY f.path", version_id).locking_rows())
        .await?;
    rows.into_iter().map(File::try_from).collect()
}

/// Returns the files of a version by path, at most this many.
pub async fn list(db: &dyn Read, version_id: VersionId, limit: i64) -> Result<Vec<File>> {
    let rows: Vec<FileRow> = db
        .all(select!(FileRow, "FROM files f WHERE f.version_id = $1 ORDER BY f.path LIMIT $2", version_id, limit))
        .await?;
    rows.into_iter().map(File::try_from).collect()
}

/// Returns the published files of a version.
pub async fn list_published(db: &dyn Read, version_id: VersionId) -> Result<Vec<File>> {
    let rows: Vec<FileRow> = db
        .all(select!(
            FileRow,
            "FROM files f WHERE f.version_id = $1 AND f.published_blob_id IS NOT NULL ORDER BY f.path",
            version_id,
        ))
        .await?;
    rows.into_iter().map(File::try_from).collect()
}

/// Returns the published files of a package.
pub async fn list_published_of_package(db: &dyn Read, package_id: PackageId) -> Result<Vec<File>> {
    let rows: Vec<FileRow> = db
        .all(select!(
            FileRow,
            "FROM files f WHERE f.package_id = $1 AND f.published_blob_id IS NOT NULL ORDER BY f.path",
            package_id,
        ))
        .await?;
    rows.into_iter().map(File::try_from).collect()
}

/// The package and the version that a file belongs to.
#[derive(Debug, Clone)]
pub struct FileOwner {
    /// The package's name.
    pub package: PackageName,
    /// The version's name.
    pub version: VersionName,
    /// Whether readers see the file.
    pub is_published: bool,
}

row! {
    struct OwnerRow {
        package: String = "p.name", version: String = "v.name", is_published: bool = "f.published_blob_id IS NOT NULL",
    }
}

/// Returns the owner of the file at a path, if any.
pub async fn find_owner(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<FileOwner>> {
    match (find_owner_as(db, repo_id, path).await?, path.other_form()) {
        (None, Some(other)) => find_owner_as(db, repo_id, &other).await,
        (found, _) => Ok(found),
    }
}

async fn find_owner_as(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<FileOwner>> {
    let row: Option<OwnerRow> = db
        .one(select!(
            OwnerRow,
            "FROM files f
             JOIN packages p ON p.id = f.package_id
             JOIN versions v ON v.id = f.version_id
             WHERE f.repo_id = $1 AND f.path = $2",
            repo_id,
            path,
        ))
        .await?;
    let damaged = |_| Error::Broken(format!("the owner of '{path}' has a damaged row"));
    row.map(|row| {
        let package = PackageName::stored(&row.package).map_err(damaged)?;
        let version = VersionName::stored(&row.version).map_err(damaged)?;
        Ok(FileOwner { package, version, is_published: row.is_published })
    })
    .transpose()
}

/// Returns the ids of the package and the version of the file at a path, if any.
pub async fn find_place(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<Option<(PackageId, VersionId)>> {
    let at = |path: &FilePath| {
        sql!("SELECT package_id, version_id FROM files WHERE repo_id = $1 AND path = $2", repo_id, path).looking_up()
    };
    match (db.one(at(path)).await?, path.other_form()) {
        (None, Some(other)) => db.one(at(&other)).await,
        (found, _) => Ok(found),
    }
}

/// Returns whether one of these scopes of a repository contains a published file below a folder. The path of the folder
/// ends in a slash or is empty.
pub async fn is_in_folder(db: &dyn Read, parts: &[&GrantScope], folder: &str) -> Result<bool> {
    let (mut package_ids, mut version_ids) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            GrantScope::Package(id) => package_ids.push(*id),
            GrantScope::Version(id) => version_ids.push(*id),
            GrantScope::Path(path) if format!("{}/", path.trim_matches('/')).starts_with(folder) => return Ok(true),
            GrantScope::Path(_) => {}
        }
    }
    let NameRange { from, to } = NameRange::beginning_with(folder);
    let of_packages = sql!(
        "SELECT id FROM files
         WHERE path >= $1 AND path < $2 AND published_blob_id IS NOT NULL AND package_id IN ($keys)
         LIMIT 1",
        from.clone(),
        to.clone(),
    );
    let of_versions = sql!(
        "SELECT id FROM files
         WHERE path >= $1 AND path < $2 AND published_blob_id IS NOT NULL AND version_id IN ($keys)
         LIMIT 1",
        from,
        to,
    );
    Ok(!keys::all::<i64>(db, of_packages, &package_ids).await?.is_empty()
        || !keys::all::<i64>(db, of_versions, &version_ids).await?.is_empty())
}

row! {
    /// A repository in which a file has some content.
    pub struct RepoOfBlob {
        /// The id of the repository.
        id: RepoId = "repo_id",
        /// Whether it is published there.
        is_published: bool,
    }
}

/// Returns repositories in which files have this content, up to a limit that is enough for callers.
pub async fn list_repos_of_blob(db: &dyn Read, blob_id: BlobId) -> Result<Vec<RepoOfBlob>> {
    db.all(select!(
        RepoOfBlob,
        "FROM (
             SELECT repo_id, TRUE AS is_published FROM files WHERE published_blob_id = $1
             UNION
             SELECT repo_id, FALSE AS is_published FROM files WHERE staged_blob_id = $1) repos_of_blob
         ORDER BY is_published DESC, repo_id
         LIMIT 1000",
        blob_id,
    ))
    .await
}

/// A file at a new path, with its first content.
#[derive(Debug, Clone)]
pub struct NewFile {
    /// Its database id.
    pub id: i64,
    /// The id of its repository.
    pub repo_id: RepoId,
    /// The id of its package.
    pub package_id: PackageId,
    /// The id of its version.
    pub version_id: VersionId,
    /// Its path in the repository.
    pub path: FilePath,
    /// Its content.
    pub content: FileContent,
    /// Whether it is published at once; otherwise it is staged.
    pub is_published: bool,
    /// Whether its version has no published and no staged content yet, and becomes a draft with staged content.
    pub begins_draft: bool,
    /// When it was created.
    pub created: Timestamp,
}

/// Adds a file. A path that is in use is a conflict.
pub async fn insert(tx: &mut Tx, file: &NewFile) -> Result<()> {
    if file.is_published {
        tx.invalidate(Invalidation::Paths(file.repo_id));
    } else if file.begins_draft {
        tx.invalidate(Invalidation::Objects);
    }
    let (published, staged) = if file.is_published { (Some(&file.content), None) } else { (None, Some(&file.content)) };
    tx.run(insert!(files {
        id: file.id,
        repo_id: file.repo_id,
        package_id: file.package_id,
        version_id: file.version_id,
        path: &file.path,
        folded_name: fold(file.path.file_name()),
        published_blob_id: published.map(|content| content.blob_id),
        published_facts: published.and_then(|content| content.facts.as_deref()),
        published: published.map(|_| file.created),
        staged_blob_id: staged.map(|content| content.blob_id),
        staged_facts: staged.and_then(|content| content.facts.as_deref()),
        is_listed: false,
        created: file.created,
    }))
    .await?;
    file_names::record_new(tx, file.id).await
}

/// Stages other content at the path of an existing file.
pub async fn stage(tx: &mut Tx, file: &File, content: &FileContent) -> Result<()> {
    tx.run(sql!(
        "UPDATE files SET staged_blob_id = $2, staged_facts = $3 WHERE id = $1",
        file.id,
        content.blob_id,
        content.facts.as_deref(),
    ))
    .await?;
    Ok(())
}

/// Publishes the staged content.
pub async fn publish(tx: &mut Tx, file: &File, now: Timestamp) -> Result<()> {
    let is_replaced = file.published.is_some();
    tx.invalidate(if is_replaced { Invalidation::Files(file.repo_id) } else { Invalidation::Paths(file.repo_id) });
    tx.run(sql!(
        "UPDATE files SET published_blob_id = staged_blob_id, published_facts = staged_facts, published = $2,
             staged_blob_id = NULL, staged_facts = NULL
         WHERE id = $1 AND staged_blob_id IS NOT NULL",
        file.id,
        now,
    ))
    .await?;
    Ok(())
}

/// Discards the staged content; a file without published content is deleted.
pub async fn discard(tx: &mut Tx, file: &File) -> Result<()> {
    if file.published.is_none() {
        return delete(tx, file).await;
    }
    tx.run(sql!("UPDATE files SET staged_blob_id = NULL, staged_facts = NULL WHERE id = $1", file.id)).await?;
    Ok(())
}

/// Removes the published content of a file that also has staged content.
pub async fn withdraw(tx: &mut Tx, file: &File) -> Result<()> {
    tx.invalidate(Invalidation::Files(file.repo_id));
    tx.run(sql!(
        "UPDATE files SET published_blob_id = NULL, published_facts = NULL, published = NULL
         WHERE id = $1 AND staged_blob_id IS NOT NULL",
        file.id,
    ))
    .await?;
    Ok(())
}

/// Deletes a file.
pub async fn delete(tx: &mut Tx, file: &File) -> Result<()> {
    // The last staged file of a version takes the draft with it.
    tx.invalidate(if file.published.is_some() { Invalidation::Files(file.repo_id) } else { Invalidation::Objects });
    tx.run(sql!("DELETE FROM files WHERE id = $1", file.id).long()).await?;
    Ok(())
}

/// Returns whether a file is in the list of downloads.
pub async fn is_listed(db: &dyn Read, id: i64) -> Result<bool> {
    let listed: Option<i64> = db.one(sql!("SELECT id FROM files WHERE id = $1 AND is_listed", id)).await?;
    Ok(listed.is_some())
}

/// Sets whether a file is in the list of downloads.
pub async fn set_listed(tx: &mut Tx, id: i64, is_listed: bool) -> Result<()> {
    tx.invalidate(Invalidation::Objects);
    tx.run(sql!("UPDATE files SET is_listed = $2 WHERE id = $1", id, is_listed)).await?;
    Ok(())
}
