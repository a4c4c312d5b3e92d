//! Compares the files on the server with those that were sent.

use std::collections::HashMap;

use super::{PushCommand, summary::Summary};
use crate::{
    address::VersionAddress,
    error::{Error, ExitKind, Result},
    output::count,
    session::Session,
};

/// Suffixes of files that Maven clients send and the server computes itself.
const COMPUTED: [&str; 4] = [".md5", ".sha1", ".sha256", ".sha512"];

/// Fetches all files of a version, including staged ones, by path.
pub(super) async fn stored(session: &Session, at: &VersionAddress) -> Result<HashMap<String, api::File>> {
    let path = format!("/packages/{}/files?include_unpublished=1", at.path());
    let files: Vec<api::File> = session.client.pages(&path, usize::MAX).await?;
    Ok(files.into_iter().map(|file| (file.path.clone(), file)).collect())
}

/// Returns an error unless every file is stored with the content that was sent.
pub(super) async fn check(session: &Session, command: &PushCommand, summary: &mut Summary) -> Result<()> {
    let stored = stored(session, &command.at).await?;
    let mut wrong = 0;
    for file in &mut summary.files {
        if command.maven && is_computed(&file.path) {
            continue;
        }
        match stored.get(&file.path) {
            Some(remote) if remote.sha256 == file.sha256 => {}
            Some(_) => file.error = Some("the server has different content at this path".to_owned()),
            None => file.error = Some("the server does not list it in this version".to_owned()),
        }
        wrong += usize::from(file.error.is_some());
    }
    if wrong == 0 {
        return Ok(());
    }
    let error =
        Error::new(ExitKind::Content, format!("{} not stored as sent; nothing was published", count(wrong, "file")));
    Err(error.hint("did someone else push to this version? push again, or check with `packhouse ls`"))
}

/// Returns whether the server generates such a file itself.
pub(super) fn is_computed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name == "maven-metadata.xml" || COMPUTED.iter().any(|ending| name.ends_with(ending))
}
