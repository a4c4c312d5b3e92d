//! Uploads all files, several in parallel.

use std::collections::HashMap;

use futures_util::{StreamExt, stream};

use super::{
    PushCommand,
    checksum_hints::ChecksumHints,
    files::LocalFile,
    large,
    summary::{PushOutcome, SentFile},
    upload::{self, UploadRoute},
    verify::is_computed,
};
use crate::{
    digest,
    error::Result,
    progress::{FileProgress, Progress},
    session::Session,
};

/// Uploads the files that the version does not have yet. A failed file does not stop the others.
pub(super) async fn all(
    session: &Session,
    command: &PushCommand,
    locals: Vec<LocalFile>,
    existing: HashMap<String, api::File>,
) -> Result<Vec<SentFile>> {
    let route = UploadRoute::new(&session.client, command)?;
    let progress = Progress::start(&session.output, "all files", locals.iter().map(|local| local.size).sum());
    let remote = RemoteState { hints: ChecksumHints::of(session, &command.at, &locals, &existing).await, existing };
    // In Maven's layout, the server compares checksum files with their files, which have to be there first.
    let (later, first): (Vec<LocalFile>, Vec<LocalFile>) =
        locals.into_iter().partition(|local| command.maven && is_computed(&local.target));
    let mut sent = Vec::new();
    for round in [first, later] {
        let sending = stream::iter(round).map(|local| one(&route, local, &remote, &progress));
        sent.extend(sending.buffer_unordered(usize::from(command.jobs)).collect::<Vec<_>>().await);
    }
    progress.end();
    sent.sort_by(|one: &SentFile, other| one.path.cmp(&other.path));
    Ok(sent)
}

/// The known state of the server.
struct RemoteState {
    /// The files of the version, by path.
    existing: HashMap<String, api::File>,
    hints: ChecksumHints,
}

async fn one(route: &UploadRoute, local: LocalFile, remote: &RemoteState, progress: &Progress) -> SentFile {
    let bar = progress.file(&local.target, local.size);
    let mut file = SentFile { path: local.target.clone(), size: local.size, ..SentFile::default() };
    match send(route, &local, remote, &mut file, &bar).await {
        Ok(sent) => file.sent = sent,
        Err(reason) => file.error = Some(reason),
    }
    bar.end();
    file
}

async fn send(
    route: &UploadRoute,
    local: &LocalFile,
    remote: &RemoteState,
    file: &mut SentFile,
    bar: &FileProgress,
) -> std::result::Result<PushOutcome, String> {
    if local.size >= large::LARGE && !remote.hints.has(local) {
        let (sha256, sent) = large::send(route, local, bar).await.map_err(|error| error.to_string())?;
        file.sha256 = sha256;
        return Ok(sent);
    }
    let sha256 = digest::sha256(&local.path).await;
    file.sha256 = sha256.map_err(|error| format!("{}: {error}", local.path.display()))?;
    if remote.existing.get(&file.path).is_some_and(|remote| remote.sha256 == file.sha256) {
        bar.complete();
        return Ok(PushOutcome::Identical);
    }
    upload::send(route, local, &file.sha256, bar).await.map_err(|error| error.to_string())
}
