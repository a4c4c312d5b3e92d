//! Searches for packages of one repository, as native clients do.

use model::{
    id::RepoId, package::Package, page::PageRequest, repo::Repo, search::SearchTerms, search_term::SearchTerm,
};

use crate::{
    Database, Result,
    catalogue::packages::PackageRow,
    engine::row::Columns,
    search::{
        Listing, Results, SearchQuery,
        packages::{FEW_PACKAGES, TEXTS},
        search_filter::is_indexed,
    },
};

const PACKAGES: Listing = Listing { columns: PackageRow::COLUMNS, tables: "packages p", order: "p.name" };

/// Returns a page of the packages of a repository whose names contain the term, by name. The caller has checked that
/// the repository may be read.
pub async fn find(db: &Database, repo: &Repo, name: &SearchTerm, window: PageRequest) -> Result<Results<Package>> {
    let is_large = repo.package_count > FEW_PACKAGES && is_indexed(db, name.alike());
    let rows: Results<PackageRow> = query(db, repo.id, is_large, name).results(db, &PACKAGES, window).await?;
    rows.try_into_all()
}

/// Looks for the text before looking at the repository if that is large: no engine uses an index for a column with a
/// sign, and none knows which of the two leaves fewer packages.
fn query(db: &Database, repo_id: RepoId, is_large: bool, name: &SearchTerm) -> SearchQuery {
    let terms = SearchTerms { name: Some(name.clone()), ..SearchTerms::default() };
    let repo = if is_large { "+p.repo_id = ?" } else { "p.repo_id = ?" };
    SearchQuery::default().and(repo, repo_id).matching(db, TEXTS, &terms)
}

#[cfg(test)]
pub(crate) fn samples(db: &Database, name: &SearchTerm, is_large: bool) -> [crate::engine::statement::Statement; 2] {
    super::samples::listed(query(db, RepoId::new(1), is_large, name), &PACKAGES)
}
