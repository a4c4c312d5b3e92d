//! A large file on its way while its checksum is still computed, so that nobody waits for either.

use super::{
    files::Local,
    summary::Sent,
    upload::{self, Way},
};
use crate::{
    digest,
    error::{Error, Result},
    progress::FileProgress,
};

/// From this size on, reading a file twice in turn would be felt.
pub(super) const LARGE: u64 = 32 << 20;

/// Sends a file and returns its SHA-256. When the server turns out to know the content, the rest is not sent.
pub(super) async fn send(way: &Way, local: &Local, bar: &FileProgress) -> Result<(String, Sent)> {
    let hashing =
        async { digest::sha256(&local.path).await.map_err(|error| Error::local(local.path.display(), error)) };
    let mut body = std::pin::pin!(upload::send_body(way, local, bar));
    let mut hashing = std::pin::pin!(hashing);
    let sha256 = tokio::select! {
        sha256 = &mut hashing => sha256?,
        sent = &mut body => {
            sent?;
            return Ok((hashing.await?, Sent::Uploaded));
        }
    };
    let is_known = tokio::select! {
        // Whatever else the server says to this, it will say to the body, too.
        deployed = upload::deploy(way, local, &sha256) => deployed.unwrap_or(false),
        sent = &mut body => {
            sent?;
            return Ok((sha256, Sent::Uploaded));
        }
    };
    if is_known {
        bar.complete();
        return Ok((sha256, Sent::Deployed));
    }
    body.await?;
    Ok((sha256, Sent::Uploaded))
}
