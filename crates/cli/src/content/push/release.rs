//! Signs and publishes a version after all its files are uploaded.

use reqwest::Method;

use crate::{
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    passphrase::Passphrase,
    session::Session,
};

/// Has the server sign all files of a version.
pub(super) async fn sign(session: &Session, at: &VersionAddress, passphrase: &Passphrase) -> Result<()> {
    let request = session.client.api(Method::POST, &format!("/gpg/{}", at.path()));
    let signed = session.client.patiently(passphrase.add_to(request)?).await;
    signed.map(drop).map_err(|error| staged(error, "signing", at))
}

/// Publishes the staged files, and returns their number.
pub(super) async fn publish(session: &Session, at: &VersionAddress, passphrase: &Passphrase) -> Result<u64> {
    let request = session.client.api(Method::POST, &format!("/content/{}/publish", at.content_path()));
    let answer = session.client.patiently(passphrase.add_to(request)?).await;
    let answer = answer.map_err(|error| staged(error, "publishing", at))?;
    let published: api::PublishedFiles =
        answer.json().await.map_err(|error| Error::new(ExitKind::Publish, format!("incomplete response: {error}")))?;
    Ok(published.files)
}

fn staged(error: Error, step: &str, at: &VersionAddress) -> Error {
    let hint = format!(
        "the files are staged; run `packhouse publish {at}` to try again, or `packhouse discard {at}` to remove them"
    );
    Error::new(ExitKind::Publish, format!("{step} failed: {}", error.message)).hint(hint)
}
