//! Filters of a search for packages, which the URL names.

use model::{
    names::SubjectName,
    search::{SearchOrder, SearchScope},
    search_term::SearchTerm,
};
use web::{
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{address::query_value, parts};

/// Filters of a search; empty ones do not filter.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchFilters {
    pub(crate) owner: String,
    pub(crate) format: String,
    pub(crate) license: String,
    pub(crate) label: String,
    /// The order of the packages; empty for the best matches first.
    pub(crate) sort: String,
}

/// The orders to choose from: their names in URLs and for people.
const ORDERS: [(&str, &str); 4] =
    [("", "Best match"), ("name", "Name"), ("updated", "Last update"), ("downloads", "Downloads")];

/// A filter that is set: its name for people, its value, and the URL without it.
pub(crate) struct SetFilter {
    pub(crate) title: &'static str,
    pub(crate) value: String,
    pub(crate) without: String,
}

impl SearchFilters {
    /// The filters that the URL names.
    pub(crate) fn read(path: &PathNames) -> Result<Self> {
        let value = |name: &str| Ok::<_, Failure>(path.query(name)?.unwrap_or_default().trim().to_owned());
        Ok(Self {
            owner: value("owner")?,
            format: value("format")?,
            license: value("license")?,
            label: value("label")?,
            sort: value("sort")?,
        })
    }

    /// The query parameters.
    pub(crate) fn parameters(&self) -> [(&'static str, &str); 5] {
        let [owner, format, license, label] = self.filters();
        [owner, format, license, label, ("sort", &self.sort)]
    }

    fn filters(&self) -> [(&'static str, &str); 4] {
        [("owner", &self.owner), ("format", &self.format), ("license", &self.license), ("label", &self.label)]
    }

    /// Those that are set, for the form that adds words to them.
    pub(crate) fn set_parameters(&self) -> Vec<(&'static str, String)> {
        let set = self.parameters().into_iter().filter(|(_, value)| !value.is_empty());
        set.map(|(name, value)| (name, value.to_owned())).collect()
    }

    /// Whether none is set.
    pub(crate) fn is_empty(&self) -> bool {
        self.filters().iter().all(|(_, value)| value.is_empty())
    }

    /// Whether only packages can be meant, because nothing else has filters or another order.
    pub(crate) fn is_about_packages(&self) -> bool {
        self.parameters().iter().any(|(_, value)| !value.is_empty())
    }

    /// The order of the packages.
    pub(crate) fn order(&self) -> Result<SearchOrder> {
        match self.sort.as_str() {
            "" => Ok(SearchOrder::Best),
            "name" => Ok(SearchOrder::Name),
            "updated" => Ok(SearchOrder::Updated),
            "downloads" => Ok(SearchOrder::Downloads),
            _ => Err(Failure::bad_request("sort: it is not one of name, updated, downloads")),
        }
    }

    /// The scope of the search.
    pub(crate) fn scope(&self) -> Result<SearchScope> {
        let invalid = |field: &'static str| move |reason: String| Failure::bad_request(format!("{field}: {reason}"));
        let owner = (!self.owner.is_empty()).then(|| SubjectName::parse(&self.owner)).transpose();
        Ok(SearchScope {
            owner: owner.map_err(|error| invalid("owner")(error.to_string()))?,
            repo: None,
            format: (!self.format.is_empty()).then(|| self.format.clone()),
            license: (!self.license.is_empty()).then(|| self.license.clone()),
            label: SearchTerm::parse(&self.label).map_err(|error| invalid("label")(error.to_owned()))?,
        })
    }

    /// The URL of the search where one filter has another value, or none if the value is empty.
    pub(crate) fn with(&self, query: &str, filter: &str, value: &str) -> String {
        let parameters = self.parameters().map(|(name, own)| (name, if name == filter { value } else { own }));
        let given = parameters.into_iter().filter(|(_, value)| !value.is_empty());
        let given: String = given.map(|(name, value)| format!("&{name}={}", query_value(value))).collect();
        format!("/search?q={}&in=packages{given}", query_value(query))
    }

    /// Those that are set.
    pub(crate) fn set(&self, query: &str) -> Vec<SetFilter> {
        let titles = ["Owner", "Format", "Licence", "Label"];
        let set = self.filters().into_iter().zip(titles).filter(|((_, value), _)| !value.is_empty());
        set.map(|((name, value), title)| SetFilter {
            title,
            value: if name == "format" { parts::format_title(value).to_owned() } else { value.to_owned() },
            without: self.with(query, name, ""),
        })
        .collect()
    }

    /// The orders to choose from: their names for people, their URLs, and whether the list is in this one.
    pub(crate) fn orders(&self, query: &str) -> Vec<(&'static str, String, bool)> {
        ORDERS.iter().map(|(name, title)| (*title, self.with(query, "sort", name), self.sort == *name)).collect()
    }
}
