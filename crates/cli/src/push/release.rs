//! Signing and publishing a version whose files are all there.

use reqwest::Method;

use crate::{
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    passphrase::Passphrase,
    session::Session,
};

/// Lets the server sign all files of a version.
pub(super) async fn sign(session: &Session, at: &VersionAddress, passphrase: &Passphrase) -> Result<()> {
    let request = session.client.api(Method::POST, &format!("/gpg/{}", at.path()));
    let signed = session.client.patiently(passphrase.add_to(request)?).await;
    signed.map(drop).map_err(|error| staged(error, "signing", at))
}

/// Publishes what is staged, and says how many files that were.
pub(super) async fn publish(session: &Session, at: &VersionAddress, passphrase: &Passphrase) -> Result<u64> {
    let request = session.client.api(Method::POST, &format!("/content/{}/publish", at.content_path()));
    let answer = session.client.patiently(passphrase.add_to(request)?).await;
    let answer = answer.map_err(|error| staged(error, "publishing", at))?;
    let published: api::PublishedFiles =
        answer.json().await.map_err(|error| Error::new(ExitKind::Publish, format!("publishing: {error}")))?;
    Ok(published.files)
}

fn staged(error: Error, step: &str, at: &VersionAddress) -> Error {
    let hint =
        format!("the files are staged; `packhouse publish {at}` tries again, `packhouse discard {at}` drops them");
    Error::new(ExitKind::Publish, format!("{step} failed: {}", error.message)).hint(hint)
}
