//! The packages with the most downloads, each with a line of its last thirty days.

use model::{
    overview::{PackageFilter, PopularPackage},
    timestamp::Timestamp,
};
use operations::{catalogue::overviews, usage};
use web::{App, error::Result};

use super::{package_lines::Trend, releases::is_prerelease};
use crate::{address, sizes, visitor::Visitor};

/// A package with its downloads.
pub(crate) struct PopularLine {
    /// Its repository, with the owner.
    pub(crate) place: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) version: String,
    pub(crate) is_private: bool,
    pub(crate) is_prerelease: bool,
    pub(crate) is_signed: bool,
    pub(crate) is_yanked: bool,
    /// The licences of the package.
    pub(crate) license: String,
    /// The size of its latest version.
    pub(crate) size: String,
    pub(crate) updated: Timestamp,
    pub(crate) trend: Trend,
}

/// The packages that the visitor may see and whose downloads everybody may see.
pub(crate) async fn find(app: &App, visitor: &Visitor, limit: i64) -> Result<Vec<PopularLine>> {
    let found = usage::list_popular(app.house(), &visitor.caller, PackageFilter::default(), limit).await?;
    let trends = overviews::list_popular_trends(app.house(), &found).await?;
    let ids: Vec<_> = found.iter().map(|package| package.id).collect();
    let latest = overviews::list_latest(app.house(), &ids).await?;
    let line = |package: PopularPackage| {
        let latest = latest.get(&package.id);
        let version = package.latest_version.unwrap_or_default();
        PopularLine {
            is_prerelease: is_prerelease(app, &package.kind, &version),
            is_signed: latest.is_some_and(|latest| latest.is_signed),
            is_yanked: latest.is_some_and(|latest| latest.is_yanked),
            license: package.licenses.join(", "),
            size: latest.map(|latest| sizes::bytes(latest.bytes.unsigned_abs())).unwrap_or_default(),
            updated: package.updated,
            place: format!("{}/{}", package.owner, package.repo),
            address: address::path([&*package.owner, &*package.repo, &*package.name]),
            trend: Trend::new(trends.get(&package.id).map(Vec::as_slice).unwrap_or_default(), true),
            is_private: package.is_private,
            kind: package.kind,
            name: package.name,
            version,
        }
    };
    Ok(found.into_iter().map(line).collect())
}
