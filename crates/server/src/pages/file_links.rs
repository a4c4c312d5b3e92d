//! The ways from pages to files.

use model::{
    address::{PackageAddress, RepoAddress},
    file_path::FilePath,
};
use operations::{
    catalogue::{files, repos},
    downloads,
};

use super::{address, errors::allowed, visitor::Visitor};
use crate::{App, error::Result, signed_urls};

/// Where a page links to for a file. Downloads take no session, so the way to a private file leads over this page.
pub(super) fn link(app: &App, at: &RepoAddress, is_private: bool, path: &str) -> String {
    if is_private { address::folder(at, path) } else { download(app, at, path) }
}

/// The address of a file on the download surface.
pub(super) fn download(app: &App, at: &RepoAddress, path: &str) -> String {
    format!("{}{}", app.settings().download_url(), address::file(at, path))
}

/// The address of a file: for the user of a session one that opens a private file for some seconds, as the API gives it.
pub(super) async fn way_to(app: &App, visitor: &Visitor, at: &RepoAddress, file: &FilePath) -> Result<String> {
    let (house, caller) = (app.house(), &visitor.caller);
    let plain = download(app, at, file.as_str());
    if visitor.session.is_none() || !repos::show(house, caller, at).await?.repo.profile.is_private {
        return Ok(plain);
    }
    let package = files::show_version(house, caller, at, file).await?.package.package.name;
    let package = PackageAddress { repo: at.clone(), package };
    let signed = allowed(downloads::find_latest(house, caller, &package, file).await)?;
    Ok(signed.map_or(plain, |(file, signature)| signed_urls::address(app, at, &file, &signature)))
}
