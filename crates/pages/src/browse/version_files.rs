//! The files of a version or of a package on its page.

use model::{address::RepoAddress, file::ListedFile, repo::Repo, timestamp::Timestamp};
use web::App;

use super::{file_links::link, platforms};
use crate::{address, sizes};

/// A file.
pub(crate) struct File {
    pub(crate) path: String,
    /// The folder of its path, with a slash at its end, and its name there.
    pub(crate) folder: String,
    pub(crate) name: String,
    pub(crate) address: String,
    /// What it was built for; empty if its name does not say so.
    pub(crate) platform: String,
    /// Its version, with the URL of that.
    pub(crate) version: String,
    pub(crate) version_address: String,
    pub(crate) created: Timestamp,
    pub(crate) size: String,
    /// Its SHA-1; empty if it has not been computed.
    pub(crate) sha1: String,
    pub(crate) sha256: String,
    /// The URL of its signature; empty without one.
    pub(crate) signature: String,
    /// The URL of the form that creates a signed URL for it.
    pub(crate) share: String,
    /// The URL of the form that deletes it.
    pub(crate) delete: String,
}

impl File {
    /// Whether it has a signature.
    pub(crate) fn is_signed(&self) -> bool {
        !self.signature.is_empty()
    }
}

/// The files, each with its signature. A signature gets a line of its own only if the file that it signs is not on the
/// same page.
pub(crate) fn lines(app: &App, at: &RepoAddress, repo: &Repo, files: &[ListedFile]) -> Vec<File> {
    let is_here = |path: &str| files.iter().any(|file| file.path.as_str() == path);
    let to = |path: &str| link(app, at, repo.profile.is_private, path);
    let is_own = |file: &&ListedFile| !file.path.as_str().strip_suffix(".asc").is_some_and(is_here);
    let line = |file: &ListedFile| {
        let signature = format!("{}.asc", file.path);
        let name = file.path.file_name();
        File {
            folder: file.path.as_str().strip_suffix(name).unwrap_or_default().to_owned(),
            name: name.to_owned(),
            platform: if repo.kind == "generic" { platforms::title(name) } else { String::new() },
            address: to(file.path.as_str()),
            signature: if is_here(&signature) { to(&signature) } else { String::new() },
            share: format!("/-/signed-url{}", address::file(at, file.path.as_str())),
            delete: delete(at, file.path.as_str()),
            version_address: address::path([
                at.owner.as_str(),
                at.repo.as_str(),
                file.package.as_str(),
                file.version.as_str(),
            ]),
            version: file.version.to_string(),
            created: file.created,
            size: sizes::bytes(file.size.unsigned_abs()),
            sha1: file.sha1.clone().unwrap_or_default(),
            sha256: file.sha256.clone(),
            path: file.path.to_string(),
        }
    };
    files.iter().filter(is_own).map(line).collect()
}

/// The URL of the form that deletes a file.
pub(crate) fn delete(at: &RepoAddress, path: &str) -> String {
    format!("/-/delete/file{}", address::file(at, path))
}
