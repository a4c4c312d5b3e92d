//! A body as it arrives, from which parts of a known size are taken.

use axum::{
    BoxError,
    body::{Body, BodyDataStream},
};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};
use web::error::Result;

use super::broken;

/// The rest of a body.
pub(super) struct Pieces {
    body: BodyDataStream,
    buffer: BytesMut,
}

impl Pieces {
    pub(super) fn new(body: Body) -> Self {
        Self { body: body.into_data_stream(), buffer: BytesMut::new() }
    }

    /// The next bytes, which stay in memory: the caller bounds their number.
    pub(super) async fn take(&mut self, count: usize) -> Result<Bytes> {
        while self.buffer.len() < count {
            let is_there = self.fill().await.map_err(|error| broken(&error))?;
            if !is_there {
                return Err(broken(&"the body ends too early".into()));
            }
        }
        Ok(self.buffer.split_to(count).freeze())
    }

    /// The next bytes as a stream, which fails if the body has fewer.
    pub(super) fn stream(
        &mut self,
        count: u64,
    ) -> impl Stream<Item = std::result::Result<Bytes, BoxError>> + Send + '_ {
        stream::try_unfold((self, count), |(pieces, left)| async move {
            if left == 0 {
                return Ok(None);
            }
            if pieces.buffer.is_empty() && !pieces.fill().await? {
                return Err("the body ends too early".into());
            }
            let size = usize::try_from(left).unwrap_or(usize::MAX).min(pieces.buffer.len());
            let piece = pieces.buffer.split_to(size).freeze();
            let left = left - piece.len() as u64;
            Ok(Some((piece, (pieces, left))))
        })
    }

    /// Whether nothing follows.
    pub(super) async fn is_at_end(&mut self) -> Result<bool> {
        let has_more = !self.buffer.is_empty() || self.fill().await.map_err(|error| broken(&error))?;
        Ok(!has_more)
    }

    /// Reads the next piece that is not empty; false at the end of the body.
    async fn fill(&mut self) -> std::result::Result<bool, BoxError> {
        while let Some(piece) = self.body.next().await {
            let piece = piece?;
            if !piece.is_empty() {
                self.buffer.extend_from_slice(&piece);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
