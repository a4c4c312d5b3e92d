//! Searches for published files by a name pattern or by content. Newest first.

use model::{
    access::Viewer, digest::Sha1, file::ListedFile, id::RepoId, page::PageRequest, search::SearchScope,
    timestamp::Timestamp, wildcard::Wildcard,
};

use crate::{
    Database, Result,
    content::{file_list::ListedFileRow, file_names},
    engine::{
        keys,
        statement::{Statement, Value, select},
    },
    search::{Results, SearchQuery, file_sources::CandidateFiles, search_filter::escape},
};

/// The maximum number of results: further matches are neither returned nor counted.
pub const MOST_RESULTS: i64 = 10_000;

/// The maximum number of repositories that a statement lists by id.
const NAMED_REPOS: i64 = 50;

/// A search for files. At least one of name and content is given.
#[derive(Debug, Clone, Default)]
pub struct FileQuery {
    /// A pattern that the file name must match.
    pub name: Option<Wildcard>,
    /// The SHA-1 of the content.
    pub sha1: Option<Sha1>,
    /// The repositories to search.
    pub scope: SearchScope,
    /// Restricts the search to files that were created later.
    pub created_after: Option<SearchSnapshot>,
}

/// A moment, and an id that is smaller than the ids of all files created after it.
#[derive(Debug, Clone, Copy)]
pub struct SearchSnapshot {
    /// The moment.
    pub at: Timestamp,
    /// The id.
    pub id: i64,
}

/// The outcome of a search.
#[derive(Debug)]
pub enum SearchOutcome {
    /// The files that were found.
    Found(Results<ListedFile>),
    /// No index narrows the search, and the files are too many to read each.
    TooWide,
}

/// Returns a page of the matching published files in repositories that the viewer may read.
pub async fn find(db: &Database, query: &FileQuery, reader: Viewer, window: PageRequest) -> Result<SearchOutcome> {
    if query.name.is_some()
        && let Err(error) = file_names::index_new(db).await
    {
        tracing::warn!("indexing new file names failed; a search may miss the newest files: {error}");
    }
    let search = Search::new(db, query, reader).await?;
    let ids: Vec<i64> = match CandidateFiles::choose(db, &search).await? {
        Some(CandidateFiles::Nothing) => Vec::new(),
        Some(source) => db.all(search.hits(db, &source)).await?,
        None => return Ok(SearchOutcome::TooWide),
    };
    let total = i64::try_from(ids.len()).unwrap_or(MOST_RESULTS);
    let start = usize::try_from(window.start).unwrap_or(usize::MAX);
    let limit = usize::try_from(window.limit).unwrap_or_default();
    let shown: Vec<i64> = ids.into_iter().skip(start).take(limit).collect();
    let rows: Vec<ListedFileRow> = keys::all(db, page(), &shown).await?;
    let items = rows.into_iter().map(ListedFile::try_from).collect::<Result<_>>()?;
    Ok(SearchOutcome::Found(Results { items, total }))
}

/// Selects the listed fields of some files.
fn page() -> Statement {
    select!(
        ListedFileRow,
        "FROM files f
         JOIN packages p ON p.id = f.package_id
         JOIN versions v ON v.id = f.version_id
         JOIN repos r ON r.id = f.repo_id
         JOIN subjects s ON s.id = r.owner_id
         JOIN blobs b ON b.id = f.published_blob_id
         WHERE f.id IN ($keys)
         ORDER BY f.id DESC"
    )
}

/// A query, with the repositories that it covers.
pub(crate) struct Search<'q> {
    pub(crate) query: &'q FileQuery,
    reader: Viewer,
    /// The repositories of the scope that the viewer may read; `None` without a scope, or if they are too many.
    pub(crate) repos: Option<Vec<RepoId>>,
}

impl<'q> Search<'q> {
    /// Finds the repositories of a query's scope.
    pub(crate) async fn new(db: &Database, query: &'q FileQuery, reader: Viewer) -> Result<Self> {
        let mut search = Search { query, reader, repos: None };
        if search.is_scoped() {
            let repos: Vec<RepoId> = db.all(search.scope()).await?;
            search.repos = (repos.len() as i64 <= NAMED_REPOS).then_some(repos);
        }
        Ok(search)
    }

    pub(crate) fn is_scoped(&self) -> bool {
        self.query.scope.owner.is_some() || self.query.scope.repo.is_some()
    }

    /// Selects the repositories of the scope that the viewer may read, up to one more than a statement may list.
    fn scope(&self) -> Statement {
        let SearchQuery { conditions, arguments, .. } = SearchQuery::readable_by(self.reader).within(&self.query.scope);
        let (conditions, limit) = (conditions.join(" AND "), NAMED_REPOS + 1);
        let text = format!(
            "SELECT r.id FROM subjects s JOIN repos r ON r.owner_id = s.id
             WHERE {conditions} ORDER BY r.id LIMIT {limit}"
        );
        Statement::new(text, arguments)
    }

