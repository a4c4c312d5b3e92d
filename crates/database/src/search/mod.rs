//! Searches by a part of a name or a description, using a trigram index.
//!
//! A term without three consecutive characters that the index supports reads the whole table.

pub(crate) mod attribute_statement;
pub(crate) mod file_sample;
pub(crate) mod file_sources;
pub(crate) mod ranking;
pub(crate) mod search_filter;
pub(crate) mod word_filter;

pub mod attribute_search;
pub mod file_search;

#[cfg(test)]
pub(crate) mod file_search_tests;

use model::{
    access::Viewer,
    id::RepoId,
    package::Package,
    page::PageRequest,
    repo::{Repo, RepoWithRight},
    search::{SearchOrder, SearchScope, SearchTerms},
    search_term::SearchTerm,
    subject::Subject,
};

use crate::{
    Database, Error, Result,
    accounts::subjects::SubjectRow,
    catalogue::{packages::PackageRow, repos::RepoRow},
    engine::{
        row::{Columns, FromRow},
        statement::{Statement, Value, sql},
    },
    search::{
        ranking::Rank,
        search_filter::{SearchTable, is_indexed, like},
        word_filter::WordFilter,
    },
};

/// A page of the results, and the total number.
#[derive(Debug)]
pub struct Results<T> {
    /// The results on the page.
    pub items: Vec<T>,
    /// The total number of results.
    pub total: i64,
}

/// Returns a page of the repositories that the viewer may read and that match the terms, by name and owner.
pub async fn repos(
    db: &Database,
    terms: &SearchTerms,
    reader: Viewer,
    window: PageRequest,
) -> Result<Results<RepoWithRight>> {
    let query = SearchQuery::of_repos(db, terms, reader);
    let rows: Results<RepoRow> = query.results(db, &REPOS, window).await?;
    rows.try_into_all()
}

const REPOS: Listing = Listing {
    columns: RepoRow::COLUMNS,
    tables: "repos r JOIN subjects s ON s.id = r.owner_id",
    order: "r.name, s.name",
};

/// Returns a page of the packages that match the terms in repositories that the viewer may read, by name, owner and
/// repository.
pub async fn packages(
    db: &Database,
    terms: &SearchTerms,
    scope: &SearchScope,
    reader: Viewer,
    window: PageRequest,
) -> Result<Results<Package>> {
    let query = SearchQuery::of_packages(db, terms, scope, reader);
    let listing = if begins_with_texts(db, terms, scope).await? { &PACKAGES_BY_TEXT } else { &PACKAGES };
    let rows: Results<PackageRow> = query.results(db, &listing.by(terms.order), window).await?;
    rows.try_into_all()
}

/// Returns whether to look for the texts before looking at the repository. Neither engine knows which of them leaves
/// fewer packages, and both would read all those of a large repository.
async fn begins_with_texts(db: &Database, terms: &SearchTerms, scope: &SearchScope) -> Result<bool> {
    let texts = [terms.name.as_ref().map(SearchTerm::alike), terms.description.as_ref().map(SearchTerm::folded)];
    let mut words = terms.words.iter().flat_map(|words| words.words());
    let is_by_text = texts.into_iter().flatten().any(|text| is_indexed(db, text))
        || words.any(|word| is_indexed(db, word.alike()) && is_indexed(db, word.folded()));
    let (Some(owner), Some(repo), true) = (&scope.owner, &scope.repo, is_by_text) else {
        return Ok(false);
    };
    let statement = sql!(
        "SELECT r.package_count FROM repos r JOIN subjects s ON s.id = r.owner_id WHERE s.name = $1 AND r.name = $2",
        owner,
        repo,
    );
    let count: Option<i64> = db.one(statement.looking_up()).await?;
    Ok(count.is_some_and(|count| count > FEW_PACKAGES))
}

/// A repository with at most this many packages is read package by package.
const FEW_PACKAGES: i64 = 2_000;

const PACKAGES: Listing = Listing {
    columns: PackageRow::COLUMNS,
    tables: "packages p JOIN repos r ON r.id = p.repo_id JOIN subjects s ON s.id = r.owner_id",
    order: "p.name, s.name, r.name",
};

/// The same, with the packages before their repositories: no engine uses an index for a column with a sign.
const PACKAGES_BY_TEXT: Listing =
    Listing { tables: "packages p JOIN repos r ON r.id = +p.repo_id JOIN subjects s ON s.id = r.owner_id", ..PACKAGES };

