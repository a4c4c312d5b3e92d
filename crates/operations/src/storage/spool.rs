//! A body in a local file without a name, for content that must be read as a whole, and more than once.
//!
//! It is written batch by batch, with one call to a blocking thread each, while the next batch is received; a client
//! that sends slowly does not occupy a thread.

use std::{fs::File, io::Write};

use blobs::{BoxError, Checksums, Hashes};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};

use crate::{Error, House, Result, blocking, storage::expected_checksums::ExpectedChecksums};

/// The bytes written and hashed in one call to a blocking thread; a body has at most two batches and a piece in memory.
const BATCH_BYTES: usize = 512 << 10;

/// Receives a body and checks it against the expected checksums.
pub(crate) async fn receive<S, E>(house: &House, body: S, expected: &ExpectedChecksums) -> Result<File>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let mut spool = Spool { file: create(house).await?, hashes: Hashes::new(expected.to_compute()) };
    let mut body = Body { body: Box::pin(body), received: 0, max_bytes: house.policy.upload_bytes };
    let mut batch = body.batch().await?;
    while !batch.is_empty() {
        (spool, batch) = tokio::try_join!(spool.write(batch), body.batch())?;
    }
    let (file, sums) = spool.finish();
    expected.check(&sums)?;
    Ok(file)
}

/// Creates a file without a name in the folder of temporary files, which may not exist yet.
pub(crate) async fn create(house: &House) -> Result<File> {
    let folder = house.policy.spool.clone();
    let created = blocking::run(move || {
        std::fs::create_dir_all(&folder)?;
        tempfile::tempfile_in(folder)
    });
    created.await?.map_err(full_or_broken)
}

/// A body with a size limit.
struct Body<S> {
    body: std::pin::Pin<Box<S>>,
    received: u64,
    max_bytes: u64,
}

impl<S, E> Body<S>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    /// Returns the next bytes, enough for a write to the disk; empty at the end.
    async fn batch(&mut self) -> Result<BytesMut> {
        let mut batch = BytesMut::new();
        while batch.len() < BATCH_BYTES
            && let Some(piece) = self.body.next().await
        {
            let piece = piece.map_err(|error| Error::from(blobs::Error::Body(error.into())))?;
            self.received += piece.len() as u64;
            if self.received > self.max_bytes {
                return Err(blobs::Error::TooLarge { max_bytes: self.max_bytes }.into());
            }
            batch.extend_from_slice(&piece);
        }
        Ok(batch)
    }
}

/// The file, and the checksums of its content.
struct Spool {
    file: File,
    hashes: Hashes,
}

impl Spool {
    async fn write(mut self, batch: BytesMut) -> Result<Self> {
        let written = blocking::run(move || {
            self.file.write_all(&batch)?;
            self.hashes.update(&batch);
            Ok(self)
        });
        written.await?.map_err(full_or_broken)
    }

    fn finish(self) -> (File, Checksums) {
        (self.file, self.hashes.finish())
    }
}

fn full_or_broken(error: std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Error::Full(error.to_string()),
        _ => Error::Internal(format!("spooling an archive failed: {error}")),
    }
}
