//! The body of a download: hands a file to the connection in pieces and reports when it is complete.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use blobs::Error;
use bytes::Bytes;
use futures_util::StreamExt;
use http_body::{Body, Frame, SizeHint};

use super::{permit::QuotaReservation, source::Chunks};

/// Called once with the number of file bytes sent, when the last byte has been handed to the connection.
pub(crate) type Completed = Box<dyn FnOnce(u64) + Send>;

/// The largest piece handed over at once, so that encrypting a mapping never keeps a thread busy for long.
const PIECE_BYTES: u64 = 2 << 20;

/// The smallest piece, used towards the end of the body.
const LAST_BYTES: u64 = 64 << 10;

/// A body of known size.
pub(crate) struct DownloadBody {
    /// Bytes received from the store and not yet handed over.
    ready: Bytes,
    /// `None` if all bytes are already in `ready`.
    more: Option<Chunks>,
    left: u64,
    completed: Option<Completion>,
    /// The quota reserved for this body on a key with a limit.
    reservation: Option<QuotaReservation>,
}

/// The completion callback, and the number of file bytes it reports.
pub(crate) struct Completion {
    pub(crate) notify: Completed,
    pub(crate) file_bytes: u64,
}

impl DownloadBody {
    /// Creates a body of this size from a stream of chunks.
    pub(crate) fn new(size: u64, chunks: Chunks, completed: Option<Completion>) -> Self {
        Self { ready: Bytes::new(), more: Some(chunks), left: size, completed, reservation: None }.notified_if_empty()
    }

    /// Attaches the quota reserved for these bytes.
    pub(crate) fn paid_with(self, reservation: Option<QuotaReservation>) -> Self {
        Self { reservation, ..self }
    }

    /// Creates a body from bytes in memory.
    pub(crate) fn at_hand(bytes: Bytes, completed: Option<Completion>) -> Self {
        let left = bytes.len() as u64;
        Self { ready: bytes, more: None, left, completed, reservation: None }.notified_if_empty()
    }

    /// Reports an empty body as complete now, because the connection never asks it for a piece.
    fn notified_if_empty(mut self) -> Self {
        self.notify_if_complete();
        self
    }

    /// Takes the next piece from the bytes at hand.
    ///
    /// A connection asks for the next piece when it has sent most of the last one. So the pieces become smaller towards
    /// the end: a file counts as sent when nearly all of it is, not while a client may still disconnect half-way.
    fn take_piece(&mut self) -> Bytes {
        let size = (self.left / 2).clamp(LAST_BYTES, PIECE_BYTES).min(self.left);
        let size = usize::try_from(size).map_or(self.ready.len(), |size| size.min(self.ready.len()));
        let piece = self.ready.split_to(size);
        self.left -= size as u64;
        if let Some(reservation) = &mut self.reservation {
            reservation.sent(size as u64);
        }
        self.notify_if_complete();
        piece
    }

    fn notify_if_complete(&mut self) {
        if self.left == 0
            && let Some(Completion { notify, file_bytes }) = self.completed.take()
        {
            notify(file_bytes);
        }
    }
}

