//! Repositories as cards.

use model::overview::RepoOverview;

use crate::{address, band::first_line, parts, sizes};

/// A repository on a page.
#[derive(Debug, Clone)]
pub(crate) struct RepoCard {
    /// Its name, with its owner unless the page is about the owner.
    pub(crate) shown: String,
    pub(crate) address: String,
    pub(crate) kind: String,
    pub(crate) format_title: &'static str,
    pub(crate) description: String,
    pub(crate) is_private: bool,
    /// The number of its packages in words.
    pub(crate) packages: String,
}

/// The cards of repositories on a page about this owner; on other pages it is empty.
pub(crate) fn cards(repos: &[RepoOverview], owner: &str) -> Vec<RepoCard> {
    let card = |repo: &RepoOverview| RepoCard {
        shown: if repo.owner == owner { repo.name.clone() } else { format!("{}/{}", repo.owner, repo.name) },
        address: address::path([repo.owner.as_str(), repo.name.as_str()]),
        kind: repo.kind.clone(),
        format_title: parts::format_title(&repo.kind),
        description: first_line(&repo.description),
        is_private: repo.is_private,
        packages: sizes::counted(repo.package_count.unsigned_abs(), "package"),
    };
    repos.iter().map(card).collect()
}
