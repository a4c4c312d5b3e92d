//! What a search for packages can be narrowed to, as links with the numbers of packages.

use model::search::{FacetCount, SearchFacets};

use super::search_filters::SearchFilters;
use crate::parts;

/// The most values of a facet.
const VALUES: usize = 8;

/// A filter with its most frequent values.
pub(crate) struct Facet {
    /// Its id on the page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) values: Vec<FacetValue>,
}

/// A value of a filter.
pub(crate) struct FacetValue {
    pub(crate) title: String,
    pub(crate) count: u64,
    /// The URL of the search with this value, or without it if it is set.
    pub(crate) address: String,
    pub(crate) is_set: bool,
}

/// The facets that have something to choose from.
pub(crate) fn facets(query: &str, filters: &SearchFilters, found: SearchFacets) -> Vec<Facet> {
    let SearchFacets { owners, formats, licenses } = found;
    let facet = |id, title, set: &str, counts: Vec<FacetCount>| {
        let is_shown = |place: usize, value: &str| place < VALUES || value == set;
        let shown = counts.into_iter().enumerate().filter(|(place, count)| is_shown(*place, &count.value));
        let values = shown.map(|(_, FacetCount { value, count })| FacetValue {
            is_set: value == set,
            address: filters.with(query, id, if value == set { "" } else { &value }),
            title: if id == "format" { parts::format_title(&value).to_owned() } else { value },
            count,
        });
        Facet { id, title, values: values.collect() }
    };
    let all = [
        facet("format", "Format", &filters.format, formats),
        facet("owner", "Owner", &filters.owner, owners),
        facet("license", "Licence", &filters.license, licenses),
    ];
    all.into_iter().filter(|facet| !facet.values.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_set_can_be_removed() {
        let count = |value: &str| FacetCount { value: value.to_owned(), count: 2 };
        let found = SearchFacets { formats: vec![count("npm"), count("generic")], ..SearchFacets::default() };
        let filters = SearchFilters { format: "npm".to_owned(), sort: "name".to_owned(), ..SearchFilters::default() };
        let facets = facets("a b", &filters, found);
        let values: Vec<_> =
            facets.iter().flat_map(|facet| &facet.values).map(|value| value.address.as_str()).collect();
        let expected =
            ["/search?q=a%20b&in=packages&sort=name", "/search?q=a%20b&in=packages&format=generic&sort=name"];
        assert_eq!(values, expected);
        assert_eq!(facets[0].values[1].title, "Generic");
    }

    #[test]
    fn the_value_that_is_set_is_shown_among_many() {
        let count = |number: u64| FacetCount { value: format!("user-{number}"), count: 20 - number };
        let found = SearchFacets { owners: (0..12).map(count).collect(), ..SearchFacets::default() };
        let filters = SearchFilters { owner: "user-11".to_owned(), ..SearchFilters::default() };
        let facets = facets("a", &filters, found);
        assert_eq!(facets[0].values.len(), VALUES + 1);
        assert!(facets[0].values.last().is_some_and(|value| value.is_set));
    }
}
