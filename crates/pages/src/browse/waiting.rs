//! Tags of images that were pushed and wait to be published, for publishers.

use model::{
    address::{PackageAddress, RepoAddress, VersionAddress},
    names::{PackageName, VersionName},
};
use operations::oci::{self, WaitingTag};
use web::{App, error::Result};

use crate::{address, errors::allowed, visitor::Visitor};

/// A tag that waits.
pub(crate) struct Waiting {
    pub(crate) image: String,
    pub(crate) tag: String,
    /// Its path, which follows the action in URLs.
    pub(crate) address: String,
}

/// The tags of a repository, or of one of its images, that wait; none for visitors who may not publish.
pub(crate) async fn find(
    app: &App,
    visitor: &Visitor,
    at: &RepoAddress,
    package: Option<&PackageName>,
) -> Result<Vec<Waiting>> {
    if !visitor.may_change() {
        return Ok(Vec::new());
    }
    let found = allowed(oci::list_waiting(app.house(), &visitor.caller, at, package).await)?;
    Ok(found.into_iter().flatten().filter_map(|tag| waiting(at, tag)).collect())
}

fn waiting(at: &RepoAddress, found: WaitingTag) -> Option<Waiting> {
    let package = PackageName::parse(&found.image.replace('/', ":")).ok()?;
    let version = VersionName::parse(&found.tag).ok()?;
    let package = PackageAddress { repo: at.clone(), package };
    let address = address::version(&VersionAddress { package, version });
    Some(Waiting { image: found.image, tag: found.tag, address })
}
