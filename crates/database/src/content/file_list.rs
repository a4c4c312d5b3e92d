//! Lists of files, by path: those of a package, or of one of its versions.

use model::{
    file::{FileListState, ListedFile},
    file_path::FilePath,
    id::{PackageId, RepoId, VersionId},
    names::{PackageName, RepoName, SubjectName, VersionName},
    page::PageRequest,
    prefix::NameRange,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result,
    engine::{
        row::{Columns, row},
        statement::{Statement, Value, sql},
    },
};

row! {
    pub(crate) struct ListedFileRow in "f" {
        path: String, package: String = "p.name", version: String = "v.name", repo: String = "r.name",
        owner: String = "s.name", created: i64, size: i64 = "b.size", sha1: Option<String> = "NULLIF(b.sha1, '')",
        sha256: String = "b.sha256",
    }
}

impl TryFrom<ListedFileRow> for ListedFile {
    type Error = Error;

    fn try_from(row: ListedFileRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("file '{}' has a damaged row", row.path));
        Ok(ListedFile {
            path: FilePath::stored(&row.path).map_err(|_| damaged())?,
            package: PackageName::stored(&row.package).map_err(|_| damaged())?,
            version: VersionName::stored(&row.version).map_err(|_| damaged())?,
            repo: RepoName::parse(&row.repo).map_err(|_| damaged())?,
            owner: SubjectName::parse(&row.owner).map_err(|_| damaged())?,
            created: Timestamp::from_millis(row.created),
            size: row.size,
            sha1: row.sha1,
            sha256: row.sha256,
        })
    }
}

/// The package or version whose files are listed.
#[derive(Debug, Clone, Copy)]
pub enum FileListOwner {
    /// The package with this id.
    Package(PackageId),
    /// The version with this id.
    Version(VersionId),
}

/// Returns a page of the files in a range of paths, by path.
pub async fn list(
    db: &dyn Read,
    repo_id: RepoId,
    of: FileListOwner,
    shown: FileListState,
    paths: &NameRange,
    window: PageRequest,
) -> Result<Vec<ListedFile>> {
    let rows: Vec<ListedFileRow> = db.all(page(repo_id, of, shown, paths, window)).await?;
    rows.into_iter().map(ListedFile::try_from).collect()
}

/// Returns a page of a package's published files in a range of paths: those of the newest version first, each version's
/// by path.
pub async fn list_by_version(
    db: &dyn Read,
    repo_id: RepoId,
    package_id: PackageId,
    paths: &NameRange,
    window: PageRequest,
) -> Result<Vec<ListedFile>> {
    let rows: Vec<ListedFileRow> = db.all(page_by_version(repo_id, package_id, paths, window)).await?;
    rows.into_iter().map(ListedFile::try_from).collect()
}

/// Counts the files in a range of paths.
pub async fn count(db: &dyn Read, of: FileListOwner, shown: FileListState, paths: &NameRange) -> Result<i64> {
    let statement = match (shown, of) {
        // The number of published files is stored with each version.
        (FileListState::Published, FileListOwner::Version(id)) if paths.from.is_empty() => {
            sql!("SELECT published_files FROM versions WHERE id = $1", id)
        }
        (FileListState::Published, FileListOwner::Package(id)) if paths.from.is_empty() => {
            sql!("SELECT CAST(COALESCE(SUM(published_files), 0) AS BIGINT) FROM versions WHERE package_id = $1", id)
        }
        _ => total(of, shown, paths),
    };
    Ok(db.one(statement).await?.unwrap_or_default())
}

/// Selects a page. An index on the paths skips the files before it, and nothing else is read of them.
fn page(repo_id: RepoId, of: FileListOwner, shown: FileListState, paths: &NameRange, window: PageRequest) -> Statement {
    let text = details(&format!("SELECT path {} ORDER BY path", part(of, shown)), content(shown), "f.path");
    Statement::new(text, arguments(of.id(), paths, window, repo_id))
}