impl Body for DownloadBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        while self.ready.is_empty() {
            let next = match &mut self.more {
                Some(more) => ready!(more.poll_next_unpin(cx)),
                None => None,
            };
            match next.unwrap_or_else(|| Err(ended_early(self.left))) {
                Ok(bytes) => self.ready = bytes,
                Err(error) => {
                    tracing::error!("sending a download failed: {error}");
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
        Poll::Ready(Some(Ok(Frame::data(self.take_piece()))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

fn ended_early(left: u64) -> Error {
    Error::Broken { doing: "sending a blob".to_owned(), source: format!("it ended {left} bytes early").into() }
}

/// No body at all, for responses without content; an empty body would be announced with a length of zero.
pub(crate) struct NoBody;

impl Body for NoBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, stream};
    use http_body_util::BodyExt;
    use proptest::prelude::*;

    use super::*;
    use crate::downloads::tests::completed_transfers::CompletedTransfers;

    fn body(size: u64, chunks: &[usize], transfers: &CompletedTransfers) -> DownloadBody {
        let bytes = Bytes::from_static(&[7; 3 << 20]);
        let chunks: Vec<_> = chunks.iter().map(|size| Ok(bytes.slice(..*size))).collect();
        let completed = Completion { notify: transfers.completed(), file_bytes: size };
        DownloadBody::new(size, stream::iter(chunks).boxed(), Some(completed))
    }

    fn next(body: &mut DownloadBody) -> Option<Result<usize, Error>> {
        let frame = body.frame().now_or_never().expect("nothing is waited for")?;
        Some(frame.map(|frame| frame.into_data().expect("data").len()))
    }

    #[test]
    fn the_end_is_told_with_the_last_piece_and_once() {
        let transfers = CompletedTransfers::default();
        let mut body = body(30, &[10, 20], &transfers);
        assert_eq!(next(&mut body).unwrap().unwrap(), 10);
        assert!(transfers.all().is_empty());
        assert_eq!(next(&mut body).unwrap().unwrap(), 20);
        assert_eq!(transfers.all(), [30]);
        assert!(next(&mut body).is_none() && body.is_end_stream());
        drop(body);
        assert_eq!(transfers.all(), [30]);
    }

    #[test]
    fn nothing_is_told_of_a_body_that_is_dropped_on_the_way() {
        let transfers = CompletedTransfers::default();
        let mut body = body(30, &[10, 20], &transfers);
        next(&mut body);
        drop(body);
        assert!(transfers.all().is_empty());
    }

    #[test]
    fn an_empty_body_is_complete_from_the_start() {
        let transfers = CompletedTransfers::default();
        assert!(body(0, &[], &transfers).is_end_stream());
        assert_eq!(transfers.all(), [0]);
    }

    #[test]
    fn a_store_that_gives_too_little_is_an_error() {
        let transfers = CompletedTransfers::default();
        let mut body = body(30, &[10], &transfers);
        next(&mut body);
        assert!(next(&mut body).unwrap().unwrap_err().to_string().contains("20 bytes early"));
        assert!(transfers.all().is_empty());
    }

    #[test]
    fn a_store_that_gives_too_much_is_cut() {
        let transfers = CompletedTransfers::default();
        let mut body = body(30, &[40], &transfers);
        assert_eq!(next(&mut body).unwrap().unwrap(), 30);
        assert!(next(&mut body).is_none());
    }

    #[test]
    fn what_is_at_hand_is_told_as_well() {
        let transfers = CompletedTransfers::default();
        let completed = || Some(Completion { notify: transfers.completed(), file_bytes: 30 });
        let mut body = DownloadBody::at_hand(Bytes::from_static(&[7; 30]), completed());
        assert!(transfers.all().is_empty());
        assert_eq!(next(&mut body).unwrap().unwrap(), 30);
        assert!(next(&mut body).is_none());
        assert!(DownloadBody::at_hand(Bytes::new(), completed()).is_end_stream());
        assert_eq!(transfers.all(), [30, 30]);
    }

    #[test]
    fn a_small_body_is_one_piece() {
        assert_eq!(
            next(&mut body(LAST_BYTES, &[64 << 10], &CompletedTransfers::default())).unwrap().unwrap(),
            64 << 10
        );
    }

    proptest! {
        #[test]
        fn pieces_are_small_and_the_last_ones_smaller(
            chunks in proptest::collection::vec(prop_oneof![0usize..200_000, Just(3 << 20)], 0..8)
        ) {
            let transfers = CompletedTransfers::default();
            let size = chunks.iter().sum::<usize>() as u64;
            let mut body = body(size, &chunks, &transfers);
            let mut sent = Vec::new();
            while let Some(piece) = next(&mut body) {
                sent.push(piece.expect("the store works") as u64);
                prop_assert_eq!(body.size_hint().exact(), Some(size - sent.iter().sum::<u64>()));
            }
            prop_assert_eq!(sent.iter().sum::<u64>(), size);
            prop_assert!(sent.iter().all(|piece| (1..=PIECE_BYTES).contains(piece)));
            prop_assert!(sent.iter().rev().take(2).all(|piece| *piece <= LAST_BYTES), "{:?}", sent);
            prop_assert_eq!(transfers.all(), [size]);
        }
    }
}