/// Returns a page of the packages of a repository whose names contain the term, by name. The caller has checked that
/// the repository may be read.
pub async fn packages_in(
    db: &Database,
    repo: &Repo,
    name: &SearchTerm,
    window: PageRequest,
) -> Result<Results<Package>> {
    let is_large = repo.package_count > FEW_PACKAGES && is_indexed(db, name.alike());
    let rows: Results<PackageRow> =
        SearchQuery::in_repo(db, repo.id, is_large, name).results(db, &PACKAGES_IN, window).await?;
    rows.try_into_all()
}

const PACKAGES_IN: Listing = Listing { columns: PackageRow::COLUMNS, tables: "packages p", order: "p.name" };

/// Returns a page of the users whose names contain the term, by name.
pub async fn users(db: &Database, name: &SearchTerm, window: PageRequest) -> Result<Results<Subject>> {
    let query = SearchQuery::of_users(db, name);
    let rows: Results<SubjectRow> = query.results(db, &USERS, window).await?;
    rows.try_into_all()
}

const USERS: Listing = Listing { columns: SubjectRow::COLUMNS, tables: "subjects s", order: "s.name" };

impl<R> Results<R> {
    fn try_into_all<T: TryFrom<R, Error = Error>>(self) -> Result<Results<T>> {
        let items: Result<Vec<T>> = self.items.into_iter().map(T::try_from).collect();
        Ok(Results { items: items?, total: self.total })
    }
}

const REPO_TEXTS: SearchTable = SearchTable { table: "repos", alias: "r", columns: &["name", "description"] };
const PACKAGE_TEXTS: SearchTable =
    SearchTable { table: "packages", alias: "p", columns: &["name", "description", "labels"] };
const USER_TEXTS: SearchTable = SearchTable { table: "subjects", alias: "s", columns: &["name"] };

/// The columns, tables and order of a search.
#[derive(Clone, Copy)]
struct Listing {
    columns: &'static str,
    tables: &'static str,
    order: &'static str,
}

impl Listing {
    /// The same packages in this order.
    fn by(self, order: SearchOrder) -> Self {
        match order {
            SearchOrder::Best | SearchOrder::Name => self,
            SearchOrder::Updated => Self { order: "p.updated DESC, p.name, s.name, r.name", ..self },
            SearchOrder::Downloads => Self { order: BY_DOWNLOADS, ..self },
        }
    }
}

const BY_DOWNLOADS: &str = "CASE WHEN p.public_download_numbers
        THEN COALESCE((SELECT d.downloads FROM recent_downloads d WHERE d.package_id = p.id), 0)
        ELSE 0 END DESC, p.name, s.name, r.name";

/// Conditions that must all hold, with their arguments.
#[derive(Default)]
pub(crate) struct SearchQuery {
    pub(crate) conditions: Vec<String>,
    pub(crate) arguments: Vec<Value>,
    /// What comes first, if the matches are ranked.
    rank: Option<Rank>,
}

impl SearchQuery {
    fn of_repos(db: &Database, terms: &SearchTerms, reader: Viewer) -> Self {
        SearchQuery::readable_by(reader).matching(db, REPO_TEXTS, terms)
    }

    fn of_packages(db: &Database, terms: &SearchTerms, scope: &SearchScope, reader: Viewer) -> Self {
        SearchQuery::readable_by(reader).within(scope).among_packages(db, scope).matching(db, PACKAGE_TEXTS, terms)
    }

    /// Searches the packages of one repository; a large one by the text first, as [`begins_with_texts`] explains.
    fn in_repo(db: &Database, repo_id: RepoId, is_large: bool, name: &SearchTerm) -> Self {
        let terms = SearchTerms { name: Some(name.clone()), ..SearchTerms::default() };
        let repo = if is_large { "+p.repo_id = ?" } else { "p.repo_id = ?" };
        SearchQuery::default().and(repo, repo_id).matching(db, PACKAGE_TEXTS, &terms)
    }

    fn of_users(db: &Database, name: &SearchTerm) -> Self {
        let users = SearchQuery { conditions: vec!["s.kind = 'user'".to_owned()], ..SearchQuery::default() };
        let terms = SearchTerms { name: Some(name.clone()), ..SearchTerms::default() };
        users.matching(db, USER_TEXTS, &terms)
    }

