//! Deletes the rows of a hidden repository, some at a time: each call takes a short time, however many there are.

use model::id::{PackageId, RepoId, VersionId};

use crate::{
    Read, Result, Tx,
    engine::{
        keys::{KEYS, about},
        row::row,
        statement::{Statement, select, sql},
    },
};

/// The number of rows that one call deletes, besides the few that hang on each.
const ROWS: i64 = 200;

/// The number of days and countries with downloads that are deleted together with their versions.
const COUNTS: i64 = 2_000;

row! {
    /// A file that is about to be deleted.
    pub struct LastFile {
        /// Its id.
        id: i64 = "f.id",
        /// Its path.
        path: String = "f.path",
        /// The SHA-256 of its published content.
        sha256: Option<String> = "b.sha256",
        /// When its version was first published.
        first_published: Option<i64> = "v.first_published",
    }
}

/// Returns the next files of a repository, as many as are deleted together.
pub async fn list_files(db: &dyn Read, repo_id: RepoId) -> Result<Vec<LastFile>> {
    let statement = select!(
        LastFile,
        "FROM files f
         JOIN versions v ON v.id = f.version_id
         LEFT JOIN blobs b ON b.id = f.published_blob_id
         WHERE f.repo_id = $1
         ORDER BY f.path
         LIMIT $2",
        repo_id,
        ROWS,
    );
    db.all(statement).await
}

/// Deletes files.
pub async fn delete_files(tx: &mut Tx, files: &[LastFile]) -> Result<()> {
    let ids: Vec<i64> = files.iter().map(|file| file.id).collect();
    for part in ids.chunks(KEYS) {
        tx.run(about(sql!("DELETE FROM files WHERE id IN ($keys)").long(), part)).await?;
    }
    Ok(())
}

/// Deletes some rows of a repository without files; returns whether there were any. A few are left, which go with the
/// repository itself.
pub async fn delete_some(tx: &mut Tx, repo_id: RepoId) -> Result<bool> {
    for statement in of_repo(repo_id) {
        if tx.run(statement).await? > 0 {
            return Ok(true);
        }
    }
    delete_packages(tx, repo_id).await
}

/// The tables with as many rows for a repository as it had files.
fn of_repo(repo_id: RepoId) -> [Statement; 5] {
    [
        sql!(
            "DELETE FROM derived_files
             WHERE repo_id = $1
                 AND path IN (SELECT d.path FROM derived_files d WHERE d.repo_id = $1 ORDER BY d.path LIMIT $2)",
            repo_id,
            ROWS,
        )
        .long(),
        sql!(
            "DELETE FROM spent_names
             WHERE repo_id = $1
                 AND name IN (SELECT n.name FROM spent_names n WHERE n.repo_id = $1 ORDER BY n.name LIMIT $2)",
            repo_id,
            ROWS,
        )
        .long(),
        sql!(
            "DELETE FROM package_identities
             WHERE repo_id = $1
                 AND identity IN (SELECT i.identity FROM package_identities i
                     WHERE i.repo_id = $1 ORDER BY i.identity LIMIT $2)",
            repo_id,
            ROWS,
        )
        .long(),
        sql!(
            "DELETE FROM index_entries
             WHERE (stream_id, file_id) IN (SELECT e.stream_id, e.file_id
                 FROM index_streams s JOIN index_entries e ON e.stream_id = s.id WHERE s.repo_id = $1 LIMIT $2)",
            repo_id,
            ROWS,
        )
        .long(),
        sql!(
            "DELETE FROM index_blocks
             WHERE id IN (SELECT b.id
                 FROM index_streams s JOIN index_blocks b ON b.stream_id = s.id WHERE s.repo_id = $1 LIMIT $2)",
            repo_id,
            ROWS,
        )
        .long(),
    ]
}

/// Deletes some versions of the first packages of a repository, then these packages.
async fn delete_packages(tx: &mut Tx, repo_id: RepoId) -> Result<bool> {
    let few = KEYS as i64;
    let packages = sql!("SELECT id FROM packages WHERE repo_id = $1 ORDER BY name LIMIT $2", repo_id, few);
    let packages: Vec<PackageId> = tx.all(packages).await?;
    if packages.is_empty() {
        return Ok(false);
    }
    let versions =
        sql!("SELECT id FROM versions WHERE package_id IN ($keys) ORDER BY package_id, ordinal LIMIT $1", few);
    let versions: Vec<VersionId> = tx.all(about(versions, &packages)).await?;
    if versions.is_empty() {
        tx.run(about(sql!("DELETE FROM packages WHERE id IN ($keys)").long(), &packages)).await?;
    } else if !delete_counts(tx, &versions).await? {
        tx.run(about(sql!("DELETE FROM versions WHERE id IN ($keys)").long(), &versions)).await?;
    }
    Ok(true)
}

/// Deletes the first counts of downloads of some versions, if there are too many to go with the versions; returns
/// whether there were.
pub(crate) async fn delete_counts(tx: &mut Tx, versions: &[VersionId]) -> Result<bool> {
    let bound = sql!(
        "SELECT version_id, day FROM download_counts
         WHERE version_id IN ($keys)
         ORDER BY version_id, day
         LIMIT 1 OFFSET $1",
        COUNTS,
    );
    let Some((version_id, day)) = tx.one::<(VersionId, i64)>(about(bound, versions)).await? else { return Ok(false) };
    let first = sql!(
        "DELETE FROM download_counts
         WHERE version_id IN ($keys) AND (version_id < $1 OR (version_id = $1 AND day < $2))",
        version_id,
        day,
    )
    .long();
    Ok(tx.run(about(first, versions)).await? > 0)
}
