//! An object that consists of parts, which are discarded when it is dropped before its end.

use std::{future::Future, sync::Arc};

use bytes::Bytes;
use object_store::{
    MultipartId, ObjectStoreExt,
    multipart::{MultipartStore, PartId},
    path::Path,
};

use super::{S3, error::unless_ok};
use crate::{cleanups, error::Error};

/// An object that is being uploaded; dropping it discards its parts.
#[derive(Debug)]
pub(super) struct Multipart {
    s3: Arc<S3>,
    pub(super) path: Path,
    pub(super) id: MultipartId,
    parts: Vec<PartId>,
    /// Present until the parts are assembled or discarded.
    guard: Option<cleanups::TemporaryGuard>,
}

impl Multipart {
    /// Starts a temporary object.
    pub(super) async fn create(s3: &Arc<S3>) -> Result<Self, Error> {
        Self::create_at(s3, s3.temporary_path()).await
    }

    /// Starts an object with this name. What has the name stays until the parts are assembled.
    pub(super) async fn create_at(s3: &Arc<S3>, path: Path) -> Result<Self, Error> {
        let id = unless_ok("starting", &path, s3.client.create_multipart(&path).await)?;
        let guard = Some(s3.cleanups.count_one());
        Ok(Self { s3: Arc::clone(s3), path, id, parts: Vec::new(), guard })
    }

    /// Sends the next part.
    pub(super) async fn send(&mut self, part: Bytes) -> Result<(), Error> {
        let sent = self.s3.client.put_part(&self.path, &self.id, self.parts.len(), part.into()).await;
        self.parts.push(unless_ok("sending a part of", &self.path, sent)?);
        Ok(())
    }

    /// Assembles the parts that were sent to one temporary object.
    pub(super) async fn complete(mut self) -> Result<TemporaryObject, Error> {
        let parts = std::mem::take(&mut self.parts);
        self.complete_with(parts).await?;
        Ok(TemporaryObject { s3: Arc::clone(&self.s3), path: self.path.clone(), guard: self.guard.take() })
    }

    /// Assembles these parts to an object that stays.
    pub(super) async fn assemble(&mut self, parts: Vec<PartId>) -> Result<(), Error> {
        self.complete_with(parts).await?;
        self.guard = None;
        Ok(())
    }

    async fn complete_with(&self, parts: Vec<PartId>) -> Result<(), Error> {
        let completed = self.s3.patient_client.complete_multipart(&self.path, &self.id, parts).await;
        unless_ok("completing", &self.path, completed).map(drop)
    }
}

impl Drop for Multipart {
    fn drop(&mut self) {
        let Some(guard) = self.guard.take() else { return };
        let (s3, path, id) = (Arc::clone(&self.s3), self.path.clone(), std::mem::take(&mut self.id));
        clean_up(guard, async move {
            let aborted = s3.client.abort_multipart(&path, &id).await;
            unless_ok("aborting", &path, aborted)
        });
    }
}

/// A complete object under a temporary name; removed when dropped.
#[derive(Debug)]
pub(super) struct TemporaryObject {
    s3: Arc<S3>,
    pub(super) path: Path,
    guard: Option<cleanups::TemporaryGuard>,
}

impl TemporaryObject {
    /// Takes over an object that outlived its requests.
    pub(super) fn adopt(s3: &Arc<S3>, path: Path) -> Self {
        Self { s3: Arc::clone(s3), path, guard: Some(s3.cleanups.count_one()) }
    }
}

impl Drop for TemporaryObject {
    fn drop(&mut self) {
        let Some(guard) = self.guard.take() else { return };
        let (s3, path) = (Arc::clone(&self.s3), self.path.clone());
        clean_up(guard, async move { unless_ok("removing", &path, s3.client.delete(&path).await) });
    }
}

/// Runs a removal in the background; only [`cleanups::TemporaryCount::wait_for_cleanups`] waits for it.
fn clean_up(guard: cleanups::TemporaryGuard, removal: impl Future<Output = Result<(), Error>> + Send + 'static) {
    // Without a runtime the process is ending, and the sweep removes the rest.
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
    runtime.spawn(async move {
        if let Err(error) = removal.await {
            tracing::warn!(%error, "removing a temporary failed; the next sweep removes it");
        }
        drop(guard);
    });
}
