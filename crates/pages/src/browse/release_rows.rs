//! The newest releases as rows.

use model::{
    id::VersionId,
    overview::{PackageFilter, ReleaseOverview},
    timestamp::Timestamp,
};
use operations::catalogue::{overviews, releases};
use web::{App, error::Result};

use super::releases::is_prerelease;
use crate::{address, band::first_line, sizes, visitor::Visitor};

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
    pub(crate) is_signed: bool,
    pub(crate) is_yanked: bool,
    /// The licences of the package.
    pub(crate) license: String,
    /// The size of its files; empty where it is not looked up.
    pub(crate) size: String,
    pub(crate) published: Timestamp,
    /// The downloads of its package in thirty days; empty if not everybody may see them.
    pub(crate) downloads: String,
}

/// The newest releases that the visitor may see and the filter allows.
pub(crate) async fn find(
    app: &App,
    visitor: &Visitor,
    filter: PackageFilter<'_>,
    limit: i64,
) -> Result<Vec<ReleaseRow>> {
    let found = releases::list(app.house(), &visitor.caller, filter, limit).await?;
    let ids: Vec<VersionId> = found.iter().map(|release| release.id).collect();
    let versions = overviews::list_of_versions(app.house(), &ids).await?;
    let mut rows = rows(app, found);
    for (row, version) in rows.iter_mut().zip(ids.iter().map(|id| versions.get(id))) {
        let Some(version) = version else { continue };
        row.size = sizes::bytes(version.bytes.unsigned_abs());
        (row.is_signed, row.is_yanked) = (version.is_signed, version.is_yanked);
    }
    Ok(rows)
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
        is_signed: false,
        is_yanked: false,
        license: release.licenses.join(", "),
        size: String::new(),
        published: release.published,
        downloads: release.downloads.map(|count| sizes::counted(count.unsigned_abs(), "download")).unwrap_or_default(),
    };
    found.into_iter().map(row).collect()
}
