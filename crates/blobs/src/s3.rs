//! Content in a bucket of an S3-compatible object store.
//!
//! ```text
//! prefix/
//! ├── sha256/ab/cd/abcd0123…         a blob
//! └── tmp/00000000075bcd15-2a        a large upload before its commit
//! ```
//!
//! A bucket has no folders to create, so its names keep the two levels that folders of earlier versions have.
//!
//! The parts of an upload that a crash interrupts, or that is cancelled while it starts, are not objects and cannot be
//! listed here: the bucket needs a lifecycle rule that aborts incomplete multipart uploads after a day. The keys need
//! the rights to get, put, delete and list; without the last one, a store answers "forbidden" instead of "not found".

mod client;
mod commit;
mod copy;
mod error;
mod list;
mod multipart;
mod partial;
mod read;
mod receive;

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use futures_util::TryStreamExt;
use model::digest::Digest;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, aws::AmazonS3, client::HttpClient, path::Path};
use tokio::sync::Semaphore;

use self::error::{found, unless_ok};
use crate::{
    cleanups::TemporaryCount,
    error::Error,
    layout::{self, TemporaryNames},
    location::{CopyLimits, S3Settings},
    stamp::Stamp,
};

pub(crate) use self::commit::S3Pending;

/// Maximum size of a body in a bucket: the protocol has at most 10,000 parts in an upload.
///
/// A longer body is rejected as too large while it is received, regardless of the caller's limit.
pub(crate) const MAX_BYTES: u64 = 10_000 * receive::PART_BYTES as u64;

/// Maximum number of concurrent uploads of more than a few KiB; each holds at most two parts in memory.
const MAX_UPLOADS: usize = 16;

/// A store in a bucket.
#[derive(Debug)]
pub(crate) struct S3 {
    client: AmazonS3,
    /// For requests that the store answers only after it has moved many bytes.
    patient_client: AmazonS3,
    /// For the one request that the client library lacks; as patient.
    http: HttpClient,
    bucket: String,
    copy_limits: CopyLimits,
    prefix: String,
    names: TemporaryNames,
    cleanups: TemporaryCount,
    uploads: Arc<Semaphore>,
}

impl S3 {
    /// Creates the clients without sending anything.
    pub(crate) fn open(settings: &S3Settings, names: TemporaryNames) -> Result<Self, Error> {
        Ok(Self {
            client: client::build(settings, client::ANSWER_TIMEOUT)?,
            patient_client: client::build(settings, client::PATIENT_ANSWER_TIMEOUT)?,
            http: client::build_http(settings)?,
            bucket: settings.bucket.clone(),
            copy_limits: settings.copy_limits,
            prefix: settings.prefix.clone(),
            names,
            cleanups: TemporaryCount::default(),
            uploads: Arc::new(Semaphore::new(MAX_UPLOADS)),
        })
    }

    /// Writes, reads, lists and deletes a temporary.
    pub(crate) async fn check(&self) -> Result<(), Error> {
        let path = self.temporary_path();
        unless_ok("putting", &path, self.client.put(&path, PutPayload::from_static(b"probe")).await)?;
        unless_ok("asking for", &path, self.client.head(&path).await)?;
        let listed = self.client.list(Some(&path)).try_next().await;
        unless_ok("listing", &path, listed)?;
        unless_ok("removing", &path, self.client.delete(&path).await)
    }

    pub(crate) async fn size(&self, digest: Digest) -> Result<Option<u64>, Error> {
        self.object_size(&self.content_path(digest)).await
    }

    /// Deletes a blob. Checks first whether it exists, because the protocol's response to a deletion does not say so.
    pub(crate) async fn delete(&self, digest: Digest) -> Result<bool, Error> {
        let path = self.content_path(digest);
        if self.object_size(&path).await?.is_none() {
            return Ok(false);
        }
        Ok(found("removing", &path, self.client.delete(&path).await)?.is_some())
    }

    pub(crate) async fn sweep_temporaries(&self, older_than: Duration, now: SystemTime) -> Result<u64, Error> {
        let folder = self.path(layout::TEMPORARY);
        let mut objects = self.client.list(Some(&folder));
        let mut removed = 0;
        while let Some(object) = unless_ok("listing", &folder, objects.try_next().await)? {
            let modified = SystemTime::from(object.last_modified);
            if now.duration_since(modified).is_ok_and(|age| age > older_than) {
                let deleted = self.client.delete(&object.location).await;
                removed += u64::from(found("removing", &object.location, deleted)?.is_some());
            }
        }
        Ok(removed)
    }

    pub(crate) async fn wait_for_cleanups(&self) {
        self.cleanups.wait_for_cleanups().await;
    }

    /// Returns the size of an object; `None` if it does not exist.
    async fn object_size(&self, path: &Path) -> Result<Option<u64>, Error> {
        Ok(self.look(path).await?.map(|(size, _)| size))
    }

    /// Returns the size and the stamp of an object; `None` if it does not exist.
    async fn look(&self, path: &Path) -> Result<Option<(u64, Stamp)>, Error> {
        let found = found("asking for", path, self.client.head(path).await)?;
        Ok(found.map(|object| (object.size, Stamp::of_tag(object.e_tag.as_deref()))))
    }

    pub(crate) async fn stamp(&self, digest: Digest) -> Result<Option<Stamp>, Error> {
        Ok(self.look(&self.content_path(digest)).await?.map(|(_, stamp)| stamp))
    }

    fn content_path(&self, digest: Digest) -> Path {
        self.path(&layout::Levels::Two.content_name(digest))
    }

    fn temporary_path(&self) -> Path {
        self.path(&format!("{}/{}", layout::TEMPORARY, self.names.next()))
    }

    fn path(&self, name: &str) -> Path {
        Path::from(format!("{}/{name}", self.prefix))
    }
}
