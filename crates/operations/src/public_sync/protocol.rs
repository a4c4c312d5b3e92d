//! The common part of the protocols: the time limit, and undoing a failed sync.

use std::time::Duration;

use super::{
    ReleaseMode,
    release::Release,
    remote::{RegistryConnection, SyncError},
};

/// The additional time for undoing a failed sync.
const UNDO: Duration = Duration::from_secs(30);

/// A client for one protocol.
pub(super) trait RegistryClient {
    /// Sends a release and finishes it. Returns messages for the caller.
    fn stage(
        &mut self,
        release: &Release,
        ending: ReleaseMode,
    ) -> impl Future<Output = Result<Vec<String>, SyncError>> + Send;

    /// Undoes what was started, if that is still possible.
    fn undo(&mut self) -> impl Future<Output = Result<(), SyncError>> + Send;

    /// Whether the registry has accepted the release, even if it has not confirmed yet that it is public.
    fn is_released(&self) -> bool;
}

/// Sends a release within the time limit. A failed sync is undone.
pub(super) async fn carry_out(
    mut staging: impl RegistryClient,
    remote: &RegistryConnection<'_>,
    release: &Release,
    ending: ReleaseMode,
) -> Result<Vec<String>, SyncError> {
    let staged = match tokio::time::timeout(remote.timeout, staging.stage(release, ending)).await {
        Err(_) if staging.is_released() => {
            return Ok(vec!["The registry has the release and is still publishing it".to_owned()]);
        }
        Err(_) => Err(SyncError::new("The sync timed out")),
        Ok(staged) => staged,
    };
    let Err(SyncError(mut messages)) = staged else { return staged };
    if staging.is_released() {
        messages.push("The registry was asked to release, and may have done so".to_owned());
    }
    match tokio::time::timeout(UNDO, staging.undo()).await {
        Ok(Ok(())) => {}
        Ok(Err(SyncError(more))) => messages.extend(more),
        Err(_) => messages.push("Removing the unfinished release timed out".to_owned()),
    }
    Err(SyncError(messages))
}
