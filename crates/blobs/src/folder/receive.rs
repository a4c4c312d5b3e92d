//! Receives a body.
//!
//! A small body stays in memory until it is synced or committed, so that known content is never written. A larger one is
//! hashed and written in batches while the next batch is received; a client that sends slowly does not occupy a thread.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use model::digest::Digest;

use super::{Folder, temporary::Temporary};
use crate::{
    body::Body,
    error::{BoxError, Error},
    hashes::{Checksums, Hashes, INLINE_BYTES},
    off_reactor,
    pending::{PendingBlob, PendingLocation, ReceiveOptions},
    stamp::Stamp,
};

/// Bytes written and hashed at once; an upload holds at most two batches.
pub(super) const BATCH_BYTES: usize = 512 << 10;

/// A received body that is not committed.
#[derive(Debug)]
pub(crate) struct FolderPending {
    pub(super) folder: Arc<Folder>,
    pub(super) source: Source,
}

/// The location of the body.
#[derive(Debug)]
pub(super) enum Source {
    /// At most [`INLINE_BYTES`].
    Memory(Bytes),
    File(Temporary),
}

impl Folder {
    pub(crate) async fn receive<S, E>(
        self: &Arc<Self>,
        mut body: Body<'_, S>,
        options: ReceiveOptions,
    ) -> Result<PendingBlob, Error>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: Into<BoxError>,
    {
        let mut first = BytesMut::new();
        body.fill(&mut first, INLINE_BYTES).await?;
        let folder = Arc::clone(self);
        let place = |source| PendingLocation::Folder(FolderPending { folder, source });
        if body.has_ended() {
            let body = first.freeze();
            return Ok(PendingBlob::small(body.clone(), options, place(Source::Memory(body))));
        }
        let (sums, temporary) = self.write(first, body, options).await?;
        Ok(PendingBlob::hashed(sums, options, place(Source::File(temporary))))
    }

    /// Writes a body batch by batch: receives the next batch while one is written and hashed.
    async fn write<S, E>(
        self: &Arc<Self>,
        first: BytesMut,
        mut body: Body<'_, S>,
        options: ReceiveOptions,
    ) -> Result<(Checksums, Temporary), Error>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: Into<BoxError>,
    {
        let (mut batch, mut next) = (first, BytesMut::with_capacity(BATCH_BYTES));
        batch.reserve(BATCH_BYTES);
        body.fill(&mut batch, BATCH_BYTES).await?;
        let (mut hashes, mut temporary) = (Hashes::new(options), None);
        loop {
            let same = batch.freeze();
            let adding = self.add_batch(hashes, temporary, same.clone());
            let written;
            ((hashes, written), _) = tokio::try_join!(adding, body.fill(&mut next, BATCH_BYTES))?;
            if next.is_empty() {
                return Ok((hashes.finish(), written));
            }
            (temporary, batch, next) = (Some(written), next, emptied(same));
        }
    }

    /// Hashes and writes a batch.
    async fn add_batch(
        self: &Arc<Self>,
        hashes: Hashes,
        temporary: Option<Temporary>,
        batch: Bytes,
    ) -> Result<(Hashes, Temporary), Error> {
        let (folder, same) = (Arc::clone(self), batch.clone());
        let write = move || {
            let mut temporary = match temporary {
                Some(temporary) => temporary,
                None => Temporary::create(&folder)?,
            };
            temporary.write_body(&same)?;
            Ok(temporary)
        };
        hashes.updated_and(batch, "writing a body", write).await
    }
}

/// Returns a buffer for the next batch: that of a batch which was written and hashed. The kernel clears each page of
/// new memory, and the old one is still in the processor's cache.
pub(super) fn emptied(batch: Bytes) -> BytesMut {
    let Ok(mut buffer) = batch.try_into_mut() else { return BytesMut::with_capacity(BATCH_BYTES) };
    buffer.clear();
    buffer
}

impl FolderPending {
    pub(crate) fn stored(&self, digest: Digest) -> Result<Option<(u64, Stamp)>, Error> {
        self.folder.look_here(digest)
    }

    pub(crate) async fn sync(&mut self) -> Result<(), Error> {
        let bytes = match &self.source {
            Source::File(temporary) => return temporary.sync_early().await,
            Source::Memory(bytes) => bytes.clone(),
        };
        let folder = Arc::clone(&self.folder);
        let written = off_reactor::run("writing a body", move || {
            let temporary = Temporary::with(&folder, &bytes)?;
            temporary.sync()?;
            Ok(temporary)
        });
        self.source = Source::File(written.await?);
        Ok(())
    }

    pub(crate) async fn commit(self, sums: Checksums) -> Result<Stamp, Error> {
        off_reactor::run("committing a blob", move || self.folder.commit(self.source, sums)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_of_a_finished_batch_takes_the_next_one() {
        let mut batch = BytesMut::with_capacity(BATCH_BYTES);
        batch.extend_from_slice(b"bytes");
        let (start, batch) = (batch.as_ptr(), batch.freeze());
        let hashed = batch.clone();
        assert_ne!(emptied(batch.clone()).as_ptr(), start, "it is still hashed");
        drop(hashed);
        let next = emptied(batch);
        assert_eq!((next.as_ptr(), next.len()), (start, 0));
        assert!(next.capacity() >= BATCH_BYTES);
    }
}
