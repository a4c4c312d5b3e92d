//! Searches for repositories, packages and users.

use crate::{
    names::{RepoName, SubjectName},
    search_term::SearchTerm,
    search_words::SearchWords,
};

/// The terms of a search: all given terms must match.
#[derive(Debug, Clone, Default)]
pub struct SearchTerms {
    /// A part of the name.
    pub name: Option<SearchTerm>,
    /// A part of the description.
    pub description: Option<SearchTerm>,
    /// Words of the name, the description or the labels; the best matches come first.
    pub words: Option<SearchWords>,
    /// The order of packages.
    pub order: SearchOrder,
}

/// The order of the packages that a search finds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// Those that match the words best first; without words, by name.
    #[default]
    Best,
    /// By name.
    Name,
    /// Those that changed last first.
    Updated,
    /// Those with the most downloads in thirty days first. Numbers that not everybody may see do not count.
    Downloads,
}

/// The scope of a search for packages: everything, unless a name is given.
#[derive(Debug, Clone, Default)]
pub struct SearchScope {
    /// Only repositories of this owner.
    pub owner: Option<SubjectName>,
    /// Only repositories with this name.
    pub repo: Option<RepoName>,
    /// Only repositories of this format.
    pub format: Option<String>,
    /// Only packages with this licence.
    pub license: Option<String>,
    /// Only packages with this label, in any letter case.
    pub label: Option<SearchTerm>,
}
