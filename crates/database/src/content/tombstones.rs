//! Tombstones: paths that stay bound to their content for ever, even after the file or its parent is deleted.

use model::{
    digest::Digest,
    file_path::FilePath,
    id::{PackageId, RepoId, VersionId},
    names::{RepoName, SubjectName},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{Statement, Value, select, sql},
    },
};

/// The number of rows in one statement.
const ROWS: usize = 50;

/// The number of files read at once.
const FILES: i64 = 1_000;

/// The files that are about to be deleted.
#[derive(Debug, Clone, Copy)]
pub enum TombstoneScope {
    /// The files of the version with this id.
    Version(VersionId),
    /// The files of the package with this id.
    Package(PackageId),
    /// The files of the repository with this id.
    Repo(RepoId),
}

row! {
    /// A published file of a closed version.
    pub struct Closed {
        /// Its path.
        path: String = "f.path",
        /// The SHA-256 of its content.
        sha256: String = "b.sha256",
    }
}

/// The only content that a path accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundContent {
    /// Its SHA-256.
    pub sha256: Digest,
    /// The type of the deleted repository whose file binds the path, if the path has no tombstone of its own yet.
    pub kind: Option<String>,
}

/// Returns the content that a path is bound to: by tombstones, and by files of deleted repositories that had this name.
pub async fn find(db: &dyn Read, owner: &SubjectName, repo: &RepoName, path: &FilePath) -> Result<Vec<BoundContent>> {
    let rows: Vec<(String, Option<String>)> = db
        .all(
            sql!(
                "SELECT t.sha256, CAST(NULL AS ctext)
                 FROM tombstones t
                 WHERE t.folded_owner = $1 AND t.folded_repo = $2 AND t.path = $3
                 UNION ALL
                 SELECT b.sha256, d.type
                 FROM deleted_repos d
                 JOIN files f ON f.repo_id = d.repo_id AND f.path = $3
                 JOIN versions v ON v.id = f.version_id
                 JOIN blobs b ON b.id = f.published_blob_id
                 WHERE d.folded_owner = $1 AND d.folded_repo = $2 AND v.first_published < d.closed_before",
                owner.folded(),
                repo.folded(),
                path,
            )
            .looking_up(),
        )
        .await?;
    let damaged = |_| Error::Broken(format!("the tombstone of '{path}' has a damaged row"));
    let bound = |(sha256, kind): (String, _)| Ok(BoundContent { sha256: sha256.parse().map_err(damaged)?, kind });
    rows.into_iter().map(bound).collect()
}

/// Returns up to `FILES` published files after a path, from versions that were first published before a time. A shorter
/// result is the last.
pub async fn list_closed(db: &dyn Read, scope: TombstoneScope, before: Timestamp, after: &str) -> Result<Vec<Closed>> {
    let statement = match scope {
        TombstoneScope::Version(id) => select!(
            Closed,
            "FROM files f
             JOIN versions v ON v.id = f.version_id
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE f.version_id = $1 AND f.path > $2 AND v.first_published < $3
             ORDER BY f.path
             LIMIT $4",
            id,
            after,
            before,
            FILES,
        ),
        TombstoneScope::Package(id) => select!(
            Closed,
            "FROM files f
             JOIN versions v ON v.id = f.version_id
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE f.package_id = $1 AND f.path > $2 AND v.first_published < $3
             ORDER BY f.path
             LIMIT $4",
            id,
            after,
            before,
            FILES,
        ),
        TombstoneScope::Repo(id) => select!(
            Closed,
            "FROM files f
             JOIN versions v ON v.id = f.version_id
             JOIN blobs b ON b.id = f.published_blob_id
             WHERE f.repo_id = $1 AND f.path > $2 AND v.first_published < $3
             ORDER BY f.path
             LIMIT $4",
            id,
            after,
            before,
            FILES,
        ),
    };
    // This may walk over many files of open versions.
    db.all(statement.long()).await
}

/// Binds paths of a repository to their content. A path that is already bound keeps its content. The names of the
/// repository are folded.
pub async fn insert(
    tx: &mut Tx,
    (folded_owner, folded_repo): (&str, &str),
    closed: &[Closed],
    now: Timestamp,
) -> Result<()> {
    for rows in closed.chunks(ROWS) {
        tx.run(insert_some(folded_owner, folded_repo, rows, now)).await?;
    }
    Ok(())
}

/// Builds a statement for one row, or for the maximum number by repeating the last row. So it has two texts, not fifty.
fn insert_some(owner: &str, repo: &str, rows: &[Closed], now: Timestamp) -> Statement {
    let length = if rows.len() == 1 { 1 } else { ROWS };
    let places: Vec<String> =
        (0..length).map(|row| format!("($1, $2, ${}, ${}, $3)", 4 + 2 * row, 5 + 2 * row)).collect();
    let text = format!(
        "INSERT INTO tombstones (folded_owner, folded_repo, path, sha256, created)
         VALUES {}
         ON CONFLICT (folded_owner, folded_repo, path) DO NOTHING",
        places.join(", ")
    );
    let mut arguments: Vec<Value> = vec![owner.into(), repo.into(), now.into()];
    let filled = rows.iter().chain(rows.last().into_iter().cycle()).take(length);
    arguments.extend(filled.flat_map(|row| [Value::from(&row.path), Value::from(&row.sha256)]));
    Statement::new(text, arguments)
}
