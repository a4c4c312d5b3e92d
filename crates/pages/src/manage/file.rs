//! Files, for those who may manage them.

use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
};
use operations::catalogue::{files, versions};
use web::{App, error::Result, path_names::PathNames};

use crate::visitor::Visitor;

/// The file of a route and its version, for those who may publish in the version.
pub(super) async fn find(
    app: &App,
    visitor: &Visitor,
    path: &PathNames,
) -> Result<(RepoAddress, FilePath, VersionAddress)> {
    let (house, caller) = (app.house(), &visitor.caller);
    caller.check_signed_in()?;
    let (at, file) = (path.repo_address()?, path.file_path()?);
    let found = files::show_version(house, caller, &at, &file).await?;
    let package = PackageAddress { repo: at.clone(), package: found.package.package.name };
    let version = VersionAddress { package, version: found.version.name };
    versions::show_for(house, caller, &version, Right::Publish).await?;
    Ok((at, file, version))
}
