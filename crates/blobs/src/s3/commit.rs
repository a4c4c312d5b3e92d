//! Gives a received body its final name.

use std::sync::Arc;

use bytes::Bytes;
use model::digest::Digest;
use object_store::{ObjectStoreExt, path::Path};
use tokio::sync::OwnedSemaphorePermit;

use super::{S3, error::unless_ok, multipart::TemporaryObject};
use crate::{error::Error, hashes::Checksums, stamp::Stamp};

/// A received body that is not committed.
#[derive(Debug)]
pub(crate) struct S3Pending {
    pub(super) s3: Arc<S3>,
    pub(super) source: Source,
}

/// The location of the body.
#[derive(Debug)]
pub(super) enum Source {
    /// At most one part, with its slot among the uploads that use memory.
    Memory(Bytes, Option<OwnedSemaphorePermit>),
    Object(TemporaryObject),
}

impl S3Pending {
    pub(crate) async fn stored(&self, digest: Digest) -> Result<Option<(u64, Stamp)>, Error> {
        self.s3.look(&self.s3.content_path(digest)).await
    }

    pub(crate) async fn commit(self, sums: Checksums) -> Result<Stamp, Error> {
        let path = self.s3.content_path(sums.sha256);
        match self.source {
            // Overwrites an existing object, which may be damaged.
            Source::Memory(bytes, _place) => {
                let put = unless_ok("putting", &path, self.s3.client.put(&path, bytes.into()).await)?;
                Ok(Stamp::of_tag(put.e_tag.as_deref()))
            }
            Source::Object(object) => self.s3.copy(&object, &path, sums.size).await,
        }
    }
}

impl S3 {
    /// Copies a temporary object within the store. Overwrites an existing object.
    async fn copy(self: &Arc<Self>, object: &TemporaryObject, path: &Path, size: u64) -> Result<Stamp, Error> {
        self.copy_object(&object.path, path, size).await?;
        // A store may report success first and fail during the copy.
        match self.look(path).await? {
            Some((copied, stamp)) if copied == size => Ok(stamp),
            copied => {
                let copied = copied.map(|(copied, _)| copied);
                let reason = format!("the copy has {copied:?} instead of {size} bytes");
                Err(Error::Unavailable { doing: format!("copying to `{path}`"), source: reason.into() })
            }
        }
    }
}
