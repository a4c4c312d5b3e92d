//! Searches for repositories.

use std::collections::HashMap;

use model::{access::Viewer, id::RepoId, page::PageRequest, repo::RepoWithRight, search::SearchTerms};

use crate::{
    Database, Result,
    catalogue::repos::RepoRow,
    engine::{
        keys,
        row::{Columns, row},
        statement::{Statement, select},
    },
    search::{
        Listing, Results, SearchQuery,
        candidates::{MOST_MATCHES, on_page},
        search_filter::SearchTable,
    },
};

const TEXTS: SearchTable = SearchTable { table: "repos", alias: "r", columns: &["name", "description"] };

const REPOS: Listing = Listing {
    columns: RepoRow::COLUMNS,
    tables: "repos r JOIN subjects s ON s.id = r.owner_id",
    order: "r.name, s.name",
};

row! {
    struct RepoMatchRow in "r" { id: RepoId, name: String, folded_name: String, owner: String = "s.name" }
}

/// Returns a page of the repositories that the viewer may read and that match the terms: the best matches of words first,
/// and otherwise by name and owner.
pub async fn find(
    db: &Database,
    terms: &SearchTerms,
    reader: Viewer,
    window: PageRequest,
) -> Result<Results<RepoWithRight>> {
    let Some(words) = &terms.words else {
        let rows: Results<RepoRow> = query(db, terms, reader).results(db, &REPOS, window).await?;
        return rows.try_into_all();
    };
    let mut found: Vec<RepoMatchRow> = db.all(matches(db, terms, reader)).await?;
    found.sort_by_cached_key(|row| (words.rank(&row.folded_name, ""), row.name.clone(), row.owner.clone()));
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let ids: Vec<RepoId> = on_page(&found, window).iter().map(|row| row.id).collect();
    let statement =
        select!(RepoRow, "FROM repos r JOIN subjects s ON s.id = r.owner_id WHERE r.id IN ($keys)", reader.id);
    let rows: Vec<RepoRow> = keys::all(db, statement, &ids).await?;
    let mut rows: HashMap<RepoId, RepoRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    Results { items: ids.iter().filter_map(|id| rows.remove(id)).collect(), total }.try_into_all()
}

fn query(db: &Database, terms: &SearchTerms, reader: Viewer) -> SearchQuery {
    SearchQuery::readable_by(reader).matching(db, TEXTS, terms)
}

fn matches(db: &Database, terms: &SearchTerms, reader: Viewer) -> Statement {
    let (joins, found) = ("JOIN subjects s ON s.id = r.owner_id", TEXTS.newest(db, terms, None));
    query(db, terms, reader).candidates(RepoMatchRow::COLUMNS, joins, found, MOST_MATCHES)
}

#[cfg(test)]
pub(crate) fn samples(db: &Database, terms: &SearchTerms, reader: Viewer) -> Vec<Statement> {
    match &terms.words {
        Some(_) => vec![matches(db, terms, reader)],
        None => super::samples::listed(query(db, terms, reader), &REPOS).into(),
    }
}
