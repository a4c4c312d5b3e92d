//! The files of a version on its page.

use model::{address::RepoAddress, file::ListedFile};
use web::App;

use super::{address, file_links::link, sizes};

/// A file.
pub(super) struct File {
    pub(super) path: String,
    pub(super) address: String,
    pub(super) size: String,
    pub(super) sha1: String,
    pub(super) sha256: String,
    /// The URL of its signature; empty without one.
    pub(super) signature: String,
    /// The URL of the form that creates a signed URL for it.
    pub(super) share: String,
    /// The URL of the form that deletes it.
    pub(super) delete: String,
}

/// The files, each with its signature. A signature gets a line of its own only if the file that it signs is not on the
/// same page.
pub(super) fn lines(app: &App, at: &RepoAddress, is_private: bool, files: &[ListedFile]) -> Vec<File> {
    let is_here = |path: &str| files.iter().any(|file| file.path.as_str() == path);
    let to = |path: &str| link(app, at, is_private, path);
    let is_own = |file: &&ListedFile| !file.path.as_str().strip_suffix(".asc").is_some_and(is_here);
    let line = |file: &ListedFile| {
        let signature = format!("{}.asc", file.path);
        File {
            address: to(file.path.as_str()),
            signature: if is_here(&signature) { to(&signature) } else { String::new() },
            share: format!("/-/signed-url{}", address::file(at, file.path.as_str())),
            delete: delete(at, file.path.as_str()),
            size: sizes::bytes(file.size.unsigned_abs()),
            sha1: file.sha1.clone(),
            sha256: file.sha256.clone(),
            path: file.path.to_string(),
        }
    };
    files.iter().filter(is_own).map(line).collect()
}

/// The URL of the form that deletes a file.
pub(super) fn delete(at: &RepoAddress, path: &str) -> String {
    format!("/-/delete/file{}", address::file(at, path))
}
