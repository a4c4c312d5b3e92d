//! Uploads in pieces that outlive their requests: any process continues where another one has stopped.
//!
//! The store has the bytes; the caller keeps a [`PartialUpload`] in the database, which says how many of them count and
//! how far the checksums are. Bytes behind the recorded size, which a crash may leave, are written again.

use bytes::Bytes;
use futures_util::Stream;
use model::digest::Digest;

use crate::{
    Blobs, Store,
    body::Body,
    error::{BoxError, Error},
    pending::PendingBlob,
    resumable_hashes::ResumableHashes,
    s3,
};

/// An upload in pieces, as it is recorded between two pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialUpload {
    /// Where the store has its bytes, in the notation of the store.
    pub place: String,
    /// The number of bytes received.
    pub size: u64,
    /// The states of its checksums.
    pub states: Vec<u8>,
}

impl PartialUpload {
    /// Returns the SHA-256 of the bytes so far.
    pub fn digest(&self) -> Result<Digest, Error> {
        Ok(self.hashes()?.finish().sha256)
    }

    /// Continues the checksums.
    pub(crate) fn hashes(&self) -> Result<ResumableHashes, Error> {
        ResumableHashes::resume(self.size, &self.states).ok_or_else(|| broken("its checksums cannot be continued"))
    }
}

impl Blobs {
    /// Starts an upload in pieces. Nothing is written before its first byte.
    pub fn begin_partial(&self) -> PartialUpload {
        let place = match &self.0 {
            Store::Folder(folder) => folder.partial_place(),
            Store::S3(s3) => s3.partial_place(),
        };
        PartialUpload { place, size: 0, states: ResumableHashes::new().states() }
    }

    /// Adds a piece, durably. Returns the upload to record; if this fails, the recorded one stays valid.
    ///
    /// The caller sees to it that only one piece at a time is added to an upload, by any process.
    pub async fn append_partial<S, E>(
        &self,
        upload: &PartialUpload,
        stream: S,
        max_bytes: u64,
    ) -> Result<PartialUpload, Error>
    where
        S: Stream<Item = Result<Bytes, E>> + Send,
        E: Into<BoxError>,
    {
        let stream = std::pin::pin!(stream);
        match &self.0 {
            Store::Folder(folder) => {
                let body = Body::new(stream, max_bytes.saturating_sub(upload.size));
                folder.append_partial(upload, body).await.map_err(|error| whole_limit(error, max_bytes))
            }
            Store::S3(s3) => {
                let max_bytes = max_bytes.min(s3::MAX_BYTES);
                let body = Body::new(stream, max_bytes.saturating_sub(upload.size));
                s3.append_partial(upload, body).await.map_err(|error| whole_limit(error, max_bytes))
            }
        }
    }

    /// Turns a complete upload into a body that can be committed like any other.
    pub async fn finish_partial(&self, upload: &PartialUpload) -> Result<PendingBlob, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.finish_partial(upload).await,
            Store::S3(s3) => s3.finish_partial(upload).await,
        }
    }

    /// Removes what an upload has in the store beyond what a later record of it names; everything without one.
    pub async fn discard_partial(&self, upload: &PartialUpload, later: Option<&PartialUpload>) -> Result<(), Error> {
        match &self.0 {
            Store::Folder(_) if later.is_some() => Ok(()),
            Store::Folder(folder) => folder.discard_partial(upload).await,
            Store::S3(s3) => s3.discard_partial(upload, later).await,
        }
    }
}

/// Reports the limit of the whole upload instead of that of its last piece.
fn whole_limit(error: Error, max_bytes: u64) -> Error {
    match error {
        Error::TooLarge { .. } => Error::TooLarge { max_bytes },
        other => other,
    }
}

/// The error for an upload whose record and bytes do not fit.
pub(crate) fn broken(reason: &str) -> Error {
    Error::Broken { doing: "continuing an upload".to_owned(), source: reason.into() }
}
