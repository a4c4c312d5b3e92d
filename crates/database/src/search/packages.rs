//! Searches for packages.

mod matches;

use model::{
    access::Viewer,
    package::Package,
    page::PageRequest,
    search::{SearchFacets, SearchScope, SearchTerms},
    search_term::SearchTerm,
};

use self::matches::PackageMatches;
use crate::{
    Database, Result,
    catalogue::packages::PackageRow,
    engine::{row::Columns, statement::sql},
    search::{
        Listing, Results, SearchQuery,
        search_filter::{SearchTable, escape, is_indexed, like},
    },
};

pub(super) const TEXTS: SearchTable =
    SearchTable { table: "packages", alias: "p", columns: &["name", "description", "labels"] };

const PACKAGES: Listing = Listing {
    columns: PackageRow::COLUMNS,
    tables: "packages p JOIN repos r ON r.id = p.repo_id JOIN subjects s ON s.id = r.owner_id",
    order: "p.name, s.name, r.name",
};

/// The same, with the packages before their repositories: no engine uses an index for a column with a sign.
const PACKAGES_BY_TEXT: Listing =
    Listing { tables: "packages p JOIN repos r ON r.id = +p.repo_id JOIN subjects s ON s.id = r.owner_id", ..PACKAGES };

/// Returns a page of the packages that match the terms in repositories that the viewer may read: the best matches of
/// words first, and otherwise by name, owner and repository.
pub async fn find(
    db: &Database,
    terms: &SearchTerms,
    scope: &SearchScope,
    reader: Viewer,
    window: PageRequest,
) -> Result<Results<Package>> {
    if is_ranked(terms, scope) {
        return PackageMatches::read(db, terms, scope, reader).await?.page(db, terms, window).await;
    }
    let is_by_text = begins_with_texts(db, terms) && !has_few_packages(db, scope).await?;
    let listing = if is_by_text { &PACKAGES_BY_TEXT } else { &PACKAGES };
    let rows: Results<PackageRow> = query(db, terms, scope, reader).results(db, listing, window).await?;
    rows.try_into_all()
}

/// Returns a page of the packages that match words or a label, and what one could narrow the search to.
pub async fn find_with_facets(
    db: &Database,
    terms: &SearchTerms,
    scope: &SearchScope,
    reader: Viewer,
    window: PageRequest,
) -> Result<(Results<Package>, SearchFacets)> {
    let is_narrowed = scope.owner.is_some() || scope.format.is_some() || scope.license.is_some();
    let wide = SearchScope { label: scope.label.clone(), ..SearchScope::default() };
    let found = PackageMatches::read(db, terms, &wide, reader).await?;
    let facets = found.facets(scope);
    // The filters may leave few of the newest matches, although there are more.
    let found = if is_narrowed && found.is_cut {
        PackageMatches::read(db, terms, scope, reader).await?
    } else {
        found.within(scope)
    };
    Ok((found.page(db, terms, window).await?, facets))
}

/// Whether the matches are ranked. Searches by a part of a name or a description are lists by name.
fn is_ranked(terms: &SearchTerms, scope: &SearchScope) -> bool {
    let is_by_label = scope.label.is_some() && terms.name.is_none() && terms.description.is_none();
    terms.words.is_some() || is_by_label
}

/// Returns whether an index finds one of the texts. Otherwise, the packages of the repositories are compared with them.
fn begins_with_texts(db: &Database, terms: &SearchTerms) -> bool {
    let texts = [terms.name.as_ref().map(SearchTerm::alike), terms.description.as_ref().map(SearchTerm::folded)];
    texts.into_iter().flatten().any(|text| is_indexed(db, text))
}

/// Returns whether the repositories to search have so few packages that it is best to begin with those. Neither engine
/// knows whether a text or a repository leaves fewer packages, and both would read all those of a large repository.
async fn has_few_packages(db: &Database, scope: &SearchScope) -> Result<bool> {
    let Some(owner) = &scope.owner else { return Ok(false) };
    let statement = match &scope.repo {
        Some(repo) => sql!(
            "SELECT r.package_count FROM repos r JOIN subjects s ON s.id = r.owner_id
             WHERE s.name = $1 AND r.name = $2",
            owner,
            repo,
        ),
        None => sql!(
            "SELECT CAST(COALESCE(SUM(r.package_count), 0) AS BIGINT) FROM repos r JOIN subjects s ON s.id = r.owner_id
             WHERE s.name = $1",
            owner,
        ),
    };
    let count: Option<i64> = db.one(statement).await?;
    Ok(count.is_none_or(|count| count <= FEW_PACKAGES))
}

/// Repositories with at most this many packages are read package by package.
pub(super) const FEW_PACKAGES: i64 = 2_000;

fn query(db: &Database, terms: &SearchTerms, scope: &SearchScope, reader: Viewer) -> SearchQuery {
    let mut query = SearchQuery::readable_by(reader).within(scope).matching(db, TEXTS, terms);
    if let Some(license) = &scope.license {
        let lines = format!("('\n' || p.licenses || '\n' || p.custom_licenses || '\n') LIKE ?{}", escape(db));
        query = query.and(&lines, like(&format!("\n{license}\n")));
    }
    if let Some(label) = &scope.label {
        let lines = format!("('\n' || p.folded_labels || '\n') LIKE ?{}", escape(db));
        query = query.and(&lines, like(&format!("\n{}\n", label.folded())));
    }
    query
}

#[cfg(test)]
pub(super) use self::samples::{label_samples, samples, unscoped_samples};

#[cfg(test)]
mod samples {
    use super::{
        matches::{MatchStatements, statements},
        *,
    };
    use crate::{engine::statement::Statement, search::samples::listed};

    /// The statements of a search in a scope.
    pub(crate) fn samples(db: &Database, terms: &SearchTerms, scope: &SearchScope, reader: Viewer) -> Vec<Statement> {
        if is_ranked(terms, scope) {
            let MatchStatements { all, newest, frequent, of_few, best_named } = statements(db, terms, scope, reader);
            let frequent = frequent.map(|frequent| [frequent.sample, frequent.newest]);
            return all.into_iter().chain([newest, of_few, best_named]).chain(frequent.into_iter().flatten()).collect();
        }
        let list = |listing| listed(query(db, terms, scope, reader), listing);
        [list(&PACKAGES), list(&PACKAGES_BY_TEXT)].concat()
    }

    /// The statements of a search by a label alone.
    pub(crate) fn label_samples(db: &Database, scope: &SearchScope, reader: Viewer) -> Vec<Statement> {
        let MatchStatements { all, newest, frequent, .. } = statements(db, &SearchTerms::default(), scope, reader);
        let frequent = frequent.map(|frequent| [frequent.sample, frequent.newest]);
        all.into_iter().chain([newest]).chain(frequent.into_iter().flatten()).collect()
    }

    /// The statements of a search in all packages.
    pub(crate) fn unscoped_samples(db: &Database, terms: &SearchTerms, reader: Viewer) -> Vec<Statement> {
        let everywhere = &SearchScope::default();
        match &terms.words {
            Some(_) => {
                let MatchStatements { all, newest, .. } = statements(db, terms, everywhere, reader);
                all.into_iter().chain([newest]).collect()
            }
            None => listed(query(db, terms, everywhere, reader), &PACKAGES_BY_TEXT).into(),
        }
    }
}
