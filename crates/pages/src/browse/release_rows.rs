//! The newest releases as rows.

use model::{
    overview::{PackageFilter, ReleaseOverview},
    timestamp::Timestamp,
};
use operations::catalogue::releases;
use web::{App, error::Result};

use super::releases::is_prerelease;
use crate::{address, band::first_line, visitor::Visitor};

/// A release on a page.
#[derive(Debug, Clone)]
pub(crate) struct ReleaseRow {
    /// Its repository, with the owner.
    pub(crate) place: String,
    pub(crate) kind: String,
    pub(crate) package: String,
    pub(crate) version: String,
    pub(crate) address: String,
    pub(crate) description: String,
    pub(crate) labels: Vec<String>,
    pub(crate) is_private: bool,
    pub(crate) is_prerelease: bool,
    pub(crate) published: Timestamp,
}

/// The newest releases that the visitor may see and the filter allows.
pub(crate) async fn find(
    app: &App,
    visitor: &Visitor,
    filter: PackageFilter<'_>,
    limit: i64,
) -> Result<Vec<ReleaseRow>> {
    Ok(rows(app, releases::list(app.house(), &visitor.caller, filter, limit).await?))
}

/// The rows of these releases.
pub(crate) fn rows(app: &App, found: Vec<ReleaseOverview>) -> Vec<ReleaseRow> {
    let row = |release: ReleaseOverview| ReleaseRow {
        place: format!("{}/{}", release.owner, release.repo),
        address: address::path([&*release.owner, &*release.repo, &*release.package, &*release.version]),
        is_prerelease: is_prerelease(app, &release.kind, &release.version),
        kind: release.kind,
        package: release.package,
        version: release.version,
        description: first_line(&release.description),
        labels: release.labels,
        is_private: release.is_private,
        published: release.published,
    };
    found.into_iter().map(row).collect()
}
