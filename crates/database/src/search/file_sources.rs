//! Chooses the files that a search reads: as few as an index can provide.
//!
//! The number of candidates is counted first, up to a bound, or estimated from a sample, so that neither engine has to
//! guess.

use model::{
    id::{BlobId, RepoId},
    prefix::NameRange,
};

use crate::{
    Database, Result,
    engine::statement::{Statement, sql},
    search::{SearchQuery, file_sample::NameSample, file_search::Search, search_filter::phrase},
};

/// The maximum number of files that are read one by one.
const FEW: i64 = 50_000;

/// The maximum number of names that are read in the index of names.
const MANY: i64 = 500_000;

/// The files to read.
#[derive(Debug)]
pub(crate) enum CandidateFiles {
    /// No files: the content or the repository does not exist.
    Nothing,
    /// Files whose blob has one of these ids.
    Content(Vec<BlobId>),
    /// The files of the scope, which are few.
    Scope,
    /// Files whose names begin like this, if they are few, or if few of them match.
    Beginning(NameRange),
    /// Files whose names contain each of these trigrams.
    Holding(Vec<String>),
    /// The files of the scope's repositories, newest first, while many files elsewhere match, too.
    Newest(Vec<RepoId>),
    /// All files, newest first: many of them match.
    All,
}

impl CandidateFiles {
    /// Returns the best source for a search; `None` if no index helps and the files are too many.
    pub(crate) async fn choose(db: &Database, search: &Search<'_>) -> Result<Option<CandidateFiles>> {
        let query = search.query;
        if search.repos.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Some(CandidateFiles::Nothing));
        }
        if let Some(sha1) = &query.sha1 {
            let statement = sql!("SELECT id FROM blobs WHERE sha1 = $1 ORDER BY id", sha1.as_str());
            let ids: Vec<BlobId> = db.all(statement).await?;
            return Ok(Some(if ids.is_empty() { CandidateFiles::Nothing } else { CandidateFiles::Content(ids) }));
        }
        let Some(name) = &query.name else { return Ok(None) };
        if (search.is_scoped() || !name.is_selective()) && is_few(db, of_scope(search)).await? {
            return Ok(Some(CandidateFiles::Scope));
        }
        let range = NameRange::beginning_with(name.beginning());
        let has_beginning = !name.beginning().is_empty();
        if has_beginning && is_few(db, beginning(&range, FEW)).await? {
            return Ok(Some(CandidateFiles::Beginning(range)));
        }
        if name.runs().next().is_some() {
            let sample = NameSample::take(db).await?;
            let promise = sample.promise(name, search.repos.as_deref());
            if has_beginning && promise.is_of_few() && is_at_most(db, beginning(&range, MANY), MANY).await? {
                return Ok(Some(CandidateFiles::Beginning(range)));
            }
            if let Some(repos) = search.repos.clone().filter(|_| promise.is_of_many()) {
                return Ok(Some(CandidateFiles::Newest(repos)));
            }
            return Ok(Some(match search.repos.clone() {
                _ if !promise.prefers_all_files() => CandidateFiles::Holding(promise.triples),
                Some(repos) => CandidateFiles::Newest(repos),
                None => CandidateFiles::All,
            }));
        }
        let newest_first = || search.repos.clone().map_or(CandidateFiles::All, CandidateFiles::Newest);
        Ok(name.is_selective().then(newest_first))
    }

    /// Returns the tables in the order in which they are read, including those that are joined with the files.
    pub(crate) fn tables(&self, db: &Database, joined: &[&str]) -> String {
        let files: &[&str] = match self {
            CandidateFiles::Holding(_) => db.per_engine(&["files_search", "files f"], &["files f"]),
            _ => &["files f"],
        };
        let tables = match self {
            // Subjects first, then their repositories, then the files in these.
            CandidateFiles::Scope => joined.iter().rev().chain(files).copied().collect::<Vec<_>>(),
            _ => files.iter().chain(joined).copied().collect(),
        };
        tables.join(" CROSS JOIN ")
    }

    /// Returns the column with the file's id by which the source is read.
    pub(crate) fn key(&self, db: &Database) -> &'static str {
        match self {
            CandidateFiles::Holding(_) => db.per_engine("files_search.rowid", "f.id"),
            _ => "f.id",
        }
    }

    /// Returns the sort expression. With a sign, few files are sorted; without, many are read in order until enough
    /// match. SQLite's index of names already has that order.
    pub(crate) fn order(&self, db: &Database) -> &'static str {
        match self {
            CandidateFiles::Scope | CandidateFiles::Beginning(_) => "+f.id",
            CandidateFiles::Holding(_) => db.per_engine("files_search.rowid", "+f.id"),
            _ => "f.id",
        }
    }

    /// Adds the conditions that find the source's files in an index.
    pub(crate) fn narrow(&self, db: &Database, conditions: SearchQuery) -> SearchQuery {
        match self {
            CandidateFiles::Nothing | CandidateFiles::Scope | CandidateFiles::Newest(_) | CandidateFiles::All => {
                conditions
            }
            CandidateFiles::Content(ids) => conditions.and_one_of("f.published_blob_id", ids),
            CandidateFiles::Beginning(range) => {
                conditions.and("f.folded_name >= ?", &range.from).and("f.folded_name < ?", &range.to)
            }
            CandidateFiles::Holding(triples) if db.per_engine(true, false) => {
                conditions.and("f.id = files_search.rowid AND files_search MATCH ?", phrases(triples))
            }
            CandidateFiles::Holding(triples) => triples
                .iter()
                .fold(conditions, |conditions, triple| conditions.and(LETTERS_LIKE, format!("%{}%", letters(triple)))),
        }
    }
}

