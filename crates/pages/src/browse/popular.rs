//! The packages with the most downloads, each with a line of its last thirty days.

use model::overview::PackageFilter;
use operations::{catalogue::overviews, usage};
use web::{App, error::Result};

use super::package_lines::Trend;
use crate::{address, visitor::Visitor};

/// A package with its downloads.
pub(crate) struct PopularLine {
    /// Its repository, with the owner.
    pub(crate) place: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) version: String,
    pub(crate) is_private: bool,
    pub(crate) trend: Trend,
}

/// The packages that the visitor may see and whose downloads everybody may see.
pub(crate) async fn find(app: &App, visitor: &Visitor, limit: i64) -> Result<Vec<PopularLine>> {
    let found = usage::list_popular(app.house(), &visitor.caller, PackageFilter::default(), limit).await?;
    let trends = overviews::list_popular_trends(app.house(), &found).await?;
    let line = |package: model::overview::PopularPackage| PopularLine {
        place: format!("{}/{}", package.owner, package.repo),
        address: address::path([&*package.owner, &*package.repo, &*package.name]),
        trend: Trend::new(trends.get(&package.id).map(Vec::as_slice).unwrap_or_default(), true),
        version: package.latest_version.unwrap_or_default(),
        is_private: package.is_private,
        kind: package.kind,
        name: package.name,
    };
    Ok(found.into_iter().map(line).collect())
}
