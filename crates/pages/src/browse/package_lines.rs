//! Packages in the list of a repository, with the answers that people look for, in the order that the URL names.

use std::collections::HashMap;

use model::{
    address::RepoAddress,
    id::PackageId,
    overview::{PackageOverview, VersionOverview},
    package_order::PackageOrder,
    timestamp::Timestamp,
};
use operations::catalogue::overviews::Trends;
use web::{
    App,
    error::{Failure, Result},
};

use super::releases::is_prerelease;
use crate::{
    address::{self, query_value},
    band::first_line,
    parts::{self, Markup},
    sizes,
};

/// Up to this many packages, each has a line of its downloads: more would make the page heavy.
const DRAWN: usize = 25;

/// A package in a list.
pub(crate) struct PackageLine {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) description: String,
    pub(crate) is_linked: bool,
    /// Its newest published version, with its URL.
    pub(crate) latest: Option<(String, String)>,
    pub(crate) is_prerelease: bool,
    pub(crate) is_signed: bool,
    pub(crate) is_yanked: bool,
    /// The size of the newest version.
    pub(crate) size: String,
    pub(crate) updated: Timestamp,
    pub(crate) license: String,
    /// Its downloads, if the visitor may see them.
    pub(crate) trend: Option<Trend>,
}

impl PackageLine {
    /// Whether its newest version has states to show.
    pub(crate) fn has_states(&self) -> bool {
        self.is_prerelease || self.is_signed || self.is_yanked
    }
}

/// The downloads of thirty days.
pub(crate) struct Trend {
    pub(crate) total: String,
    pub(crate) picture: Option<Markup>,
    count: i64,
}

impl Trend {
    /// The trend of these days.
    pub(crate) fn new(days: &[i64], is_drawn: bool) -> Self {
        let count = days.iter().sum();
        // Two days are one point.
        let points: Vec<i64> = days.chunks(2).map(|pair| pair.iter().sum()).collect();
        let picture = (is_drawn && count > 0).then(|| parts::spark(&points, ""));
        Self { total: sizes::number(count), picture, count }
    }

    /// The trend of these days, as wide as its place.
    pub(crate) fn wide(days: &[i64]) -> Self {
        let count = days.iter().sum();
        let picture = (count > 0).then(|| parts::spark(days, "full"));
        Self { total: sizes::number(count), picture, count }
    }
}

/// The order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Name,
    Updated,
    License,
    Downloads,
}

impl Sort {
    /// The order that the URL names.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        match text {
            "" | "name" => Ok(Self::Name),
            "updated" => Ok(Self::Updated),
            "licence" => Ok(Self::License),
            "downloads" => Ok(Self::Downloads),
            _ => Err(Failure::bad_request("sort: it is not one of name, updated, licence, downloads")),
        }
    }

    /// Its name in URLs; empty for the usual order.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Name => "",
            Self::Updated => "updated",
            Self::License => "licence",
            Self::Downloads => "downloads",
        }
    }

    /// The order of the whole list; `None` if it is by name.
    pub(crate) fn order(self) -> Option<PackageOrder> {
        match self {
            Self::Name => None,
            Self::Updated => Some(PackageOrder::Updated),
            Self::License => Some(PackageOrder::License),
            Self::Downloads => Some(PackageOrder::Downloads),
        }
    }
}

/// A column of the list.
pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// The URL of the list in the order of this column; empty if it cannot be sorted by it.
    pub(crate) address: String,
    /// The order of the list, if it is by this column.
    pub(crate) order: &'static str,
    pub(crate) is_number: bool,
}

/// The columns.
pub(crate) fn columns(address: &str, filter: &str, sort: Sort, has_numbers: bool) -> Vec<Column> {
    let start = if filter.is_empty() { String::new() } else { format!("start_name={}&", query_value(filter)) };
    let plain = |name| Column { name, address: String::new(), order: "", is_number: name == "Size" };
    let sorted = |name, key: &str, by, order| Column {
        name,
        address: format!("{address}?{start}sort={key}"),
        order: if by == sort { order } else { "" },
        is_number: by == Sort::Downloads,
    };
    let mut columns = vec![
        sorted("Name", "name", Sort::Name, "ascending"),
        plain("Latest"),
        sorted("Updated", "updated", Sort::Updated, "descending"),
        sorted("Licence", "licence", Sort::License, "ascending"),
        plain("Size"),
    ];
    if has_numbers {
        columns.push(sorted("Downloads, 30 days", "downloads", Sort::Downloads, "descending"));
    }
    columns
}

/// The lines of a page. Those of a page that is in this order already are put in the order of the numbers that they show,
/// which may be newer.
pub(crate) fn lines(
    app: &App,
    at: &RepoAddress,
    kind: &str,
    packages: Vec<PackageOverview>,
    (trends, newest): (&Trends, &HashMap<PackageId, VersionOverview>),
    sort: Sort,
) -> Vec<PackageLine> {
    let is_drawn = packages.len() <= DRAWN;
    let line = |package: PackageOverview| {
        let page = address::path([at.owner.as_str(), at.repo.as_str(), &package.name]);
        let (version, newest) = (package.latest_version, newest.get(&package.id));
        PackageLine {
            is_signed: newest.is_some_and(|newest| newest.is_signed),
            is_yanked: newest.is_some_and(|newest| newest.is_yanked),
            size: newest.map(|newest| sizes::bytes(newest.bytes.unsigned_abs())).unwrap_or_default(),
            is_prerelease: version.as_ref().is_some_and(|version| is_prerelease(app, kind, version)),
            latest: version.map(|name| (name.clone(), format!("{page}{}", address::path([name.as_str()])))),
            trend: trends.get(&package.id).map(|days| Trend::new(days, is_drawn)),
            address: page,
            name: package.name,
            description: first_line(&package.description),
            is_linked: package.is_linked,
            updated: package.updated,
            license: package.licenses.join(", "),
        }
    };
    let mut lines: Vec<PackageLine> = packages.into_iter().map(line).collect();
    match sort {
        Sort::Name => {}
        Sort::Updated => lines.sort_by_key(|line| std::cmp::Reverse(line.updated.millis())),
        Sort::License => lines.sort_by_cached_key(|line| (line.license.is_empty(), line.license.clone())),
        Sort::Downloads => {
            lines.sort_by_key(|line| std::cmp::Reverse(line.trend.as_ref().map_or(0, |trend| trend.count)))
        }
    }
    lines
}
