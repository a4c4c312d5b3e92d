//! Parts of a package's page: commands, links and the rating.

use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    file::FileListState,
    names::VersionName,
    package::PackageProfile,
};
use operations::catalogue::{files, packages::PackageDetail, repos};
use web::{App, error::Result};

use super::commands::{self, Command};
use crate::{address, errors::allowed, sizes, visitor::Visitor};

/// The URL where an owner of the linking repository removes the link.
pub(super) async fn unlink_of(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    own: &PackageAddress,
) -> Result<String> {
    let owned = allowed(repos::show_for(app.house(), &visitor.caller, &at.repo, Right::Own).await)?;
    Ok(owned.filter(|_| visitor.may_change()).map(|_| address::unlink(&at.repo, own)).unwrap_or_default())
}

/// Commands that use the newest version, or the repository while it has none.
pub(super) async fn commands_of(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    detail: &PackageDetail,
) -> Result<Vec<Command>> {
    let repo = &detail.access.repo.repo;
    let latest = detail.latest_version.as_deref().and_then(|name| VersionName::parse(name).ok());
    let Some(version) = latest else { return Ok(commands::of_repo(app, visitor, &at.repo, repo)) };
    let at = VersionAddress { package: at.clone(), version };
    let files = allowed(files::list_of_version(app.house(), &visitor.caller, &at, FileListState::Published, 0).await)?;
    let paths: Vec<String> = files.into_iter().flat_map(|page| page.items).map(|file| file.path.to_string()).collect();
    Ok(commands::of_package(app, visitor, &at.package, None, repo, &paths))
}

/// The links to pages of other sites.
pub(super) fn links(profile: &PackageProfile) -> Vec<(&'static str, String)> {
    let links =
        [("Website", &profile.website_url), ("Issues", &profile.issue_tracker_url), ("Source", &profile.vcs_url)];
    links.into_iter().filter_map(|(name, url)| Some((name, address::outside(url.as_deref())?))).collect()
}

/// The average of the ratings.
pub(super) fn rating(sum: i64, count: i64) -> Option<String> {
    let tenths = (sum * 10 + count / 2).checked_div(count)?;
    Some(format!("{}.{} of 5 by {}", tenths / 10, tenths % 10, sizes::counted(count.unsigned_abs(), "user")))
}
