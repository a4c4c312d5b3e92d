//! Searches by a part of a name or a description, using a trigram index.
//!
//! A term without three consecutive characters that the index supports reads the whole table. A search by words reads at
//! most a fixed number of matches, and ranks those.

pub(crate) mod attribute_statement;
pub(crate) mod candidates;
pub(crate) mod file_sample;
pub(crate) mod file_sources;
pub(crate) mod search_filter;
pub(crate) mod word_filter;

pub mod attribute_search;
pub mod file_search;
pub mod packages;
pub mod repo_packages;
pub mod repos;

#[cfg(test)]
pub(crate) mod file_search_tests;
#[cfg(test)]
mod limit_tests;
#[cfg(test)]
pub(crate) mod samples;

pub use candidates::MOST_MATCHES;

use model::{
    access::Viewer,
    page::PageRequest,
    search::{SearchScope, SearchTerms},
    search_term::SearchTerm,
    subject::Subject,
};

use crate::{
    Database, Error, Result,
    accounts::subjects::SubjectRow,
    engine::{
        row::{Columns, FromRow},
        statement::{Statement, Value},
    },
    search::{search_filter::SearchTable, word_filter::WordFilter},
};

/// A page of the results, and the total number.
#[derive(Debug)]
pub struct Results<T> {
    /// The results on the page.
    pub items: Vec<T>,
    /// The total number of results.
    pub total: i64,
}

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

const USER_TEXTS: SearchTable = SearchTable { table: "subjects", alias: "s", columns: &["name"] };

/// The columns, tables and order of a search.
#[derive(Clone, Copy)]
struct Listing {
    columns: &'static str,
    tables: &'static str,
    order: &'static str,
}

/// Conditions that must all hold, with their arguments.
#[derive(Default)]
pub(crate) struct SearchQuery {
    pub(crate) conditions: Vec<String>,
    pub(crate) arguments: Vec<Value>,
}

impl SearchQuery {
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

    /// Restricts the search to rows whose name and description contain these texts.
    fn matching(mut self, db: &Database, searched: SearchTable, terms: &SearchTerms) -> Self {
        let name = terms.name.as_ref().map(|term| ("name", term.alike()));
        let description = terms.description.as_ref().map(|term| ("description", term.folded()));
        let given: Vec<_> = [name, description].into_iter().flatten().collect();
        for filter in searched.filters(db, &given) {
            self = self.and(&filter.condition, filter.value);
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
        let next = arguments.len() + 1;
        let text = format!(
            "SELECT {columns} FROM {tables} WHERE {conditions} ORDER BY {order} LIMIT ${next} OFFSET ${}",
            next + 1
        );
        arguments.extend([window.limit.into(), window.start.into()]);
        Statement::new(text, arguments)
    }
}
