//! Searches by words or a part of a name, limited to the objects that a visitor may see.

use model::{
    page::PageRequest,
    search::{SearchFacets, SearchOrder, SearchScope, SearchTerms},
    search_term::SearchTerm,
    search_words::SearchWords,
    timestamp::Timestamp,
    wildcard::Wildcard,
};
use operations::{
    Error, PackageAccess, Page,
    catalogue::{overviews, packages::PackageDetail},
    search::{self, FileTerms},
};
use web::{App, error::Result};

use super::{marked::marked, package_lines::Trend, releases::is_prerelease};
use crate::{address, parts::Markup, sizes, visitor::Visitor};

/// A search result.
#[derive(Default, serde::Serialize)]
pub(crate) struct SearchHit {
    /// The kind of object.
    pub(crate) kind: &'static str,
    /// Its name, including the names above it.
    pub(crate) name: String,
    /// The URL of its page.
    pub(crate) address: String,
    /// Its description.
    pub(crate) description: String,
    /// The format of its repository; empty for files and users.
    #[serde(skip)]
    pub(crate) format: String,
    /// Its newest version.
    #[serde(skip)]
    pub(crate) version: String,
    #[serde(skip)]
    pub(crate) is_prerelease: bool,
    #[serde(skip)]
    pub(crate) is_private: bool,
    #[serde(skip)]
    pub(crate) is_signed: bool,
    #[serde(skip)]
    pub(crate) is_yanked: bool,
    /// The size of its newest version.
    #[serde(skip)]
    pub(crate) size: String,
    /// When it last changed.
    #[serde(skip)]
    pub(crate) updated: Option<Timestamp>,
    #[serde(skip)]
    pub(crate) license: String,
    #[serde(skip)]
    pub(crate) labels: Vec<String>,
    /// Its downloads, if the visitor may see them.
    #[serde(skip)]
    pub(crate) trend: Option<Trend>,
}

impl SearchHit {
    /// The names above the object with a slash at the end; empty for files and users.
    pub(crate) fn above(&self) -> &str {
        let is_below = !self.format.is_empty();
        self.name.rfind('/').filter(|_| is_below).map_or("", |last| &self.name[..=last])
    }

    /// Its own name, where the words of the search are marked.
    pub(crate) fn own_name(&self, query: &str) -> Markup {
        marked(&self.name[self.above().len()..], query)
    }

    /// Whether it is the signature of a file.
    pub(crate) fn is_signature(&self) -> bool {
        self.kind == "file" && self.name.ends_with(".asc")
    }

    /// Its description, where the words of the search are marked.
    pub(crate) fn marked_description(&self, query: &str) -> Markup {
        marked(&self.description, query)
    }

    /// Some of its labels, first those that the search found: each with its text, where the words are marked.
    pub(crate) fn marked_labels(&self, query: &str) -> Vec<(&str, Markup)> {
        let mut labels: Vec<_> = self.labels.iter().map(|label| (label.as_str(), marked(label, query))).collect();
        labels.sort_by_key(|(_, marked)| !marked.0.contains("<mark>"));
        labels.truncate(LABELS);
        labels
    }

    fn in_format(self, format: String) -> Self {
        Self { format, ..self }
    }
}

/// The most labels of a result.
const LABELS: usize = 4;

/// Results of one kind, or the reason why there are none.
pub(crate) struct SearchSection {
    pub(crate) page: Page<SearchHit>,
    pub(crate) problem: String,
    /// What one could narrow a search for packages to.
    pub(crate) facets: SearchFacets,
}

/// What to search for.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchText {
    /// The words.
    pub(crate) text: String,
    /// Where to search, for packages alone.
    pub(crate) scope: SearchScope,
    /// The order of packages.
    pub(crate) order: SearchOrder,
}

/// One page of results of one kind; `None` if the visitor may not search for it.
pub(crate) async fn find(
    app: &App,
    visitor: &Visitor,
    kind: &str,
    wanted: &SearchText,
    part: PageRequest,
) -> Result<Option<SearchSection>> {
    let (text, start) = (wanted.text.as_str(), part.start.unsigned_abs());
    let plain = |page| (page, SearchFacets::default());
    let found = match kind {
        "packages" => packages_with_facets(app, visitor, wanted, part).await,
        "repos" => repos(app, visitor, text, start).await.map(plain),
        "files" => files(app, visitor, text, start).await.map(plain),
        _ => users(app, visitor, text, start).await.map(plain),
    };
    match found {
        Ok((page, facets)) => Ok(Some(SearchSection { page, problem: String::new(), facets })),
        Err(Error::Unauthenticated(_) | Error::Denied(_)) => Ok(None),
        Err(Error::Invalid { reason, .. }) => {
            let (page, facets) = plain(Page { items: Vec::new(), start, total: 0 });
            Ok(Some(SearchSection { page, problem: reason, facets }))
        }
        Err(error) => Err(error.into()),
    }
}

