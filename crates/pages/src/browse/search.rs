//! Search results: packages, repositories, files and users that the visitor may see.

use askama::Template;
use axum::{extract::State, response::Response};
use futures_util::future::try_join_all;
use model::page::{PAGE_SIZE, PageRequest};
use operations::search::MOST_RESULTS;
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    facets::{Facet, facets},
    hits::{SearchHit, SearchSection, SearchText, find},
    search_filters::SearchFilters,
};
use crate::{
    address::query_value,
    layout::{Layout, render},
    pager::Pager,
    sizes,
    visitor::Visitor,
};

/// The number of results of each kind on the first page.
const OF_EACH: usize = 8;

/// The kinds of results, with their headings.
const KINDS: [(&str, &str); 4] =
    [("packages", "Packages"), ("repos", "Repositories"), ("files", "Files"), ("users", "Users")];

#[derive(Template)]
#[template(path = "browse/search.html")]
struct Page {
    layout: Layout,
    query: String,
    kind: String,
    filters: SearchFilters,
    sections: Vec<Section>,
    is_signed_in: bool,
    /// The kinds of results to choose from: name, title, icon and URL.
    kinds: Vec<(&'static str, &'static str, &'static str, String)>,
    /// The orders of packages: title, URL, and whether the list is in this one.
    orders: Vec<(&'static str, String, bool)>,
    facets: Vec<Facet>,
    /// The number of packages that were found; `None` if the page shows other things as well.
    count: Option<String>,
    /// Whether a search found nothing.
    has_nothing: bool,
    /// The most results of a search, if there may be more.
    most: Option<String>,
}

struct Section {
    kind: &'static str,
    title: &'static str,
    hits: Vec<SearchHit>,
    total: u64,
    /// The reason why the search was rejected; empty if it was not.
    problem: String,
    /// The URL of all results; empty if all are shown.
    all: String,
    pager: Pager,
}

impl Section {
    /// Whether more packages or repositories may match than are listed.
    fn may_be_cut(&self) -> bool {
        self.total >= MOST_RESULTS && ["packages", "repos"].contains(&self.kind)
    }
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let query = path.query("q")?.unwrap_or_default().trim().to_owned();
    let filters = SearchFilters::read(&path)?;
    let mut kind = path.query("in")?.unwrap_or_default().to_owned();
    if !kind.is_empty() && !KINDS.iter().any(|(name, _)| *name == kind) {
        return Err(Failure::bad_request("in: it is not one of packages, repos, files, users"));
    }
    if filters.is_about_packages() {
        kind = "packages".to_owned();
    }
    let (start, limit) = if kind.is_empty() { (0, OF_EACH as u64) } else { (path.start_position()?, PAGE_SIZE) };
    let part = PageRequest { start: start.cast_signed(), limit: limit.cast_signed() };
    let wanted = SearchText { text: query.clone(), scope: filters.scope()?, order: filters.order()? };
    // Filters narrow a search; by themselves, they do not start one. A label does.
    let is_asked = !query.is_empty() || !filters.label.is_empty();
    let (mut sections, mut narrowing) = (Vec::new(), Vec::new());
    let asked = KINDS.into_iter().filter(|(name, _)| is_asked && (kind.is_empty() || *name == kind));
    let asked: Vec<(&str, &str)> = asked.collect();
    // All at once: each of them waits for the database several times.
    let found = try_join_all(asked.iter().map(|(name, _)| find(&app, &visitor, name, &wanted, part))).await?;
    for ((name, title), found) in asked.into_iter().zip(found) {
        if let Some(mut found) = found {
            narrowing.extend(facets(&query, &filters, std::mem::take(&mut found.facets)));
            sections.push(section(name, title, found, (&query, &filters), !kind.is_empty()));
        }
    }
    if sections.iter().any(|section| section.total > 0) {
        sections.retain(|section| section.total > 0 || !section.problem.is_empty());
    }
    let has_nothing = is_asked && sections.iter().all(|section| section.total == 0 && section.problem.is_empty());
    if has_nothing && kind.is_empty() {
        sections.clear();
    }
    let filled = if is_asked { Vec::new() } else { filters.set_parameters() };
    let layout = Layout { query: query.clone(), filters: filled, ..visitor.layout(&app) };
    let is_signed_in = visitor.caller.user().is_some();
    let page = Page {
        kinds: kinds(&query, is_signed_in),
        orders: filters.orders(&query),
        facets: narrowing,
        count: sections.first().filter(|_| kind == "packages").map(|section| count(section.total)),
        most: sections.iter().any(Section::may_be_cut).then(|| sizes::number(MOST_RESULTS.cast_signed())),
        layout: layout.clone(),
        has_nothing,
        query,
        kind,
        filters,
        sections,
        is_signed_in,
    };
    Ok(render(&layout, &page))
}

/// The number of packages for the heading.
fn count(total: u64) -> String {
    match total {
        MOST_RESULTS.. => format!("{} or more packages", sizes::number(MOST_RESULTS.cast_signed())),
        _ => sizes::counted(total, "package"),
    }
}

fn kinds(query: &str, is_signed_in: bool) -> Vec<(&'static str, &'static str, &'static str, String)> {
    let all = format!("/search?q={}", query_value(query));
    let icons = [("packages", "box"), ("repos", "database"), ("files", "file"), ("users", "people")];
    let allowed = |name: &str| is_signed_in || ["packages", "files"].contains(&name);
    let kinds = KINDS.into_iter().zip(icons).filter(|((name, _), _)| allowed(name));
    let kinds = kinds.map(|((name, title), (_, icon))| (name, title, icon, format!("{all}&in={name}")));
    [("", "Everything", "search", all.clone())].into_iter().chain(kinds).collect()
}

fn section(
    kind: &'static str,
    title: &'static str,
    found: SearchSection,
    (query, filters): (&str, &SearchFilters),
    is_whole: bool,
) -> Section {
    let address = format!("/search?q={}&in={kind}", query_value(query));
    let SearchSection { page: operations::Page { mut items, start, total }, problem, .. } = found;
    let mut parameters = vec![("q", query), ("in", kind)];
    parameters.extend(filters.parameters());
    let pager = Pager::new("/search", &parameters, start, items.len(), total);
    if !is_whole {
        // The few that are shown are files rather than the signatures of other files.
        items.sort_by_key(|hit| hit.is_signature());
        items.truncate(OF_EACH);
    }
    let all = if !is_whole && total > items.len() as u64 { address } else { String::new() };
    Section { kind, title, hits: items, total, problem, all, pager: if is_whole { pager } else { Pager::default() } }
}
