//! Searches of published files by a pattern of the name, or by content. Newest first.

use model::{digest::Sha1, timestamp::Timestamp, wildcard::Wildcard};

use crate::{
    Database, Read, Result,
    file_list::{ListedFile, ListedFileRow},
    file_sources::Source,
    package_list::Window,
    repos::Reader,
    search::{Query, Results, Scope},
    statement::{Statement, Value},
};

/// The most results that a search has: there are no others, and none are counted.
pub const MOST_RESULTS: i64 = 10_000;

/// The most results that are shown at once.
const PAGE: usize = 50;

/// What is looked for. At least one of name and content is given.
#[derive(Debug, Clone, Default)]
pub struct FileQuery {
    /// A pattern that the file name fits.
    pub name: Option<Wildcard>,
    /// The SHA-1 of the content.
    pub sha1: Option<Sha1>,
    /// The repositories to look into.
    pub scope: Scope,
    /// Only files that were made later.
    pub created_after: Option<Moment>,
}

/// A moment, and a key that every file made after it is above.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The moment.
    pub at: Timestamp,
    /// The key.
    pub id: i64,
}

/// What a search came to.
#[derive(Debug)]
pub enum Outcome {
    /// The files that were found.
    Found(Results<ListedFile>),
    /// No index knows which files may fit, and there are too many to look at each.
    TooWide,
}

/// The published files that fit, of repositories that the reader may read.
pub async fn find(db: &Database, query: &FileQuery, reader: Reader, window: Window) -> Result<Outcome> {
    let ids: Vec<i64> = match Source::choose(db, query, reader).await? {
        Some(Source::Content(blobs)) if blobs.is_empty() => Vec::new(),
        Some(source) => db.all(hits(db, query, reader, &source)).await?,
        None => return Ok(Outcome::TooWide),
    };
    let total = i64::try_from(ids.len()).unwrap_or(MOST_RESULTS);
    let start = usize::try_from(window.start).unwrap_or(usize::MAX);
    let limit = usize::try_from(window.limit).unwrap_or_default().min(PAGE);
    let shown: Vec<i64> = ids.into_iter().skip(start).take(limit).collect();
    let items = if shown.is_empty() { Vec::new() } else { db.all(page(&shown)).await? };
    let items = items.into_iter().map(|row: ListedFileRow| ListedFile::try_from(row)).collect::<Result<_>>()?;
    Ok(Outcome::Found(Results { items, total }))
}

/// The keys of all results.
pub(crate) fn hits(db: &Database, query: &FileQuery, reader: Reader, source: &Source) -> Statement {
    let mut conditions = readable(query, reader);
    if let Some(name) = &query.name {
        conditions = conditions.and("f.folded_name LIKE ? ESCAPE '!'", name.like());
    }
    if let Some(after) = query.created_after {
        let above = format!("{} > ?", source.key(db));
        conditions = conditions.and("f.created > ?", after.at).and(&above, after.id);
    }
    let Query { conditions, arguments } = source.narrow(db, conditions);
    let (tables, conditions, order) = (source.tables(db, &query.scope), conditions.join(" AND "), source.order(db));
    let text = format!("SELECT f.id FROM {tables} WHERE {conditions} ORDER BY {order} DESC LIMIT {MOST_RESULTS}");
    // Prepared for the pattern at hand: a plan for any pattern would be bad for most.
    Statement::new(text, arguments).prepared_once()
}

/// Published files of the scope that the reader may read.
pub(crate) fn readable(query: &FileQuery, reader: Reader) -> Query {
    let mut conditions = Query::readable_by(reader).within(&query.scope);
    conditions.conditions.extend(["f.published_blob_id IS NOT NULL", "r.id = f.repo_id"].map(str::to_owned));
    if query.scope.owner.is_some() {
        conditions.conditions.push("s.id = r.owner_id".to_owned());
    }
    conditions
}

/// What is shown of these files. Absent ones repeat the first, so that there is one text.
fn page(ids: &[i64]) -> Statement {
    let places = (1..=PAGE).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "SELECT f.path, p.name, v.name, r.name, s.name, f.created, b.size, b.sha1, b.sha256
         FROM files f
         JOIN packages p ON p.id = f.package_id
         JOIN versions v ON v.id = f.version_id
         JOIN repos r ON r.id = f.repo_id
         JOIN subjects s ON s.id = r.owner_id
         JOIN blobs b ON b.id = f.published_blob_id
         WHERE f.id IN ({places})
         ORDER BY f.id DESC"
    );
    let first = ids.first().copied().unwrap_or_default();
    let values = (0..PAGE).map(|index| Value::Int(ids.get(index).copied().unwrap_or(first)));
    Statement::new(text, values.collect())
}

/// Every kind of statement that a search can make, for the test of plans.
#[cfg(test)]
pub(crate) fn samples(db: &Database) -> Vec<Statement> {
    use crate::file_sources::{beginning, of_scope};
    use model::{
        names::{RepoName, SubjectName},
        prefix::NameRange,
    };
    let reader = Reader { id: Some(1), sees_everything: false };
    let (owner, repo) = (SubjectName::parse("acme").ok(), RepoName::parse("tools").ok());
    let after = Some(Moment { at: Timestamp::from_millis(1), id: 1 });
    let name = Wildcard::parse("cat-*.jar").expect("a pattern");
    let range = || NameRange::beginning_with("cat-");
    let mut samples = vec![page(&[1]), beginning(&range())];
    for (owner, repo, created_after) in [(None, None, None), (owner.clone(), None, after), (None, repo.clone(), None)] {
        let scope = Scope { owner, repo };
        let query = FileQuery { name: name.clone(), sha1: None, scope, created_after };
        let sources =
            [Source::Content(vec![1]), Source::Beginning(range()), Source::Holding("abc".into()), Source::Scope];
        let is_scoped = query.scope.owner.is_some() || query.scope.repo.is_some();
        let sources = sources.iter().filter(|source| is_scoped || !matches!(source, Source::Scope));
        samples.extend(sources.map(|source| hits(db, &query, reader, source)));
        samples.extend(is_scoped.then(|| of_scope(&query, reader)));
    }
    samples
}