    /// Selects the ids of all results.
    pub(crate) fn hits(&self, db: &Database, source: &CandidateFiles) -> Statement {
        if let CandidateFiles::Newest(repos) = source {
            return self.newest_hits(db, repos);
        }
        let mut conditions = self.readable();
        if let Some(name) = &self.query.name {
            conditions = conditions.and(&format!("f.folded_name LIKE ?{}", escape(db)), name.like());
        }
        if let Some(after) = self.query.created_after {
            let above = format!("{} > ?", source.key(db));
            conditions = conditions.and("f.created > ?", after.at).and(&above, after.id);
        }
        let SearchQuery { conditions, arguments, .. } = source.narrow(db, conditions);
        let (tables, order) = (source.tables(db, self.joined()), source.order(db));
        let conditions = conditions.join(" AND ");
        let text = format!("SELECT f.id FROM {tables} WHERE {conditions} ORDER BY {order} DESC LIMIT {MOST_RESULTS}");
        let statement = Statement::new(text, arguments);
        if self.has_one_plan(source) { statement.long() } else { statement.prepared_once() }
    }

    /// Whether the statement is planned once for all patterns: the source says how the files are found, and nothing else
    /// may find them sooner. Planning takes longer than most of these searches.
    fn has_one_plan(&self, source: &CandidateFiles) -> bool {
        let finds_few = match source {
            CandidateFiles::Holding(_) => true,
            CandidateFiles::Content(ids) => ids.len() == 1,
            _ => false,
        };
        finds_few && !self.is_scoped() && self.query.created_after.is_none()
    }

    /// Selects the ids of all results in these repositories. Each is read newest first until it has enough.
    fn newest_hits(&self, db: &Database, repos: &[RepoId]) -> Statement {
        let mut shared = SearchQuery::default();
        if let Some(name) = &self.query.name {
            shared = shared.and(&format!("f.folded_name LIKE ?{}", escape(db)), name.like());
        }
        if let Some(after) = self.query.created_after {
            shared = shared.and("f.created > ?", after.at).and("f.id > ?", after.id);
        }
        let SearchQuery { mut conditions, mut arguments, .. } = shared;
        conditions.push("f.published_blob_id IS NOT NULL".to_owned());
        let (conditions, first) = (conditions.join(" AND "), arguments.len() + 1);
        let of_repo = |place: usize| {
            format!(
                "SELECT some_files.id AS id FROM (SELECT f.id AS id FROM files f
                 WHERE f.repo_id = ${place} AND {conditions} ORDER BY f.id DESC LIMIT {MOST_RESULTS}) some_files"
            )
        };
        let parts: Vec<String> = (first..first + repos.len()).map(of_repo).collect();
        let text = format!("{} ORDER BY id DESC LIMIT {MOST_RESULTS}", parts.join(" UNION ALL "));
        arguments.extend(repos.iter().map(|id| Value::from(*id)));
        Statement::new(text, arguments).prepared_once()
    }

    /// Returns the conditions for published files in the scope that the viewer may read.
    pub(crate) fn readable(&self) -> SearchQuery {
        let mut query = match &self.repos {
            Some(repos) => SearchQuery::default().and_one_of("f.repo_id", repos),
            None => SearchQuery::readable_by(self.reader).within(&self.query.scope),
        };
        let joins: &[&str] = if self.repos.is_some() { &[] } else { &["r.id = f.repo_id", "s.id = r.owner_id"] };
        query
            .conditions
            .extend(joins.iter().chain(&["f.published_blob_id IS NOT NULL"]).map(|text| (*text).to_owned()));
        query
    }

    /// Returns the tables to join with the files.
    pub(crate) fn joined(&self) -> &'static [&'static str] {
        if self.repos.is_some() { &[] } else { &["repos r", "subjects s"] }
    }
}

#[cfg(test)]
pub(crate) mod samples {
    //! Every kind of statement that a search can build, for the test of query plans.

    use model::{
        id::{BlobId, GranteeId, SubjectId},
        names::{RepoName, SubjectName},
        prefix::NameRange,
    };

    use super::*;
    use crate::search::{file_sample, file_sources};

    const SOMEONE: Viewer = Viewer { id: Some(GranteeId::User(SubjectId::new(1))), sees_everything: false };

    pub(crate) fn all(db: &Database) -> Vec<Statement> {
        let name = Wildcard::parse("cat-*.jar").expect("a pattern");
        let created_after = Some(SearchSnapshot { at: Timestamp::from_millis(1), id: 1 });
        let scope = SearchScope {
            owner: SubjectName::parse("acme").ok(),
            repo: RepoName::parse("tools").ok(),
            ..SearchScope::default()
        };
        let everywhere = FileQuery { name, ..FileQuery::default() };
        let scoped = FileQuery { scope, created_after, ..everywhere.clone() };
        let range = NameRange::beginning_with("cat-");
        let mut samples = vec![file_sources::beginning(&range, 1), file_sample::names(db)];
        for (query, repos) in
            [(&everywhere, None), (&scoped, None), (&scoped, Some(vec![RepoId::new(1), RepoId::new(2)]))]
        {
            let search = Search { query, reader: SOMEONE, repos };
            let holding = CandidateFiles::Holding(vec!["cat".into(), "jar".into()]);
            for source in
                [CandidateFiles::Content(vec![BlobId::new(1)]), CandidateFiles::Beginning(range.clone()), holding]
            {
                samples.push(search.hits(db, &source));
            }
            if let Some(repos) = &search.repos {
                samples.push(search.hits(db, &CandidateFiles::Newest(repos.clone())));
            }
            if search.is_scoped() {
                samples.extend([
                    search.scope(),
                    search.hits(db, &CandidateFiles::Scope),
                    file_sources::of_scope(&search),
                ]);
            }
        }
        samples
    }
}
