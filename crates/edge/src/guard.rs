//! A stream that checks the framing of incoming requests, times the first one, and replays responses.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use crate::{Backend, framing::Framing, replayer::Replayer};

/// Bytes handed to the parser instead of a rejected message, so that it answers 400 and closes.
const POISON: &[u8] = b"\0\r\n\r\n";

/// A stream that forwards bytes to the parser while their framing is valid.
pub(crate) struct FramingGuard<S, B: Backend> {
    stream: S,
    framing: Framing,
    /// The time-out of the first head; the parser times later heads.
    first_head: Option<Pin<Box<Sleep>>>,
    is_poisoned: bool,
    /// Replays responses instead of the parser if it can.
    replayer: Option<Replayer<B>>,
}

impl<S, B: Backend> FramingGuard<S, B> {
    pub(crate) fn new(stream: S, head_timeout: Duration, replayer: Option<Replayer<B>>) -> Self {
        Self {
            replayer,
            stream,
            framing: Framing::default(),
            first_head: Some(Box::pin(sleep(head_timeout))),
            is_poisoned: false,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin, B: Backend> FramingGuard<S, B> {
    /// Inspects received bytes, and returns whether the parser gets them.
    fn look(&mut self, buffer: &mut ReadBuf<'_>, before: usize) -> bool {
        let (was_between, heads) = (self.framing.is_between(), self.framing.heads());
        if was_between && self.replayer.as_mut().is_some_and(|replayer| replayer.take_again(&buffer.filled()[before..]))
        {
            return false;
        }
        let looked = self.framing.look(&buffer.filled()[before..]);
        let heads = self.framing.heads() - heads;
        if self.framing.heads() > 0 {
            self.first_head = None;
        }
        if let Err(refused) = looked {
            tracing::debug!("request rejected: {}", refused.reason);
            self.is_poisoned = true;
            buffer.set_filled(before + refused.after);
            buffer.put_slice(&POISON[..POISON.len().min(buffer.remaining())]);
        }
        let Some(replayer) = &mut self.replayer else { return true };
        if was_between && self.framing.is_between() && !self.is_poisoned {
            return !replayer.take(&buffer.filled()[before..], heads);
        }
        replayer.pass(heads);
        true
    }

    /// Sends the current replay to its end: nothing else may be written in between.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.replayer {
            Some(replayer) => replayer.poll_send(cx, &mut self.stream),
            None => Poll::Ready(Ok(())),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin, B: Backend> AsyncRead for FramingGuard<S, B> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        loop {
            ready!(this.poll_send(cx))?;
            if this.is_poisoned {
                return Poll::Ready(Ok(()));
            }
            if Pin::new(&mut this.stream).poll_read(cx, buffer)?.is_pending() {
                let late = this.first_head.as_mut().is_some_and(|timer| timer.as_mut().poll(cx).is_ready());
                return if late { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending };
            }
            if this.look(buffer, before) {
                return Poll::Ready(Ok(()));
            }
            buffer.set_filled(before);
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin, B: Backend> AsyncWrite for FramingGuard<S, B> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_send(cx))?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_send(cx))?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_send(cx))?;
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        if let Some(replayer) = &self.replayer {
            replayer.flush();
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_send(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