    /// Restricts the search to repositories that the viewer may read. The viewer is `$1`.
    pub(crate) fn readable_by(reader: Viewer) -> Self {
        let condition = "(NOT r.is_private OR ($2 AND r.owner_id > 0)
            OR EXISTS (SELECT 1 FROM repo_grants g WHERE g.repo_id = r.id AND g.grantee_id = $1))";
        Self {
            conditions: vec![condition.to_owned()],
            arguments: vec![reader.id.into(), reader.sees_everything.into()],
            rank: None,
        }
    }

    /// Adds a condition; `?` in it is the value.
    pub(crate) fn and(mut self, condition: &str, value: impl Into<Value>) -> Self {
        self.arguments.push(value.into());
        self.conditions.push(condition.replace('?', &format!("${}", self.arguments.len())));
        self
    }

    /// Adds the condition that a column has one of these values, of which at least one is given.
    pub(crate) fn and_one_of(mut self, column: &str, values: &[impl Copy + Into<Value>]) -> Self {
        let first = self.arguments.len() + 1;
        let places: Vec<String> = (first..first + values.len()).map(|number| format!("${number}")).collect();
        self.arguments.extend(values.iter().copied().map(Into::into));
        self.conditions.push(format!("{column} IN ({})", places.join(", ")));
        self
    }

    /// Adds the condition that a word occurs somewhere.
    fn and_word(mut self, filter: WordFilter) -> Self {
        let WordFilter { mut condition, values } = filter;
        for (mark, value) in values {
            self.arguments.push(value.into());
            condition = condition.replace(mark, &format!("${}", self.arguments.len()));
        }
        self.conditions.push(condition);
        self
    }

    pub(crate) fn within(self, scope: &SearchScope) -> Self {
        let query = match &scope.owner {
            Some(owner) => self.and("s.name = ?", owner),
            None => self,
        };
        let query = match &scope.repo {
            Some(repo) => query.and("r.name = ?", repo),
            None => query,
        };
        match &scope.format {
            Some(format) => query.and("r.type = ?", format),
            None => query,
        }
    }

    /// Restricts the search to packages with the licence and the label.
    fn among_packages(mut self, db: &Database, scope: &SearchScope) -> Self {
        if let Some(license) = &scope.license {
            let lines = "('\n' || p.licenses || '\n' || p.custom_licenses || '\n') LIKE ? ESCAPE '!'";
            self = self.and(lines, like(&format!("\n{license}\n")));
        }
        if let Some(label) = &scope.label {
            for filter in PACKAGE_TEXTS.filters(db, &[("labels", label.folded())]) {
                self = self.and(&filter.condition, filter.value);
            }
            let lines = "('\n' || p.folded_labels || '\n') LIKE ? ESCAPE '!'";
            self = self.and(lines, like(&format!("\n{}\n", label.folded())));
        }
        self
    }

    fn matching(mut self, db: &Database, searched: SearchTable, terms: &SearchTerms) -> Self {
        let name = terms.name.as_ref().map(|term| ("name", term.alike()));
        let description = terms.description.as_ref().map(|term| ("description", term.folded()));
        let given: Vec<_> = [name, description].into_iter().flatten().collect();
        for filter in searched.filters(db, &given) {
            self = self.and(&filter.condition, filter.value);
        }
        if let Some(words) = &terms.words {
            for filter in searched.filters_of_words(db, words.words()) {
                self = self.and_word(filter);
            }
            self.rank = (terms.order == SearchOrder::Best).then(|| Rank::new(searched, words));
        }
        self
    }

    /// Reads a page, and counts the results only if there may be more of them than the page has.
    async fn results<T: FromRow>(self, db: &Database, listing: &Listing, window: PageRequest) -> Result<Results<T>> {
        let count = self.count(listing);
        let items: Vec<T> = db.all(self.page(listing, window)).await?;
        let read = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let ends_here = read < window.limit && (read > 0 || window.start == 0);
        let total = if ends_here { window.start + read } else { db.one(count).await?.unwrap_or_default() };
        Ok(Results { items, total })
    }

    fn count(&self, listing: &Listing) -> Statement {
        let (tables, conditions) = (listing.tables, self.conditions.join(" AND "));
        let text = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {tables} WHERE {conditions}");
        Statement::new(text, self.arguments.clone())
    }

    fn page(self, listing: &Listing, window: PageRequest) -> Statement {
        let Listing { columns, tables, order } = listing;
        let (conditions, mut arguments) = (self.conditions.join(" AND "), self.arguments);
        let rank = self.rank.map(|rank| rank.add_to(&mut arguments)).unwrap_or_default();
        let next = arguments.len() + 1;
        let text = format!(
            "SELECT {columns} FROM {tables} WHERE {conditions} ORDER BY {rank}{order} LIMIT ${next} OFFSET ${}",
            next + 1
        );
        arguments.extend([window.limit.into(), window.start.into()]);
        Statement::new(text, arguments)
    }
}

