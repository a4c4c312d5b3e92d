//! Searches for repositories, packages and users.

use crate::{
    names::{RepoName, SubjectName},
    search_term::SearchTerm,
};

/// The terms of a search: all given terms must match.
#[derive(Debug, Clone, Default)]
pub struct SearchTerms {
    /// A part of the name.
    pub name: Option<SearchTerm>,
    /// A part of the description.
    pub description: Option<SearchTerm>,
}

/// The scope of a search for packages: everything, unless a name is given.
#[derive(Debug, Clone, Default)]
pub struct SearchScope {
    /// Only repositories of this owner.
    pub owner: Option<SubjectName>,
    /// Only repositories with this name.
    pub repo: Option<RepoName>,
}
