//! Downloads one file: in pieces, several in parallel, with retries for each.

use std::{os::unix::fs::FileExt, path::Path, sync::Arc, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::{Method, StatusCode, header};
use tokio::sync::Semaphore;

use super::{destination::Target, resume::FinishedPieces, summary::PullOutcome};
use crate::{
    address::RepoAddress,
    client::Client,
    digest,
    error::{Error, ExitKind, Result},
    progress::FileProgress,
};

/// Maximum number of attempts for a piece.
const ATTEMPTS: u32 = 5;

/// The server, and the limit of parallel requests to it.
#[derive(Clone)]
pub(super) struct Jobs {
    client: Client,
    repo: RepoAddress,
    /// One permit per request, across all files.
    permits: Arc<Semaphore>,
    number: usize,
}

impl Jobs {
    pub(super) fn new(client: Client, repo: RepoAddress, number: u16) -> Self {
        let number = usize::from(number);
        Self { client, repo, permits: Arc::new(Semaphore::new(number)), number }
    }
}

/// Downloads a file. It gets its final name after its checksum is verified.
pub(super) async fn file(jobs: &Jobs, target: &Target, replaces: bool, bar: &FileProgress) -> Result<PullOutcome> {
    if target.path.exists() {
        if sha256(&target.path).await? == target.file.sha256 {
            bar.complete();
            return Ok(PullOutcome::Identical);
        }
        if !replaces {
            let error = Error::new(ExitKind::Conflict, "another file with this name exists");
            return Err(error.hint("--force replaces it"));
        }
    }
    let folder = target.path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| Error::local(folder.display(), error))?;
    let part = target.with_suffix(".part");
    let mut pieces = FinishedPieces::load(target.with_suffix(".part.pieces"), &target.file.sha256, part.exists());
    let resumed = pieces.bytes(target.size());
    bar.advance(resumed);
    all(jobs, target, &part, &mut pieces, bar).await?;
    pieces.remove();
    check(target, &part).await?;
    std::fs::rename(&part, &target.path).map_err(|error| Error::local(target.path.display(), error))?;
    Ok(if resumed > 0 { PullOutcome::Resumed } else { PullOutcome::Downloaded })
}

async fn all(jobs: &Jobs, target: &Target, part: &Path, pieces: &mut FinishedPieces, bar: &FileProgress) -> Result<()> {
    let failed = |error| Error::local(part.display(), error);
    let file = std::fs::File::options().write(true).create(true).truncate(false).open(part).map_err(failed)?;
    file.set_len(target.size()).map_err(failed)?;
    let file = &file;
    let fetching = stream::iter(pieces.missing(target.size())).map(|(number, first, last)| async move {
        let _permit = jobs.permits.acquire().await;
        piece(jobs, target, file, (first, last), bar).await.map(|()| number)
    });
    let mut fetching = fetching.buffer_unordered(jobs.number);
    while let Some(number) = fetching.try_next().await? {
        pieces.record(number).map_err(failed)?;
    }
    Ok(())
}

async fn piece(
    jobs: &Jobs,
    target: &Target,
    file: &std::fs::File,
    range: (u64, u64),
    bar: &FileProgress,
) -> Result<()> {
    let mut attempt = 1;
    loop {
        let mut passed = 0;
        match try_once(jobs, target, file, range, bar, &mut passed).await {
            Err(error) if matches!(error.kind, ExitKind::Unreachable | ExitKind::Busy) && attempt < ATTEMPTS => {
                bar.take_back(passed);
                tokio::time::sleep(Duration::from_millis(250 << attempt)).await;
                attempt += 1;
            }
            done => return done,
        }
    }
}

async fn try_once(
    jobs: &Jobs,
    target: &Target,
    file: &std::fs::File,
    (first, last): (u64, u64),
    bar: &FileProgress,
    passed: &mut u64,
) -> Result<()> {
    let request = jobs.client.request(Method::GET, &format!("/dl/{}", jobs.repo.file(&target.file.path)));
    let is_whole = first == 0 && last + 1 == target.size();
    let request = if is_whole { request } else { request.header(header::RANGE, format!("bytes={first}-{last}")) };
    let answer = jobs.client.once(request).await?;
    if !is_whole && answer.status() != StatusCode::PARTIAL_CONTENT {
        let error = Error::new(ExitKind::Transfer, "something in front of the server does not support range requests");
        return Err(error.hint("run `packhouse doctor` to see what to set"));
    }
    let broken = |error: reqwest::Error| Error::new(ExitKind::Unreachable, format!("the download broke off: {error}"));
    let mut body = answer.bytes_stream();
    while let Some(bytes) = body.try_next().await.map_err(broken)? {
        let at = first + *passed;
        *passed += bytes.len() as u64;
        if at + bytes.len() as u64 > last + 1 {
            return Err(Error::new(ExitKind::Content, "the server sends more bytes than the file has"));
        }
        file.write_all_at(&bytes, at).map_err(|error| Error::local(target.path.display(), error))?;
        bar.advance(bytes.len() as u64);
    }
    if first + *passed == last + 1 { Ok(()) } else { Err(Error::new(ExitKind::Unreachable, "the download broke off")) }
}

async fn sha256(path: &Path) -> Result<String> {
    digest::sha256(path).await.map_err(|error| Error::local(path.display(), error))
}

/// Verifies the checksum. Deletes wrong content, so that the next pull starts over.
async fn check(target: &Target, part: &Path) -> Result<()> {
    if sha256(part).await? == target.file.sha256 {
        return Ok(());
    }
    let _ = std::fs::remove_file(part);
    Err(Error::new(ExitKind::Content, "its SHA-256 differs from the server's list"))
}
