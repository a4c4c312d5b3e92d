//! Content: the bytes of files, addressed by their SHA-256, in a local folder or an S3-compatible store.
//!
//! A store knows digests and bytes only. The database records which file has which content, and which content is
//! garbage.
//!
//! An upload has two steps. [`Blobs::receive`] streams a body to a temporary name and hashes it at the same time;
//! [`PendingBlob::commit`] makes it durable under its digest. A crash at any point leaves at most a temporary, which
//! [`Blobs::sweep_temporaries`] removes.

mod body;
mod cleanups;
mod content;
mod error;
mod folder;
mod hashes;
mod layout;
mod listing;
mod location;
mod mapped;
mod memory_file;
mod off_reactor;
mod partial;
mod pending;
mod resumable_hashes;
mod s3;
mod sha256_state;
mod sha_instructions;

mod stamp;
#[cfg(feature = "testing")]
pub mod testing;

#[cfg(test)]
mod conformance;

use std::{
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt, stream::BoxStream};
use model::digest::Digest;
use tokio::time::Instant;

use crate::{body::Body, folder::Folder, layout::TemporaryNames, s3::S3};

pub use crate::{
    content::Content,
    error::{BoxError, Error},
    hashes::{Checksums, Hashes},
    listing::StoredBlob,
    location::{CopyLimits, InvalidLocation, Location, S3Key, S3Settings, SecretKey},
    mapped::{MappedBlob, MappedRange, locate},
    memory_file::sent_often,
    partial::PartialUpload,
    pending::{PendingBlob, ReceiveOptions},
    stamp::Stamp,
};

/// Bytes read between two pauses.
const PIECE_BYTES: u64 = 4 << 20;

/// The content store of a house; clones share it.
#[derive(Clone, Debug)]
pub struct Blobs(Store);

#[derive(Clone, Debug)]
enum Store {
    Folder(Arc<Folder>),
    S3(Arc<S3>),
}

impl Blobs {
    /// Opens the store at a location; `instance` is a number that no other running process uses for this store.
    ///
    /// Creates a missing folder. Does not contact a bucket, so that a house starts while its store is unavailable;
    /// [`Blobs::check`] does.
    pub async fn open(location: Location, instance: u64) -> Result<Self, Error> {
        let names = TemporaryNames::new(instance);
        let store = match location {
            Location::Folder(root) => Store::Folder(Arc::new(Folder::open(root, names).await?)),
            Location::S3(settings) => Store::S3(Arc::new(S3::open(&settings, names)?)),
        };
        Ok(Self(store))
    }

    /// Opens a store for reading only, such as a replica: nothing is created or written there.
    pub fn open_to_read(location: Location) -> Result<Self, Error> {
        let names = TemporaryNames::new(0);
        Ok(Self(match location {
            Location::Folder(root) => Store::Folder(Arc::new(Folder::existing(root, names))),
            Location::S3(settings) => Store::S3(Arc::new(S3::open(&settings, names)?)),
        }))
    }

    /// Checks that the store can write, read and delete an object. For settings checks, not for health probes.
    pub async fn check(&self) -> Result<(), Error> {
        match &self.0 {
            Store::Folder(folder) => folder.check().await,
            Store::S3(s3) => s3.check().await,
        }
    }

    /// Streams a body to a temporary name and hashes it; nothing is visible before [`PendingBlob::commit`].
    ///
    /// Dropping the future or the [`PendingBlob`] removes the temporary.
    pub async fn receive<S, E>(&self, stream: S, options: ReceiveOptions) -> Result<PendingBlob, Error>
    where
        S: Stream<Item = Result<Bytes, E>> + Send,
        E: Into<BoxError>,
    {
        let stream = std::pin::pin!(stream);
        match &self.0 {
            Store::Folder(folder) => folder.receive(Body::new(stream, options.max_bytes), options).await,
            Store::S3(s3) => s3.receive(Body::new(stream, options.max_bytes.min(s3::MAX_BYTES)), options).await,
        }
    }

