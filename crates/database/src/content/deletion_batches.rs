//! The rows that one step of a large deletion deletes: each step takes a short time, however many rows there are.

use model::{
    file::File,
    id::{PackageId, RepoId, VersionId},
};

use crate::{
    Read, Result, Tx,
    catalogue::repo_rows,
    content::files::FileRow,
    engine::{
        invalidation::Invalidation,
        keys::{self, KEYS, about},
        row::row,
        statement::{select, sql},
    },
};

/// What is deleted with everything in it.
#[derive(Debug, Clone, Copy)]
pub enum BatchScope {
    /// The package with this id.
    Package(PackageId),
    /// The version with this id.
    Version(VersionId),
}

/// Returns whether a scope has more files than this.
pub async fn has_more_files(db: &dyn Read, scope: BatchScope, than: i64) -> Result<bool> {
    let statement = match scope {
        BatchScope::Package(id) => {
            sql!("SELECT id FROM files WHERE package_id = $1 ORDER BY path DESC LIMIT 1 OFFSET $2", id, than)
        }
        BatchScope::Version(id) => {
            sql!("SELECT id FROM files WHERE version_id = $1 ORDER BY path DESC LIMIT 1 OFFSET $2", id, than)
        }
    };
    Ok(db.one::<i64>(statement).await?.is_some())
}

/// Returns the files of a scope with the last paths, the last one first, at most this many.
pub async fn list_files(db: &dyn Read, scope: BatchScope, limit: i64) -> Result<Vec<File>> {
    let statement = match scope {
        BatchScope::Package(id) => {
            select!(FileRow, "FROM files f WHERE f.package_id = $1 ORDER BY f.path DESC LIMIT $2", id, limit)
        }
        BatchScope::Version(id) => {
            select!(FileRow, "FROM files f WHERE f.version_id = $1 ORDER BY f.path DESC LIMIT $2", id, limit)
        }
    };
    let rows: Vec<FileRow> = db.all(statement).await?;
    rows.into_iter().map(File::try_from).collect()
}

row! {
    /// The content of a file that is about to be deleted.
    pub struct LastContent {
        /// The id of its version.
        version_id: VersionId = "f.version_id",
        /// When its version was first published.
        first_published: Option<i64> = "v.first_published",
        /// Its path.
        path: String = "f.path",
        /// The SHA-256 of its published content.
        sha256: Option<String> = "p.sha256",
        /// The size of its published and its staged content together.
        bytes: i64 = "COALESCE(p.size, 0) + COALESCE(s.size, 0)",
    }
}

/// Returns the content of files.
pub async fn list_contents(db: &dyn Read, ids: &[i64]) -> Result<Vec<LastContent>> {
    let statement = select!(
        LastContent,
        "FROM files f
         JOIN versions v ON v.id = f.version_id
         LEFT JOIN blobs p ON p.id = f.published_blob_id
         LEFT JOIN blobs s ON s.id = f.staged_blob_id
         WHERE f.id IN ($keys)
         ORDER BY f.id"
    );
    keys::all(db, statement, ids).await
}

/// Deletes files of a repository.
pub async fn delete_files(tx: &mut Tx, repo_id: RepoId, ids: &[i64]) -> Result<()> {
    tx.invalidate(Invalidation::Files(repo_id));
    for some in ids.chunks(KEYS) {
        tx.run(about(sql!("DELETE FROM files WHERE id IN ($keys)").long(), some)).await?;
    }
    Ok(())
}

/// Returns the newest versions of a package, at most this many.
pub async fn list_versions(db: &dyn Read, package_id: PackageId, limit: i64) -> Result<Vec<VersionId>> {
    db.all(sql!("SELECT id FROM versions WHERE package_id = $1 ORDER BY ordinal DESC LIMIT $2", package_id, limit))
        .await
}

/// Returns whether the versions of a scope have more counts of downloads than this.
pub async fn has_more_counts(db: &dyn Read, scope: BatchScope, than: i64) -> Result<bool> {
    let statement = match scope {
        BatchScope::Package(id) => sql!(
            "SELECT c.version_id
             FROM versions v
             JOIN download_counts c ON c.version_id = v.id
             WHERE v.package_id = $1
             LIMIT 1 OFFSET $2",
            id,
            than,
        ),
        BatchScope::Version(id) => {
            sql!("SELECT c.version_id FROM download_counts c WHERE c.version_id = $1 LIMIT 1 OFFSET $2", id, than)
        }
    };
    Ok(db.one::<VersionId>(statement).await?.is_some())
}

/// Deletes some counts of downloads of a version.
pub async fn delete_counts(tx: &mut Tx, version_id: VersionId) -> Result<()> {
    repo_rows::delete_counts(tx, &[version_id]).await.map(drop)
}

/// Deletes versions of a repository that have no files, and frees the names of those that were never published. If they
/// have many counts of downloads, deletes some of these instead.
pub async fn delete_versions(tx: &mut Tx, repo_id: RepoId, ids: &[VersionId]) -> Result<()> {
    tx.invalidate(Invalidation::Repo(repo_id));
    for some in ids.chunks(KEYS) {
        if repo_rows::delete_counts(tx, some).await? {
            return Ok(());
        }
        let names = sql!(
            "DELETE FROM spent_names WHERE version_id IN (
                 SELECT v.id FROM versions v WHERE v.id IN ($keys) AND v.first_published IS NULL)"
        )
        .long();
        tx.run(about(names, some)).await?;
        tx.run(about(sql!("DELETE FROM versions WHERE id IN ($keys)").long(), some)).await?;
    }
    Ok(())
}