/// The first results of a kind, without the details that only lists show; none if the visitor may not search for it.
pub(crate) async fn suggest(
    app: &App,
    visitor: &Visitor,
    kind: &str,
    text: &str,
    limit: usize,
) -> Result<Vec<SearchHit>> {
    let found = match kind {
        "packages" => suggest_packages(app, visitor, text, limit).await,
        "repos" => repos(app, visitor, text, 0).await.map(|page| page.items),
        _ => users(app, visitor, text, 0).await.map(|page| page.items),
    };
    match found {
        Ok(hits) => Ok(hits.into_iter().take(limit).collect()),
        Err(Error::Unauthenticated(_) | Error::Denied(_) | Error::Invalid { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

async fn suggest_packages(
    app: &App,
    visitor: &Visitor,
    text: &str,
    limit: usize,
) -> operations::Result<Vec<SearchHit>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let found = search::suggest_packages(app.house(), &visitor.caller, &words(text)?, limit).await?;
    let hits = found.into_iter().map(|PackageAccess { repo, package }| {
        let names = [repo.repo.owner.as_str(), repo.repo.name.as_str(), package.name.as_str()];
        hit("package", &names, package.profile.description.clone())
    });
    Ok(hits.collect())
}

fn term(text: &str) -> operations::Result<Option<SearchTerm>> {
    SearchTerm::parse(text).map_err(|reason| Error::invalid("q", reason))
}

fn words(text: &str) -> operations::Result<SearchTerms> {
    let words = SearchWords::parse(text).map_err(|reason| Error::invalid("q", reason))?;
    Ok(SearchTerms { words, ..SearchTerms::default() })
}

fn hits<T>(page: Page<T>, hit: impl FnMut(T) -> SearchHit) -> Page<SearchHit> {
    Page { items: page.items.into_iter().map(hit).collect(), start: page.start, total: page.total }
}

async fn packages_with_facets(
    app: &App,
    visitor: &Visitor,
    wanted: &SearchText,
    part: PageRequest,
) -> operations::Result<(Page<SearchHit>, SearchFacets)> {
    let terms = SearchTerms { order: wanted.order, ..words(&wanted.text)? };
    let (found, facets) =
        search::packages_with_facets(app.house(), &visitor.caller, &terms, &wanted.scope, part).await?;
    let accesses: Vec<_> = found.items.iter().map(|detail| &detail.access).collect();
    let ids: Vec<_> = accesses.iter().map(|access| access.package.id).collect();
    let (mut trends, mut newest) =
        tokio::try_join!(overviews::list_trends_of(app.house(), &accesses), overviews::list_latest(app.house(), &ids))?;
    let page = hits(found, |detail| {
        let id = detail.access.package.id;
        let trend = trends.remove(&id).map(|days| Trend::new(&days, true));
        let newest = newest.remove(&id);
        SearchHit {
            trend,
            size: newest.as_ref().map(|newest| sizes::bytes(newest.bytes.unsigned_abs())).unwrap_or_default(),
            is_signed: newest.as_ref().is_some_and(|newest| newest.is_signed),
            is_yanked: newest.as_ref().is_some_and(|newest| newest.is_yanked),
            ..package(app, detail)
        }
    });
    Ok((page, facets))
}

fn package(app: &App, detail: PackageDetail) -> SearchHit {
    let (repo, package) = (detail.access.repo.repo, detail.access.package);
    let version = detail.latest_version.unwrap_or_default();
    let names = [repo.owner.as_str(), repo.name.as_str(), package.name.as_str()];
    SearchHit {
        is_prerelease: is_prerelease(app, &repo.kind, &version),
        is_private: repo.profile.is_private,
        updated: Some(package.updated),
        license: [package.profile.licenses, package.profile.custom_licenses].concat().join(", "),
        labels: package.profile.labels,
        version,
        ..hit("package", &names, package.profile.description)
    }
    .in_format(repo.kind)
}

async fn repos(app: &App, visitor: &Visitor, text: &str, start: u64) -> operations::Result<Page<SearchHit>> {
    let found = search::repos(app.house(), &visitor.caller, &words(text)?, start).await?;
    Ok(hits(found, |access| {
        let repo = access.repo;
        let names = [repo.owner.as_str(), repo.name.as_str()];
        let found = hit("repository", &names, repo.profile.description);
        SearchHit { is_private: repo.profile.is_private, ..found }.in_format(repo.kind)
    }))
}

async fn users(app: &App, visitor: &Visitor, text: &str, start: u64) -> operations::Result<Page<SearchHit>> {
    let found = search::users(app.house(), &visitor.caller, term(text)?.as_ref(), start).await?;
    Ok(hits(found, |user| hit("user", &[user.subject.name.as_str()], user.subject.full_name)))
}

/// Searches files. A text without wildcards matches anywhere in the name.
async fn files(app: &App, visitor: &Visitor, text: &str, start: u64) -> operations::Result<Page<SearchHit>> {
    let pattern = if text.contains(['*', '?']) { text.to_owned() } else { format!("*{text}*") };
    let name = Wildcard::parse(&pattern).map_err(|reason| Error::invalid("q", reason))?;
    let terms = FileTerms { name, ..FileTerms::default() };
    let found = search::files(app.house(), &visitor.caller, terms, start).await?;
    Ok(hits(found, |file| {
        let names = [file.owner.as_str(), file.repo.as_str(), file.package.as_str(), file.version.as_str()];
        SearchHit {
            kind: "file",
            address: address::path(names),
            name: file.path.to_string(),
            description: names.join("/"),
            ..SearchHit::default()
        }
    }))
}

fn hit(kind: &'static str, names: &[&str], description: String) -> SearchHit {
    let description = description.lines().next().unwrap_or_default().chars().take(200).collect();
    SearchHit {
        kind,
        name: names.join("/"),
        address: address::path(names.iter().copied()),
        description,
        ..SearchHit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_were_found_come_first_and_are_marked() {
        let labels = ["a", "b", "c", "d", "tar"].map(str::to_owned).to_vec();
        let hit = SearchHit { labels, ..SearchHit::default() };
        let shown = |query| hit.marked_labels(query).into_iter().map(|(_, marked)| marked.0).collect::<Vec<_>>();
        assert_eq!(shown("tar"), ["<mark>tar</mark>", "a", "b", "c"]);
        assert_eq!(shown(""), ["a", "b", "c", "d"]);
    }
}
