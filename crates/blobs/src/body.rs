//! Reads the body of an upload in pieces of a known size, up to a limit.

use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};

use crate::error::{BoxError, Error};

/// A body that is read piece by piece. Reading fails if it is longer than its limit.
pub(crate) struct Body<'a, S> {
    stream: Pin<&'a mut S>,
    /// The rest of the last chunk, which did not fit into the last piece.
    rest: Bytes,
    received: u64,
    max_bytes: u64,
    has_ended: bool,
}

impl<'a, S, E> Body<'a, S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<BoxError>,
{
    pub(crate) fn new(stream: Pin<&'a mut S>, max_bytes: u64) -> Self {
        Self { stream, rest: Bytes::new(), received: 0, max_bytes, has_ended: false }
    }

    /// Reads until the piece has `limit` bytes; it has fewer only at the end of the body.
    ///
    /// Bytes are copied: a chunk of one byte may keep a whole network buffer alive, so that a slow client's chunks
    /// would use more memory than the piece's limit.
    pub(crate) async fn fill(&mut self, piece: &mut BytesMut, limit: usize) -> Result<(), Error> {
        while piece.len() < limit && !self.has_ended {
            if self.rest.is_empty() {
                self.receive().await?;
            }
            let room = limit - piece.len();
            piece.extend_from_slice(&self.rest.split_to(room.min(self.rest.len())));
        }
        Ok(())
    }

    /// Returns whether the end of the body was reached.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    async fn receive(&mut self) -> Result<(), Error> {
        match self.stream.next().await {
            None => self.has_ended = true,
            Some(Err(error)) => return Err(Error::Body(error.into())),
            Some(Ok(chunk)) => {
                self.received += chunk.len() as u64;
                if self.received > self.max_bytes {
                    return Err(Error::TooLarge { max_bytes: self.max_bytes });
                }
                self.rest = chunk;
            }
        }
        Ok(())
    }
}
