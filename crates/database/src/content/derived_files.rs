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
        invalidation::Invalidation,
        row::row,
        statement::{select, sql},
    },
};

/// The number of generations stored for each file, so that clients can still fetch a file that they have just read
/// about.
const GENERATIONS: i64 = 3;

/// A text to store.
#[derive(Debug, Clone, Copy)]
pub struct NewIndex<'t> {
    /// Its path.
    pub path: &'t FilePath,
    /// The text, or the frame that sections go to.
    pub content: &'t str,
    /// The sections that go to the frame; `None` if the text is whole.
    pub framed: Option<Framed>,
}

/// The sections that go to a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Framed {
    /// The number of the first section.
    pub first: u8,
    /// The number of the last section.
    pub last: u8,
    /// The size of the joined text.
    pub joined_size: usize,
}

/// Returns whether there is an index at a path.
pub async fn exists(db: &dyn Read, repo_id: RepoId, path: &FilePath) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!("SELECT generation FROM derived_files WHERE repo_id = $1 AND path = $2 LIMIT 1", repo_id, path))
        .await?;
    Ok(found.is_some())
}

/// Returns the newest generation of each index of a package, as paths and texts.
pub async fn list_of_package(db: &dyn Read, package_id: PackageId) -> Result<Vec<(String, String)>> {
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
    NewIndex { path, content, framed }: NewIndex<'_>,
    now: Timestamp,
) -> Result<()> {
    tx.invalidate(Invalidation::Paths(repo_id));
    let size = |framed: Framed| i64::try_from(framed.joined_size).unwrap_or(i64::MAX);
    let generation: Option<i64> = tx
        .one(sql!(
            "INSERT INTO derived_files (repo_id, path, generation, content, created, package_id, first_section,
                 last_section, joined_size)
             SELECT $1, CAST($2 AS ctext), COALESCE(MAX(generation), 0) + 1, $3, $4, $5, $6, $7, $8
             FROM derived_files
             WHERE repo_id = $1 AND path = $2
             RETURNING generation",
            repo_id,
            path,
            content,
            now,
            package_id.map(PackageId::get),
            framed.map(|framed| i64::from(framed.first)),
            framed.map(|framed| i64::from(framed.last)),
            framed.map(size),
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
pub async fn list_sources(db: &dyn Read, repo_id: RepoId, folder: &NameRange) -> Result<Vec<IndexSource>> {
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
