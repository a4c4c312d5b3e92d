//! Receives a body.
//!
//! A small body stays in memory and is written by its commit: one blocking task for the whole upload. A larger one is
//! written and hashed in batches, one blocking task each, while the next batch is received; a client that sends slowly
//! does not occupy a thread.

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

/// Bytes written and hashed in one blocking task; an upload holds at most two batches.
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
        let writer = self.write(first, body, options).await?;
        Ok(PendingBlob::hashed(writer.hashes.finish(), options, place(Source::File(writer.temporary))))
    }

    /// Writes a body batch by batch.
    async fn write<S, E>(
        self: &Arc<Self>,
        first: BytesMut,
        mut body: Body<'_, S>,
        options: ReceiveOptions,
    ) -> Result<Writer, Error>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: Into<BoxError>,
    {
        let mut batch = first;
        body.fill(&mut batch, BATCH_BYTES).await?;
        let mut writer = None;
        loop {
            let mut next = BytesMut::new();
            let (written, ()) =
                tokio::try_join!(self.write_batch(writer, batch, options), body.fill(&mut next, BATCH_BYTES))?;
            if next.is_empty() {
                return Ok(written);
            }
            (writer, batch) = (Some(written), next);
        }
    }

    async fn write_batch(
        self: &Arc<Self>,
        writer: Option<Writer>,
        batch: BytesMut,
        options: ReceiveOptions,
    ) -> Result<Writer, Error> {
        let folder = Arc::clone(self);
        off_reactor::run("writing a body", move || {
            let mut writer = match writer {
                Some(writer) => writer,
                None => Writer { temporary: Temporary::create(&folder)?, hashes: Hashes::new(options) },
            };
            writer.temporary.write_body(&batch)?;
            writer.hashes.update(&batch);
            Ok(writer)
        })
        .await
    }
}

/// A partly written body.
struct Writer {
    temporary: Temporary,
    hashes: Hashes,
}

impl FolderPending {
    pub(crate) fn stored(&self, digest: Digest) -> Result<Option<(u64, Stamp)>, Error> {
        self.folder.look_here(digest)
    }

    pub(crate) async fn commit(self, sums: Checksums) -> Result<Stamp, Error> {
        off_reactor::run("committing a blob", move || self.folder.commit(self.source, sums)).await
    }
}