    /// Reads the content with this digest, or a range of it; `None` if the store has no such blob.
    pub async fn read(&self, digest: Digest, range: Option<Range<u64>>) -> Result<Option<Content>, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.read(digest, range).await,
            Store::S3(s3) => s3.read(digest, range).await,
        }
    }

    /// Maps the whole blob: for files that are requested often, or sent without being read.
    ///
    /// Returns `None` if the store has no such blob or cannot map it, as with an object store; [`Blobs::read`] finds
    /// out which.
    pub async fn map(&self, digest: Digest) -> Result<Option<MappedBlob>, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.map(digest).await,
            Store::S3(_) => Ok(None),
        }
    }

    /// Opens the file of a blob, to read it at any position on a blocking thread. The file is never changed in place.
    ///
    /// Returns `None` if the store has no such blob or no files, as with an object store; [`Blobs::read`] reads ranges.
    pub async fn open_file(&self, digest: Digest) -> Result<Option<File>, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.open_file(digest).await,
            Store::S3(_) => Ok(None),
        }
    }

    /// Reads a small blob and compares it with its digest. A blob that is missing or has other bytes is damaged.
    pub async fn read_small(&self, digest: Digest, max_bytes: u64) -> Result<Bytes, Error> {
        let damaged = |reason: &str| Error::Damaged { digest, reason: reason.to_owned() };
        let content = self.read(digest, None).await?.ok_or_else(|| damaged("it is missing"))?;
        if content.size > max_bytes {
            return Err(damaged(&format!("it has {} bytes", content.size)));
        }
        let bytes = Bytes::from(content.stream.try_collect::<Vec<Bytes>>().await?.concat());
        let whole = bytes.clone();
        if bytes.len() <= hashes::INLINE_BYTES {
            hashes::check(digest, &bytes)?;
        } else {
            off_reactor::run("hashing a blob", move || hashes::check(digest, &whole)).await?;
        }
        Ok(bytes)
    }

    /// Returns the size of a blob in bytes; `None` if the store has no such blob.
    pub async fn size(&self, digest: Digest) -> Result<Option<u64>, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.size(digest).await,
            Store::S3(s3) => s3.size(digest).await,
        }
    }

    /// Computes the actual size and checksums of a blob from all its bytes; `None` if the store has no such blob.
    pub async fn sums(&self, digest: Digest) -> Result<Option<Checksums>, Error> {
        match self.read(digest, None).await? {
            Some(content) => hashes::of_stream(content.stream).await.map(Some),
            None => Ok(None),
        }
    }

    /// The same, with at most this many bytes per second, in pieces of a few megabytes.
    pub async fn sums_at_pace(&self, digest: Digest, bytes_per_second: u64) -> Result<Option<Checksums>, Error> {
        let Some(size) = self.size(digest).await? else { return Ok(None) };
        let (mut hashes, mut start) = (Hashes::plain(), 0);
        while start < size {
            let (began, end) = (Instant::now(), size.min(start + PIECE_BYTES));
            let Some(content) = self.read(digest, Some(start..end)).await? else { return Ok(None) };
            hashes = hashes.and_stream(content.stream).await?;
            let micros = (end - start).saturating_mul(1_000_000) / bytes_per_second.max(1);
            tokio::time::sleep_until(began + Duration::from_micros(micros)).await;
            start = end;
        }
        Ok(Some(hashes.finish()))
    }

    /// Returns the stamp of a blob without reading it; `None` if the store has no such blob.
    pub async fn stamp(&self, digest: Digest) -> Result<Option<Stamp>, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.stamp(digest).await,
            Store::S3(s3) => s3.stamp(digest).await,
        }
    }

    /// Lists every blob of the store, in no particular order. A blob that is added or removed in the meantime may be
    /// missing or included.
    pub fn list(&self) -> BoxStream<'static, Result<StoredBlob, Error>> {
        match &self.0 {
            Store::Folder(folder) => folder.list(),
            Store::S3(s3) => s3.list(),
        }
    }

    /// Removes a blob. Returns whether it existed. The caller needs a lock that prevents an upload from restoring it
    /// meanwhile.
    pub async fn delete(&self, digest: Digest) -> Result<bool, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.delete(digest).await,
            Store::S3(s3) => s3.delete(digest).await,
        }
    }

    /// Returns a URL with which anyone can download the blob from the object store for a while; `None` for a folder.
    ///
    /// Does not check whether the blob exists.
    pub async fn direct_url(&self, digest: Digest, valid_for: Duration) -> Result<Option<String>, Error> {
        match &self.0 {
            Store::Folder(_) => Ok(None),
            Store::S3(s3) => s3.direct_url(digest, valid_for).await.map(Some),
        }
    }

    /// The folder of the store; `None` for an object store.
    pub fn folder(&self) -> Option<&Path> {
        match &self.0 {
            Store::Folder(folder) => Some(folder.root()),
            Store::S3(_) => None,
        }
    }

    /// The path of a blob's file, whether or not it exists; `None` for an object store.
    pub fn folder_path(&self, digest: Digest) -> Option<PathBuf> {
        match &self.0 {
            Store::Folder(folder) => Some(folder.content_path(digest)),
            Store::S3(_) => None,
        }
    }

    /// Removes temporaries of crashed uploads that are older than `older_than`. Returns how many were removed.
    ///
    /// `older_than` must exceed the longest time from an upload's last byte to its commit.
    pub async fn sweep_temporaries(&self, older_than: Duration, now: SystemTime) -> Result<u64, Error> {
        match &self.0 {
            Store::Folder(folder) => folder.sweep_temporaries(older_than, now).await,
            Store::S3(s3) => s3.sweep_temporaries(older_than, now).await,
        }
    }

    /// Waits until no upload has a temporary left: for a clean shutdown, after requests have ended.
    pub async fn wait_for_cleanups(&self) {
        match &self.0 {
            Store::Folder(folder) => folder.wait_for_cleanups().await,
            Store::S3(s3) => s3.wait_for_cleanups().await,
        }
    }
}
