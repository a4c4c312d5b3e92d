//! Receives a body.
//!
//! The digest is known only at the end, and objects cannot be renamed. So a body of up to one part waits in memory for
//! a single put to its final name. A longer one goes to a temporary object, part by part, and is then copied to its
//! final name.

use std::{sync::Arc, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use tokio::sync::OwnedSemaphorePermit;

use super::{
    S3,
    commit::{S3Pending, Source},
    multipart::{Multipart, TemporaryObject},
};
use crate::{
    body::Body,
    error::{BoxError, Error},
    hashes::{Checksums, Hashes, INLINE_BYTES},
    pending::{PendingBlob, PendingLocation, ReceiveOptions},
};

/// Bytes sent in one request and hashed in one blocking task; an upload holds at most two parts.
///
/// Stores require parts of at least 5 MiB, all of the same size except the last, and at most 10,000 of them.
pub(super) const PART_BYTES: usize = 8 << 20;

/// Maximum time that an upload waits for a slot among those that hold parts in memory.
const PLACE_TIMEOUT: Duration = Duration::from_secs(20);

impl S3 {
    pub(crate) async fn receive<S, E>(
        self: &Arc<Self>,
        mut body: Body<'_, S>,
        options: ReceiveOptions,
    ) -> Result<PendingBlob, Error>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: Into<BoxError>,
    {
        let mut part = BytesMut::new();
        body.fill(&mut part, INLINE_BYTES).await?;
        let mut place = None;
        if !body.has_ended() {
            place = Some(self.upload_place().await?);
            body.fill(&mut part, PART_BYTES).await?;
        }
        let (part, s3) = (part.freeze(), Arc::clone(self));
        let pending = |source| PendingLocation::S3(S3Pending { s3, source });
        if !body.has_ended() {
            let (sums, object) = self.send_parts(part, body, options).await?;
            return Ok(PendingBlob::hashed(sums, options, pending(Source::Object(object))));
        }
        let in_memory = pending(Source::Memory(part.clone(), place));
        if part.len() <= INLINE_BYTES {
            return Ok(PendingBlob::small(part, options, in_memory));
        }
        let hashes = Hashes::new(options).updated(part).await?;
        Ok(PendingBlob::hashed(hashes.finish(), options, in_memory))
    }

    /// Sends a body to a temporary object: receives the next part while one is sent and hashed.
    async fn send_parts<S, E>(
        self: &Arc<Self>,
        mut part: Bytes,
        mut body: Body<'_, S>,
        options: ReceiveOptions,
    ) -> Result<(Checksums, TemporaryObject), Error>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: Into<BoxError>,
    {
        let mut hashes = Hashes::new(options);
        let mut upload = Multipart::create(self).await?;
        loop {
            let mut next = BytesMut::new();
            let hashing = hashes.updated(part.clone());
            (hashes, _, _) = tokio::try_join!(hashing, upload.send(part), body.fill(&mut next, PART_BYTES))?;
            if next.is_empty() {
                return Ok((hashes.finish(), upload.complete().await?));
            }
            part = next.freeze();
        }
    }

    pub(super) async fn upload_place(&self) -> Result<OwnedSemaphorePermit, Error> {
        let place = tokio::time::timeout(PLACE_TIMEOUT, Arc::clone(&self.uploads).acquire_owned());
        place.await.map_err(busy)?.map_err(busy)
    }
}

fn busy(error: impl Into<BoxError>) -> Error {
    Error::Unavailable { doing: "waiting for other uploads".to_owned(), source: error.into() }
}
