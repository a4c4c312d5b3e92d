//! Searches for repositories, packages and users.

use std::collections::BTreeMap;

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

/// What the packages that a search found can be narrowed to. Each part counts the packages that all other filters leave,
/// so that it also shows what one could choose instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchFacets {
    /// By owner.
    pub owners: Vec<FacetCount>,
    /// By the format of the repository.
    pub formats: Vec<FacetCount>,
    /// By licence. A package with several licences counts for each of them.
    pub licenses: Vec<FacetCount>,
}

/// A value to narrow a search to, with the number of packages that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCount {
    /// The value.
    pub value: String,
    /// The number of packages.
    pub count: u64,
}

impl FacetCount {
    /// Counts values, most frequent first.
    pub fn of<'v>(values: impl Iterator<Item = &'v str>) -> Vec<Self> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for value in values {
            *counts.entry(value).or_default() += 1;
        }
        let mut found: Vec<Self> =
            counts.into_iter().map(|(value, count)| Self { value: value.to_owned(), count }).collect();
        found.sort_by_key(|facet| std::cmp::Reverse(facet.count));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_value_comes_first() {
        let counted = FacetCount::of(["MIT", "ISC", "Apache-2.0", "MIT"].into_iter());
        let counted: Vec<_> = counted.iter().map(|facet| (facet.value.as_str(), facet.count)).collect();
        assert_eq!(counted, [("MIT", 2), ("Apache-2.0", 1), ("ISC", 1)]);
    }
}
