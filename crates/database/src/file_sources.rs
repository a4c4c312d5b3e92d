//! Where a search of files looks: among as few as an index can promise.
//!
//! What is promised is counted before, up to a bound, so that neither engine has to guess it.

use model::{prefix::NameRange, wildcard::Wildcard};

use crate::{
    Database, Read, Result,
    file_search::{FileQuery, readable},
    rare_triples,
    repos::Reader,
    search::{Query, Scope},
    statement::{Statement, sql},
};

/// The most files that are looked at one by one.
const FEW: i64 = 50_000;

/// Which files are looked at.
#[derive(Debug)]
pub(crate) enum Source {
    /// Those whose content has one of these keys.
    Content(Vec<i64>),
    /// Those of the scope, which are few.
    Scope,
    /// Those whose names begin so, which are few.
    Beginning(NameRange),
    /// Those that an index of three characters in a row answers this question with, newest first.
    Holding(String),
    /// All, newest first: many of them fit.
    All,
}

impl Source {
    /// The best source for a query; `None` when no index is of use and there are too many files.
    pub(crate) async fn choose(db: &Database, query: &FileQuery, reader: Reader) -> Result<Option<Source>> {
        if let Some(sha1) = &query.sha1 {
            let statement = sql!("SELECT id FROM blobs WHERE sha1 = $1 ORDER BY id", sha1.as_str());
            return Ok(Some(Source::Content(db.all(statement).await?)));
        }
        let Some(name) = &query.name else { return Ok(None) };
        let is_scoped = query.scope.owner.is_some() || query.scope.repo.is_some();
        if (is_scoped || !name.is_selective()) && is_few(db, of_scope(query, reader)).await? {
            return Ok(Some(Source::Scope));
        }
        let range = NameRange::beginning_with(name.beginning());
        if !name.beginning().is_empty() && is_few(db, beginning(&range)).await? {
            return Ok(Some(Source::Beginning(range)));
        }
        if name.runs().next().is_some() {
            return Ok(Some(Source::Holding(question(db, name).await?)));
        }
        Ok(name.is_selective().then_some(Source::All))
    }

    /// The tables, in the order in which they are read.
    pub(crate) fn tables(&self, db: &Database, scope: &Scope) -> String {
        let files = match self {
            Source::Scope => return format!("{} CROSS JOIN files f", repos(scope)),
            Source::Holding(_) => db.per_engine("files_search CROSS JOIN files f", "files f"),
            _ => "files f",
        };
        let subjects = if scope.owner.is_some() { " CROSS JOIN subjects s" } else { "" };
        format!("{files} CROSS JOIN repos r{subjects}")
    }

    /// The column of the file's key by which the source is read.
    pub(crate) fn key(&self, db: &Database) -> &'static str {
        match self {
            Source::Holding(_) => db.per_engine("files_search.rowid", "f.id"),
            _ => "f.id",
        }
    }

    /// What is ordered by. With a sign, few files are sorted; without, many are read in their order until enough fit.
    pub(crate) fn order(&self, db: &Database) -> &'static str {
        match self {
            Source::Scope | Source::Beginning(_) => "+f.id",
            _ => self.key(db),
        }
    }

    /// The conditions of a search, and those that find the source's files in an index.
    pub(crate) fn narrow(&self, db: &Database, conditions: Query) -> Query {
        match self {
            Source::Content(ids) => conditions.and_one_of("f.published_blob_id", ids),
            Source::Scope | Source::All => conditions,
            Source::Beginning(range) => {
                conditions.and("f.folded_name >= ?", &range.from).and("f.folded_name < ?", &range.to)
            }
            Source::Holding(question) => {
                let condition = db.per_engine(
                    "f.id = files_search.rowid AND files_search MATCH ?",
                    "regexp_replace(translate(f.folded_name, '.-_', 'qxz'), '[^a-z0-9]', 'j', 'g') LIKE ?",
                );
                conditions.and(condition, question)
            }
        }
    }
}

/// Whether a statement that counts finds no more than a few.
async fn is_few(db: &Database, count: Statement) -> Result<bool> {
    let count: Option<i64> = db.one(count).await?;
    Ok(count.unwrap_or_default() <= FEW)
}

/// Counts the published files of the scope that the reader may read, as far as it matters.
pub(crate) fn of_scope(query: &FileQuery, reader: Reader) -> Statement {
    let Query { conditions, arguments } = readable(query, reader);
    let (repos, conditions, limit) = (repos(&query.scope), conditions.join(" AND "), FEW + 1);
    let text = format!(
        "SELECT CAST(COUNT(*) AS BIGINT)
         FROM (SELECT 1 FROM {repos} CROSS JOIN files f WHERE {conditions} LIMIT {limit}) some_files"
    );
    Statement::new(text, arguments)
}

/// Counts the files whose names begin so, as far as it matters.
pub(crate) fn beginning(range: &NameRange) -> Statement {
    let text = format!(
        "SELECT CAST(COUNT(*) AS BIGINT)
         FROM (SELECT 1 FROM files WHERE folded_name >= $1 AND folded_name < $2 LIMIT {}) some_files",
        FEW + 1
    );
    Statement::new(text, vec![(&range.from).into(), (&range.to).into()])
}

/// The repositories of a scope, first by what an index has.
fn repos(scope: &Scope) -> &'static str {
    if scope.owner.is_some() { "subjects s CROSS JOIN repos r" } else { "repos r" }
}

/// What the index of three characters is asked to find all names that the pattern fits.
pub(crate) async fn question(db: &Database, name: &Wildcard) -> Result<String> {
    match db.per_engine(true, false) {
        true => rare_triples::question(db, name).await,
        false => Ok(name.like_with(letters)),
    }
}

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
