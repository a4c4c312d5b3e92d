//! Index files, which the server generates. Each change creates a new generation; the newest is served.

use model::{
    file_path::FilePath,
    id::{PackageId, RepoId},
    prefix::NameRange,
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        epochs::Invalidation,
        row::row,
        statement::{select, sql},
    },
};

/// The number of generations stored for each file, so that clients can still fetch a file that they have just read
/// about.
const GENERATIONS: i64 = 3;

/// An index file in the form in which it is served.
#[derive(Debug, Clone)]
pub struct IndexFile {
    /// Its text.
    pub content: String,
    /// When it was created.
    pub created: Timestamp,
    /// The package that it is an index of, if it is an index of one.
    pub package_id: Option<PackageId>,
}

row! {
    struct DerivedRow { content: String, created: i64, package_id: Option<PackageId> }
}

/// Returns the newest generation, if any.
pub async fn find(db: &impl Read, repo_id: RepoId, path: &FilePath) -> Result<Option<IndexFile>> {
    let row: Option<DerivedRow> = db
        .one(select!(
            DerivedRow,
            "FROM derived_files
             WHERE repo_id = $1 AND path = $2
             ORDER BY generation DESC
             LIMIT 1",
            repo_id,
            path,
        ))
        .await?;
    Ok(row.map(|row| {
        let (created, package_id) = (Timestamp::from_millis(row.created), row.package_id);
        IndexFile { content: row.content, created, package_id }
    }))
}

/// Returns the newest generation of each index of a package, as paths and texts.
pub async fn list_of_package(db: &impl Read, package_id: PackageId) -> Result<Vec<(String, String)>> {
    let statement = sql!(
        "SELECT d.path, d.content FROM derived_files d
         WHERE d.package_id = $1 AND d.generation = (SELECT MAX(n.generation) FROM derived_files n
             WHERE n.repo_id = d.repo_id AND n.path = d.path)
         ORDER BY d.path",
        package_id,
    );
    db.all(statement.long()).await
}

/// Adds a generation, which is served from the commit on. An index of a package ends with the package.
pub async fn insert(
    tx: &mut Tx,
    repo_id: RepoId,
    package_id: Option<PackageId>,
    path: &FilePath,
    content: &str,
    now: Timestamp,
) -> Result<()> {
    tx.invalidate(Invalidation::Files(repo_id));
    let generation: Option<i64> = tx
        .one(sql!(
            "INSERT INTO derived_files (repo_id, path, generation, content, created, package_id)
             SELECT $1, CAST($2 AS ctext), COALESCE(MAX(generation), 0) + 1, $3, $4, $5
             FROM derived_files
             WHERE repo_id = $1 AND path = $2
             RETURNING generation",
            repo_id,
            path,
            content,
            now,
            package_id.map(PackageId::get),
        ))
        .await?;
    let generation = generation.ok_or_else(|| Error::Broken("an index was not stored".into()))?;
    tx.run(
        sql!(
            "DELETE FROM derived_files WHERE repo_id = $1 AND path = $2 AND generation <= $3",
            repo_id,
            path,
            generation - GENERATIONS,
        )
        .long(),
    )
    .await?;
    Ok(())
}

/// Deletes the index file with all generations.
pub async fn delete(tx: &mut Tx, repo_id: RepoId, path: &FilePath) -> Result<()> {
    tx.invalidate(Invalidation::Files(repo_id));
    tx.run(sql!("DELETE FROM derived_files WHERE repo_id = $1 AND path = $2", repo_id, path).long()).await?;
    Ok(())
}

row! {
    struct PublishedRow { path: String, facts: Option<String> = "published_facts", published: i64 }
}

/// A published file that an index is built from.
#[derive(Debug, Clone)]
pub struct IndexSource {
    /// Its path.
    pub path: FilePath,
    /// The facts that the format has extracted from it.
    pub facts: Option<String>,
    /// When it was published.
    pub published: Timestamp,
}

/// Returns the published files below a folder, by path.
pub async fn list_sources(db: &impl Read, repo_id: RepoId, folder: &NameRange) -> Result<Vec<IndexSource>> {
    let rows: Vec<PublishedRow> = db
        .all(select!(
            PublishedRow,
            "FROM files
             WHERE repo_id = $1 AND path >= $2 AND path < $3 AND published_blob_id IS NOT NULL
             ORDER BY path",
            repo_id,
            &folder.from,
            &folder.to,
        ))
        .await?;
    let damaged = |_| Error::Broken(format!("a file of repository {repo_id} has a damaged row"));
    let source = |row: PublishedRow| {
        let path = FilePath::stored(&row.path).map_err(damaged)?;
        Ok(IndexSource { path, facts: row.facts, published: Timestamp::from_millis(row.published) })
    };
    rows.into_iter().map(source).collect()
}
