//! Who may push to an image.

use database::Read;
use model::{access::Right, address::PackageAddress, repo::Repo};

use crate::{Caller, Error, House, RepoAccess, Result, access};

/// Returns the repository of an image, for a caller who may push to the image. An image that does not exist can be made
/// by callers who may publish in the whole repository.
pub(super) async fn check(house: &House, db: &dyn Read, caller: &Caller, at: &PackageAddress) -> Result<RepoAccess> {
    let access = match access::package(db, caller, at, Right::Publish).await {
        Ok(package) => package.repo,
        Err(Error::NotFound { what: "Package", .. }) => access::repo(db, caller, &at.repo, Right::Publish).await?,
        Err(error) => return Err(error),
    };
    check_kind(house, &access.repo)?;
    Ok(access)
}

/// Rejects repositories that hold no images.
pub(super) fn check_kind(house: &House, repo: &Repo) -> Result<()> {
    if house.format(&repo.kind).holds_images() {
        return Ok(());
    }
    let (name, kind) = (&repo.name, &repo.kind);
    Err(Error::Denied(format!("Repository '{name}' is of the type '{kind}' and takes no container images")))
}