/// Every kind of statement that a search can build, for the test of query plans.
#[cfg(test)]
pub(crate) struct Samples {
    /// Served by the trigram index.
    pub(crate) indexed: Vec<Statement>,
    /// Served by that index, or by the index on a repository's packages.
    pub(crate) scoped: Vec<Statement>,
    /// Too short for the index.
    pub(crate) short: Vec<Statement>,
}

#[cfg(test)]
impl Samples {
    pub(crate) fn new(db: &Database) -> Self {
        use model::{names, search_words::SearchWords};

        let term = |text: Option<&str>| text.and_then(|text| SearchTerm::parse(text).expect("a term"));
        let terms = |name, description| SearchTerms {
            name: term(name),
            description: term(description),
            ..SearchTerms::default()
        };
        let words = |text| SearchTerms { words: SearchWords::parse(text).expect("words"), ..SearchTerms::default() };
        let (long, short) = (Some("tool"), Some("a"));
        let indexed = [
            terms(long, None),
            terms(None, long),
            terms(long, long),
            terms(long, short),
            terms(short, long),
            words("tool"),
            words("tool a sharp"),
        ];
        let short = [terms(short, None), terms(None, short), terms(short, short), words("a")];
        let scope = SearchScope {
            owner: names::SubjectName::parse("acme").ok(),
            repo: names::RepoName::parse("tools").ok(),
            format: Some("maven".to_owned()),
            license: Some("MIT".to_owned()),
            label: term(long),
        };
        let within =
            |terms: &SearchTerms, listing| sample(SearchQuery::of_packages(db, terms, &scope, SOMEONE), listing);
        let scoped = indexed.iter().flat_map(|terms| within(terms, &PACKAGES));
        let scoped = scoped.chain(indexed.iter().flat_map(|terms| within(terms, &PACKAGES_BY_TEXT)));
        let orders = [SearchOrder::Updated, SearchOrder::Downloads];
        let ordered = orders.map(|order| (SearchTerms { order, ..words("tool") }, PACKAGES.by(order)));
        let ordered = ordered
            .iter()
            .flat_map(|(terms, listing)| sample(SearchQuery::of_packages(db, terms, &scope, SOMEONE), listing));
        let in_repo = [(long, true), (long, false), (Some("a"), false)].into_iter().flat_map(|(name, is_large)| {
            let name = term(name).expect("a term");
            sample(SearchQuery::in_repo(db, RepoId::new(1), is_large, &name), &PACKAGES_IN)
        });
        let scoped = scoped.chain(ordered).chain(in_repo);
        Self {
            scoped: scoped.collect(),
            indexed: indexed.iter().flat_map(|terms| unscoped(db, terms)).collect(),
            short: short.iter().flat_map(|terms| unscoped(db, terms)).collect(),
        }
    }
}

#[cfg(test)]
const SOMEONE: Viewer =
    Viewer { id: Some(model::id::GranteeId::User(model::id::SubjectId::new(1))), sees_everything: false };

#[cfg(test)]
fn unscoped(db: &Database, terms: &SearchTerms) -> Vec<Statement> {
    let users = terms.name.iter().flat_map(|name| sample(SearchQuery::of_users(db, name), &USERS));
    let repos = sample(SearchQuery::of_repos(db, terms, SOMEONE), &REPOS);
    let packages = sample(SearchQuery::of_packages(db, terms, &SearchScope::default(), SOMEONE), &PACKAGES);
    // A user has no description, so only the name decides.
    let users = users.filter(|_| terms.description.is_none());
    repos.into_iter().chain(packages).chain(users).collect()
}

#[cfg(test)]
fn sample(query: SearchQuery, listing: &Listing) -> [Statement; 2] {
    [query.count(listing), query.page(listing, PageRequest { start: 0, limit: 50 })]
}
