//! Uploads one file: by its checksum if the server has the content, else as a body, with retries.

use std::time::Duration;

use reqwest::{Body, Method, RequestBuilder, header};

use super::{PushCommand, files::LocalFile, reading, summary::PushOutcome};
use crate::{
    address::{VersionAddress, encode_path},
    client::Client,
    error::{Error, ExitKind, Result},
    passphrase::Passphrase,
    progress::FileProgress,
};

/// Smaller files are sent immediately: asking first would take as long.
const WORTH_ASKING: u64 = 64 << 10;

/// Maximum number of attempts for a file.
const ATTEMPTS: u32 = 5;

/// The destination of uploads and their options.
pub(super) struct UploadRoute {
    client: Client,
    at: VersionAddress,
    is_maven: bool,
    replaces: bool,
    passphrase: Passphrase,
}

impl UploadRoute {
    pub(super) fn new(client: &Client, command: &PushCommand) -> Result<Self> {
        Ok(Self {
            client: client.for_uploads()?,
            at: command.at.clone(),
            is_maven: command.maven,
            replaces: command.replace,
            passphrase: command.passphrase.clone(),
        })
    }

    fn request(&self, target: &str, sha256: Option<&str>) -> Result<RequestBuilder> {
        let path = encode_path(target);
        let query = if self.replaces { "?override=1" } else { "" };
        let path = if self.is_maven {
            format!("/maven/{}/{path}{query}", self.at.package.path())
        } else {
            format!("/content/{}/{path}{query}", self.at.content_path())
        };
        let request = self.client.api(Method::PUT, &path);
        let request = match sha256 {
            Some(sha256) => request.header("x-checksum-sha2", sha256),
            None => request,
        };
        self.passphrase.add_to(request)
    }
}

/// Uploads a file, with retries and growing pauses while that may help. On success, the server has the whole file.
pub(super) async fn send(
    route: &UploadRoute,
    local: &LocalFile,
    sha256: &str,
    bar: &FileProgress,
) -> Result<PushOutcome> {
    let mut attempt = 1;
    loop {
        match try_once(route, local, sha256, bar).await {
            Err(error) if is_passing(&error) && attempt < ATTEMPTS => {
                bar.restart();
                tokio::time::sleep(Duration::from_millis(250 << attempt)).await;
                attempt += 1;
            }
            done => return done.map_err(explained),
        }
    }
}

async fn try_once(route: &UploadRoute, local: &LocalFile, sha256: &str, bar: &FileProgress) -> Result<PushOutcome> {
    if local.size >= WORTH_ASKING && deploy(route, local, sha256).await? {
        bar.complete();
        return Ok(PushOutcome::Deployed);
    }
    put(route, local, Some(sha256), reading::body(local, bar), bar).await?;
    Ok(PushOutcome::Uploaded)
}

/// Returns whether the server had the content and stored the file by its checksum.
pub(super) async fn deploy(route: &UploadRoute, local: &LocalFile, sha256: &str) -> Result<bool> {
    let request = route.request(&local.target, Some(sha256))?.header("x-checksum-deploy", "true");
    match route.client.once(request.header(header::CONTENT_LENGTH, 0).timeout(route.client.timeout)).await {
        Ok(_) => Ok(true),
        Err(error) if error.kind == ExitKind::Missing => Ok(false),
        Err(error) => Err(error),
    }
}

/// Sends a body, whose checksum may not be known yet. It may take any time while it makes progress.
pub(super) async fn put(
    route: &UploadRoute,
    local: &LocalFile,
    sha256: Option<&str>,
    body: Body,
    bar: &FileProgress,
) -> Result<()> {
    let request = route.request(&local.target, sha256)?.header(header::CONTENT_LENGTH, local.size);
    tokio::select! {
        answer = route.client.once(request.body(body)) => answer.map(drop),
        () = silence(bar, route.client.timeout) => {
            let seconds = route.client.timeout.as_secs();
            Err(Error::new(ExitKind::Unreachable, format!("{} accepted no data for {seconds} s", route.client.url)))
        }
    }
}

/// Returns after no byte was transferred for this long.
pub(super) async fn silence(bar: &FileProgress, timeout: Duration) {
    loop {
        let before = bar.position();
        tokio::time::sleep(timeout).await;
        if bar.position() == before {
            return;
        }
    }
}

/// Returns whether a retry may help.
pub(super) fn is_passing(error: &Error) -> bool {
    matches!(error.kind, ExitKind::Unreachable | ExitKind::Busy)
}

/// Adds a hint to a conflict.
pub(super) fn explained(error: Error) -> Error {
    let has_way_out = error.kind == ExitKind::Conflict && error.hint.is_none();
    if has_way_out { error.hint("--override replaces the existing file") } else { error }
}