/// Selects a page in the order of the versions. Their index and that of the files of each skip those before it.
fn page_by_version(repo_id: RepoId, package_id: PackageId, paths: &NameRange, window: PageRequest) -> Statement {
    let files = "SELECT w.ordinal, o.path
         FROM versions w
         CROSS JOIN files o
         WHERE w.package_id = $1 AND w.published_files > 0
             AND o.version_id = w.id AND o.path >= $2 AND o.path < $3 AND o.published_blob_id IS NOT NULL
         ORDER BY w.ordinal DESC, o.path";
    let text = details(files, content(FileListState::Published), "page.ordinal DESC, f.path");
    Statement::new(text, arguments(package_id.into(), paths, window, repo_id))
}

/// Returns the statement that reads the files that another one selects.
fn details(files: &str, content: &str, order: &str) -> String {
    let columns = ListedFileRow::COLUMNS;
    format!(
        "SELECT {columns}
         FROM ({files} LIMIT $4 OFFSET $5) page
         CROSS JOIN files f
         JOIN packages p ON p.id = f.package_id
         JOIN versions v ON v.id = f.version_id
         JOIN repos r ON r.id = f.repo_id
         JOIN subjects s ON s.id = r.owner_id
         JOIN blobs b ON b.id = {content}
         WHERE f.repo_id = $6 AND f.path = page.path
         ORDER BY {order}"
    )
}

fn arguments(of: Value, paths: &NameRange, window: PageRequest, repo_id: RepoId) -> Vec<Value> {
    vec![of, (&paths.from).into(), (&paths.to).into(), window.limit.into(), window.start.into(), repo_id.into()]
}

fn total(of: FileListOwner, shown: FileListState, paths: &NameRange) -> Statement {
    let text = format!("SELECT CAST(COUNT(*) AS BIGINT) {}", part(of, shown));
    Statement::new(text, vec![of.id(), (&paths.from).into(), (&paths.to).into()])
}

/// Returns the `FROM` and `WHERE` clauses: an index on the paths serves each of the six variants.
fn part(of: FileListOwner, shown: FileListState) -> String {
    let column = match of {
        FileListOwner::Package(_) => "package_id",
        FileListOwner::Version(_) => "version_id",
    };
    let only = match shown {
        FileListState::Published => " AND published_blob_id IS NOT NULL",
        FileListState::Newest => "",
        FileListState::Staged => " AND staged_blob_id IS NOT NULL",
    };
    format!("FROM files WHERE {column} = $1 AND path >= $2 AND path < $3{only}")
}

impl FileListOwner {
    fn id(self) -> Value {
        match self {
            FileListOwner::Package(id) => id.into(),
            FileListOwner::Version(id) => id.into(),
        }
    }
}

/// Returns the column with the id of the listed content.
fn content(shown: FileListState) -> &'static str {
    match shown {
        FileListState::Published => "f.published_blob_id",
        FileListState::Newest => "COALESCE(f.staged_blob_id, f.published_blob_id)",
        FileListState::Staged => "f.staged_blob_id",
    }
}

/// Returns every statement of these lists, for the test of query plans.
#[cfg(test)]
pub(crate) fn samples() -> Vec<Statement> {
    let (paths, window) = (NameRange::beginning_with("lib/"), PageRequest { start: 50, limit: 50 });
    let forms = [FileListOwner::Package(PackageId::new(1)), FileListOwner::Version(VersionId::new(1))]
        .into_iter()
        .flat_map(|of| {
            let shown = [FileListState::Published, FileListState::Newest, FileListState::Staged];
            shown.map(|shown| [page(RepoId::new(1), of, shown, &paths, window), total(of, shown, &paths)])
        });
    let by_version = page_by_version(RepoId::new(1), PackageId::new(1), &paths, window);
    forms.flatten().chain([by_version]).collect()
}
