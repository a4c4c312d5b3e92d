//! Where a search of files looks: among as few as an index can promise.
//!
//! What is promised is counted before, up to a bound, or estimated from a sample, so that neither engine has to guess.

use model::prefix::NameRange;

use crate::{
    Database, Read, Result,
    engine::statement::{Statement, sql},
    search::{SearchQuery, file_sample::NameSample, file_search::Search, search_filter::phrase},
};

/// The most files that are looked at one by one.
const FEW: i64 = 50_000;

/// The most names that are, in the index of names.
const MANY: i64 = 500_000;

/// Which files are looked at.
#[derive(Debug)]
pub(crate) enum CandidateFiles {
    /// None: there is no such content, or no such repository.
    Nothing,
    /// Those whose content has one of these keys.
    Content(Vec<i64>),
    /// Those of the scope, which are few.
    Scope,
    /// Those whose names begin so, which are few, or of which few fit.
    Beginning(NameRange),
    /// Those whose names hold each of these three characters in a row.
    Holding(Vec<String>),
    /// All, newest first: many of them fit.
    All,
}

impl CandidateFiles {
    /// The best source for a search; `None` when no index is of use and there are too many files.
    pub(crate) async fn choose(db: &Database, search: &Search<'_>) -> Result<Option<CandidateFiles>> {
        let query = search.query;
        if search.repos.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Some(CandidateFiles::Nothing));
        }
        if let Some(sha1) = &query.sha1 {
            let statement = sql!("SELECT id FROM blobs WHERE sha1 = $1 ORDER BY id", sha1.as_str());
            let ids: Vec<i64> = db.all(statement).await?;
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
            return Ok(Some(if promise.is_kept_by_all(db).await? {
                CandidateFiles::All
            } else {
                CandidateFiles::Holding(promise.triples)
            }));
        }
        Ok(name.is_selective().then_some(CandidateFiles::All))
    }

    /// The tables, in the order in which they are read, with others that are joined to the files.
    pub(crate) fn tables(&self, db: &Database, joined: &[&str]) -> String {
        let files: &[&str] = match self {
            CandidateFiles::Holding(_) => db.per_engine(&["files_search", "files f"], &["files f"]),
            _ => &["files f"],
        };
        let tables = match self {
            // Subjects first, then their repositories, then the files of these.
            CandidateFiles::Scope => joined.iter().rev().chain(files).copied().collect::<Vec<_>>(),
            _ => files.iter().chain(joined).copied().collect(),
        };
        tables.join(" CROSS JOIN ")
    }

    /// The column of the file's key by which the source is read.
    pub(crate) fn key(&self, db: &Database) -> &'static str {
        match self {
            CandidateFiles::Holding(_) => db.per_engine("files_search.rowid", "f.id"),
            _ => "f.id",
        }
    }

    /// What is ordered by. With a sign, few files are sorted; without, many are read in their order until enough fit.
    /// SQLite's index of names is in that order by itself.
    pub(crate) fn order(&self, db: &Database) -> &'static str {
        match self {
            CandidateFiles::Scope | CandidateFiles::Beginning(_) => "+f.id",
            CandidateFiles::Holding(_) => db.per_engine("files_search.rowid", "+f.id"),
            _ => "f.id",
        }
    }

    /// The conditions of a search, and those that find the source's files in an index.
    pub(crate) fn narrow(&self, db: &Database, conditions: SearchQuery) -> SearchQuery {
        match self {
            CandidateFiles::Nothing | CandidateFiles::Scope | CandidateFiles::All => conditions,
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

/// Whether a statement that counts finds no more than a few.
async fn is_few(db: &Database, count: Statement) -> Result<bool> {
    is_at_most(db, count, FEW).await
}

/// Whether a statement that counts finds no more than these.
async fn is_at_most(db: &Database, count: Statement, most: i64) -> Result<bool> {
    let count: Option<i64> = db.one(count).await?;
    Ok(count.unwrap_or_default() <= most)
}

/// Counts the published files of the scope that the reader may read, as far as it matters.
pub(crate) fn of_scope(search: &Search<'_>) -> Statement {
    let SearchQuery { conditions, arguments } = search.readable();
    let tables = search.joined().iter().rev().chain(&["files f"]).copied().collect::<Vec<_>>().join(" CROSS JOIN ");
    let (conditions, limit) = (conditions.join(" AND "), FEW + 1);
    let text = format!(
        "SELECT CAST(COUNT(*) AS BIGINT)
         FROM (SELECT 1 FROM {tables} WHERE {conditions} LIMIT {limit}) some_files"
    );
    Statement::new(text, arguments).prepared_once()
}

/// Counts the files whose names begin so, as far as it matters.
pub(crate) fn beginning(range: &NameRange, matters: i64) -> Statement {
    let text = format!(
        "SELECT CAST(COUNT(*) AS BIGINT)
         FROM (SELECT 1 FROM files WHERE folded_name >= $1 AND folded_name < $2 LIMIT {}) some_files",
        matters + 1
    );
    Statement::new(text, vec![(&range.from).into(), (&range.to).into()])
}

/// A question to SQLite's index: all of these, the first drives.
fn phrases(triples: &[String]) -> String {
    triples.iter().map(|triple| phrase(triple)).collect::<Vec<_>>().join(" AND ")
}

/// A question to PostgreSQL's index, whose words are those of the index itself.
const LETTERS_LIKE: &str = "regexp_replace(translate(f.folded_name, '.-_', 'qxz'), '[^a-z0-9]', 'j', 'g') LIKE ?";

/// A text as PostgreSQL's index has it. That index knows letters and digits only, and on every server those of ASCII;
/// so each other character is written as a letter, many as the same one.
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
