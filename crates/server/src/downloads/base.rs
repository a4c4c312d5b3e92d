//! The URL of a repository in generated texts.

use std::borrow::Cow;

use formats::base::{BASE, REPO};
use model::{address::RepoAddress, target::Target};
use web::App;

/// The text with the URL and the name of the repository in place of their markers.
pub(crate) fn filled<'t>(app: &App, at: &RepoAddress, text: &'t str) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(text);
    if text.contains(BASE) {
        text = Cow::Owned(text.replace(BASE, &url(app, at)));
    }
    if text.contains(REPO) {
        text = Cow::Owned(text.replace(REPO, at.repo.as_str()));
    }
    text
}

/// The public URL of a repository, without a slash at its end. It comes from the settings, never from the request.
fn url(app: &App, at: &RepoAddress) -> String {
    format!("{}{}", app.settings().download_url(), path(at))
}

/// The path of a repository below the root of the download host.
pub(crate) fn path(at: &RepoAddress) -> String {
    let segments = [at.owner.as_str(), at.repo.as_str()].map(str::to_owned).to_vec();
    Target { segments, ..Target::default() }.canonical_path()
}
