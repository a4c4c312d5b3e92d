//! Every kind of statement that a search can build, for the test of query plans.

use model::{
    access::Viewer,
    id::{GranteeId, SubjectId},
    names,
    page::PageRequest,
    search::{SearchScope, SearchTerms},
    search_term::SearchTerm,
    search_words::SearchWords,
};

use super::{Listing, SearchQuery, USERS, packages, repo_packages, repos};
use crate::{Database, engine::statement::Statement};

/// The statements.
pub(crate) struct Samples {
    /// Served by the trigram index.
    pub(crate) indexed: Vec<Statement>,
    /// Served by that index, or by the index on a repository's packages or on the names of packages.
    pub(crate) scoped: Vec<Statement>,
    /// Too short for the index.
    pub(crate) short: Vec<Statement>,
}

impl Samples {
    pub(crate) fn new(db: &Database) -> Self {
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
        let scoped = indexed.iter().flat_map(|terms| packages::samples(db, terms, &scope, SOMEONE));
        let labeled = SearchScope { label: term(long), ..SearchScope::default() };
        let of_label = packages::label_samples(db, &labeled, SOMEONE);
        let [name, letter] = ["tool", "a"].map(|text| term(Some(text)).expect("a term"));
        let in_repo = [(&name, true), (&name, false), (&letter, false)];
        let in_repo = in_repo.into_iter().flat_map(|(name, is_large)| repo_packages::samples(db, name, is_large));
        Self {
            scoped: scoped.chain(of_label).chain(in_repo).collect(),
            indexed: indexed.iter().flat_map(|terms| unscoped(db, terms)).collect(),
            short: short.iter().flat_map(|terms| unscoped(db, terms)).collect(),
        }
    }
}

const SOMEONE: Viewer = Viewer { id: Some(GranteeId::User(SubjectId::new(1))), sees_everything: false };

fn term(text: Option<&str>) -> Option<SearchTerm> {
    text.and_then(|text| SearchTerm::parse(text).expect("a term"))
}

fn terms(name: Option<&str>, description: Option<&str>) -> SearchTerms {
    SearchTerms { name: term(name), description: term(description), ..SearchTerms::default() }
}

fn words(text: &str) -> SearchTerms {
    SearchTerms { words: SearchWords::parse(text).expect("words"), ..SearchTerms::default() }
}

fn unscoped(db: &Database, terms: &SearchTerms) -> Vec<Statement> {
    let users = terms.name.iter().flat_map(|name| listed(SearchQuery::of_users(db, name), &USERS));
    // A user has no description, so only the name decides.
    let users = users.filter(|_| terms.description.is_none());
    let repos = repos::samples(db, terms, SOMEONE);
    let packages = packages::unscoped_samples(db, terms, SOMEONE);
    repos.into_iter().chain(packages).chain(users).collect()
}

/// The statements for a page of a list.
pub(super) fn listed(query: SearchQuery, listing: &Listing) -> [Statement; 2] {
    [query.count(listing), query.page(listing, PageRequest { start: 0, limit: 50 })]
}
