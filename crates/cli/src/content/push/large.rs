//! Uploads a large file that the server probably does not have, and hashes it at the same time.

use super::{
    files::LocalFile,
    reading,
    summary::PushOutcome,
    upload::{self, UploadRoute, explained, is_passing},
};
use crate::{
    digest,
    error::{Error, Result},
    progress::FileProgress,
};

/// From this size on, users would notice the delay of hashing a file before sending it.
pub(super) const LARGE: u64 = 32 << 20;

/// Uploads a file and returns its SHA-256.
pub(super) async fn send(route: &UploadRoute, local: &LocalFile, bar: &FileProgress) -> Result<(String, PushOutcome)> {
    let mut sha256 = None;
    let sent = match in_one_go(route, local, bar, &mut sha256).await {
        Ok(sent) => Some(sent),
        Err(error) if is_passing(&error) => None,
        Err(error) => return Err(explained(error)),
    };
    let sha256 = match sha256 {
        Some(sha256) => sha256,
        None => digest::sha256(&local.path).await.map_err(|error| Error::local(local.path.display(), error))?,
    };
    let sent = match sent {
        Some(sent) => sent,
        // From now on the checksum is sent first: the server may have received everything, and only its response was
        // lost.
        None => {
            bar.restart();
            upload::send(route, local, &sha256, bar).await?
        }
    };
    Ok((sha256, sent))
}

/// Uploads and hashes the file. If the checksum is known early and the server has the content, the rest is not sent.
async fn in_one_go(
    route: &UploadRoute,
    local: &LocalFile,
    bar: &FileProgress,
    sha256: &mut Option<String>,
) -> Result<PushOutcome> {
    let (body, mut partial) = reading::body_and_digest(local, bar);
    let mut sending = std::pin::pin!(upload::put(route, local, None, body, bar));
    let digest = tokio::select! {
        digest = &mut partial => digest.ok(),
        sent = &mut sending => {
            sent?;
            *sha256 = partial.await.ok().map(|digest| digest.sha256);
            return Ok(PushOutcome::Uploaded);
        }
    };
    let early = digest.as_ref().filter(|digest| digest.is_early).map(|digest| digest.sha256.clone());
    *sha256 = digest.map(|digest| digest.sha256);
    if let Some(early) = early {
        let was_deployed = tokio::select! {
            // Any other error of this request will also occur for the body.
            deployed = upload::deploy(route, local, &early) => deployed.unwrap_or(false),
            sent = &mut sending => return sent.map(|()| PushOutcome::Uploaded),
        };
        if was_deployed {
            bar.complete();
            return Ok(PushOutcome::Deployed);
        }
    }
    sending.await.map(|()| PushOutcome::Uploaded)
}
