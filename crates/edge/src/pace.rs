//! Enforces a minimum speed of request bodies, so that silent or very slow clients cannot occupy connections.
//!
//! Only the time in which the server waits for the client counts. A client starts with a grace time and earns more with
//! each byte, at the lowest rate that is allowed. The time it can save up is bounded, so that a client cannot send much
//! at first and then be slow for hours.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::body::{Body, Buf, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::{BoxError, Options};

/// The minimum speed of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    gap: Duration,
    grace: Duration,
    bytes_per_sec: u64,
}

impl Pace {
    pub(super) fn new(options: &Options) -> Self {
        Self { gap: options.body_gap, grace: options.body_grace, bytes_per_sec: options.body_bytes_per_sec }
    }

    /// Returns the remaining time budget after a wait of `waited` that brought `bytes`.
    fn left(&self, left: Duration, waited: Duration, bytes: usize) -> Duration {
        let earned = Duration::from_micros((bytes as u64).saturating_mul(1_000_000) / self.bytes_per_sec);
        left.saturating_sub(waited).saturating_add(earned).min(self.grace + self.gap)
    }
}

/// A body that fails when its client is too slow.
pub struct Paced<B> {
    body: B,
    pace: Pace,
    /// The remaining time budget.
    left: Duration,
    /// The start of the current wait for data.
    waiting: Option<Instant>,
    clock: Option<Pin<Box<Sleep>>>,
}

impl<B> Paced<B> {
    pub(super) fn new(body: B, pace: Pace) -> Self {
        Self { body, pace, left: pace.grace, waiting: None, clock: None }
    }

    /// Becomes ready when the wait has taken too long.
    fn poll_late(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.waiting.is_none() {
            let now = Instant::now();
            self.waiting = Some(now);
            let due = now + self.pace.gap.min(self.left);
            match &mut self.clock {
                Some(clock) => clock.as_mut().reset(due),
                None => self.clock = Some(Box::pin(sleep_until(due))),
            }
        }
        self.clock.as_mut().map_or(Poll::Pending, |clock| clock.as_mut().poll(context))
    }
}

impl<B> Body for Paced<B>
where
    B: Body + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = B::Data;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, BoxError>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(frame) => {
                let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()).and_then(Frame::data_ref);
                let bytes = data.map_or(0, Buf::remaining);
                let waited = self.waiting.take().map_or(Duration::ZERO, |since| since.elapsed());
                self.left = self.pace.left(self.left, waited, bytes);
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => self.poll_late(context).map(|()| Some(Err(too_slow().into()))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "it came too slowly")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { gap: Duration::from_secs(30), grace: Duration::from_secs(10), bytes_per_sec: 1_024 };

    /// Returns after how many seconds a body is cut that starts with `first` bytes and then brings `bytes` every
    /// `seconds`.
    fn cut_after(first: usize, bytes: usize, seconds: u64) -> Option<u64> {
        let mut left = PACE.left(PACE.grace, Duration::ZERO, first);
        for number in 0..10_000 {
            let patience = PACE.gap.min(left);
            if patience < Duration::from_secs(seconds) {
                return Some(number * seconds + patience.as_secs());
            }
            left = PACE.left(left, Duration::from_secs(seconds), bytes);
        }
        None
    }

    #[test]
    fn a_body_that_drips_is_cut_after_the_grace() {
        assert_eq!(cut_after(0, 1, 1), Some(10));
        assert_eq!(cut_after(0, 1, 60), Some(10));
        assert_eq!(cut_after(0, 512, 1), Some(19));
    }

    #[test]
    fn a_body_at_the_lowest_rate_is_read_to_its_end() {
        assert_eq!(cut_after(0, 1_024, 1), None);
        assert_eq!(cut_after(0, 10 << 10, 9), None);
        assert_eq!(cut_after(30 << 10, 30 << 10, 29), None);
    }

    #[test]
    fn what_was_sent_fast_is_no_licence_to_be_slow_for_ever() {
        assert_eq!(cut_after(100 << 20, 1, 20), Some(40));
    }
}
