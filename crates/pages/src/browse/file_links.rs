//! Links from pages to files.

use model::{
    address::{PackageAddress, RepoAddress},
    file_path::FilePath,
};
use operations::{
    catalogue::{files, repos},
    downloads,
};
use web::{App, error::Result, signed_url};

use crate::{address, errors::allowed, visitor::Visitor};

/// The link to a file. Downloads accept no session, so a link to a private file goes through a page, which redirects.
pub(crate) fn link(app: &App, at: &RepoAddress, is_private: bool, path: &str) -> String {
    if is_private { address::folder(at, path) } else { download(app, at, path) }
}

/// The URL of a file on the download surface.
pub(crate) fn download(app: &App, at: &RepoAddress, path: &str) -> String {
    format!("{}{}", app.settings().download_url(), address::file(at, path))
}

/// The URL of a file; for a private file and the user of a session, a signed URL that is valid for some seconds, like
/// the one that the API returns.
pub(crate) async fn way_to(app: &App, visitor: &Visitor, at: &RepoAddress, file: &FilePath) -> Result<String> {
    let (house, caller) = (app.house(), &visitor.caller);
    let plain = download(app, at, file.as_str());
    if visitor.session.is_none() && visitor.key_session.is_none() {
        return Ok(plain);
    }
    // A visitor who may see only a part of the repository does not see the repository itself, which is private then.
    let repo = allowed(repos::show(house, caller, at).await)?;
    if repo.is_some_and(|access| !access.repo.profile.is_private) {
        return Ok(plain);
    }
    let package = files::show_version(house, caller, at, file).await?.package.package.name;
    let package = PackageAddress { repo: at.clone(), package };
    let signed = allowed(downloads::find_latest(house, caller, &package, file).await)?;
    Ok(signed.map_or(plain, |(file, signature)| signed_url::full(app, at, &file, &signature)))
}
