//! A connection whose incoming bytes are looked at, and whose first request must come in time.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use super::framing::Framing;

/// What the parser gets in place of a refused message: it answers 400 and closes.
const POISON: &[u8] = b"\0\r\n\r\n";

/// A stream that passes bytes on while they are harmless.
pub(crate) struct Guard<S> {
    stream: S,
    framing: Framing,
    /// Runs until the first head is whole; later ones are timed by the parser.
    first_head: Option<Pin<Box<Sleep>>>,
    is_poisoned: bool,
}

impl<S> Guard<S> {
    pub(crate) fn new(stream: S, head_timeout: Duration) -> Self {
        Self {
            stream,
            framing: Framing::default(),
            first_head: Some(Box::pin(sleep(head_timeout))),
            is_poisoned: false,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guard<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.is_poisoned {
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        if Pin::new(&mut self.stream).poll_read(cx, buffer)?.is_pending() {
            let late = self.first_head.as_mut().is_some_and(|timer| timer.as_mut().poll(cx).is_ready());
            return if late { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending };
        }
        let this = &mut *self;
        if let Err(refused) = this.framing.look(&buffer.filled()[before..]) {
            tracing::debug!("refused a message: {}", refused.reason);
            this.is_poisoned = true;
            buffer.set_filled(before + refused.after);
            buffer.put_slice(&POISON[..POISON.len().min(buffer.remaining())]);
        }
        if this.framing.has_begun() {
            this.first_head = None;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guard<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