/// Returns whether a counting statement finds at most [`FEW`] rows.
async fn is_few(db: &Database, count: Statement) -> Result<bool> {
    is_at_most(db, count, FEW).await
}

/// Returns whether a counting statement finds at most `most` rows.
async fn is_at_most(db: &Database, count: Statement, most: i64) -> Result<bool> {
    let count: Option<i64> = db.one(count).await?;
    Ok(count.unwrap_or_default() <= most)
}

/// Counts the published files in the scope that the viewer may read, up to one more than [`FEW`].
pub(crate) fn of_scope(search: &Search<'_>) -> Statement {
    let SearchQuery { conditions, arguments, .. } = search.readable();
    let tables = search.joined().iter().rev().chain(&["files f"]).copied().collect::<Vec<_>>().join(" CROSS JOIN ");
    let (conditions, limit) = (conditions.join(" AND "), FEW + 1);
    let text = format!(
        "SELECT CAST(COUNT(*) AS BIGINT)
         FROM (SELECT 1 FROM {tables} WHERE {conditions} LIMIT {limit}) some_files"
    );
    Statement::new(text, arguments).prepared_once()
}

/// Counts the files whose names begin like this, up to one more than `matters`.
pub(crate) fn beginning(range: &NameRange, matters: i64) -> Statement {
    let text = format!(
        "SELECT CAST(COUNT(*) AS BIGINT)
         FROM (SELECT 1 FROM files WHERE folded_name >= $1 AND folded_name < $2 LIMIT {}) some_files",
        matters + 1
    );
    Statement::new(text, vec![(&range.from).into(), (&range.to).into()])
}

/// Builds a query to SQLite's index that requires all trigrams; the first one drives it.
fn phrases(triples: &[String]) -> String {
    triples.iter().map(|triple| phrase(triple)).collect::<Vec<_>>().join(" AND ")
}

/// A condition for PostgreSQL's index; the expression is the one that the index is defined on.
const LETTERS_LIKE: &str = "regexp_replace(translate(f.folded_name, '.-_', 'qxz'), '[^a-z0-9]', 'j', 'g') LIKE ?";

/// Encodes a text like PostgreSQL's index. That index supports only letters and digits, and on every server those of
/// ASCII; so each other character is encoded as a letter, many as the same one.
fn letters(text: &str) -> String {
    let letter = |character| match character {
        '.' => 'q',
        '-' => 'x',
        '_' => 'z',
        'a'..='z' | '0'..='9' => character,
        _ => 'j',
    };
    text.chars().map(letter).collect()
}
