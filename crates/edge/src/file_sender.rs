//! A plain connection that lets the kernel copy mapped files to the socket.
//!
//! The body of a download is a memory mapping. The sender looks up the bytes that the HTTP parser writes among the live
//! mappings. If they belong to one, it sends the file instead. Nothing reads the mapping, so it needs no memory and
//! causes no page faults.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
};

use rustix::{
    fs::sendfile,
    io::Errno,
    net::{SendAncillaryBuffer, SendFlags, sendmsg},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf},
    net::TcpStream,
};

use crate::FileRange;

/// The most bytes that one call sends. The call blocks on the disk if the file is not in the page cache.
const SEND_BYTES: usize = 2 << 20;

/// A socket that recognizes mapped files among the bytes written to it.
pub(crate) struct FileSender {
    socket: TcpStream,
    locate: Locate,
}

/// Finds the file range that bytes are a mapping of.
pub(crate) type Locate = fn(&[u8]) -> Option<FileRange>;

impl FileSender {
    pub(crate) fn new(socket: TcpStream, locate: Locate) -> Self {
        Self { socket, locate }
    }

    /// Sends the file range that `bytes` are a mapping of.
    fn poll_send_file(&mut self, cx: &mut Context<'_>, part: &FileRange, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let count = bytes.len().min(SEND_BYTES);
        match ready!(self.poll_io(cx, |socket| sendfile(
            socket,
            part.file.as_ref(),
            Some(&mut part.offset.clone()),
            count
        ))) {
            // The file was truncated, and reading the mapping there would kill the process.
            Ok(0) => Poll::Ready(Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a blob's file was truncated"))),
            Err(error) if cannot_copy(&error) => Pin::new(&mut self.socket).poll_write(cx, &bytes[..count]),
            sent => Poll::Ready(sent),
        }
    }

    /// Sends the bytes before a file, usually a head, so that they share a packet with the start of the file.
    fn poll_send_before(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let flags = SendFlags::MORE | SendFlags::NOSIGNAL;
        self.poll_io(cx, |socket| sendmsg(socket, slices, &mut SendAncillaryBuffer::default(), flags))
    }

    /// Calls the kernel when the socket is writable, and again if the call would block or is interrupted.
    fn poll_io(
        &self,
        cx: &mut Context<'_>,
        call: impl Fn(&TcpStream) -> rustix::io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.socket.poll_write_ready(cx))?;
            match self.socket.try_io(Interest::WRITABLE, || Ok(call(&self.socket)?)) {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
                sent => return Poll::Ready(sent),
            }
        }
    }
}

/// Returns whether the kernel cannot copy between files and sockets of this kind.
fn cannot_copy(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::INVAL | Errno::NOSYS))
}

impl AsyncWrite for FileSender {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let start = slices.iter().position(|slice| !slice.is_empty()).unwrap_or(slices.len());
        let slices = &slices[start..];
        let mapped = slices.iter().enumerate().find_map(|(index, slice)| Some((index, (self.locate)(slice)?)));
        match mapped {
            None => Pin::new(&mut self.socket).poll_write_vectored(cx, slices),
            Some((0, part)) => self.poll_send_file(cx, &part, &slices[0]),
            Some((index, _)) => self.poll_send_before(cx, &slices[..index]),
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

impl AsyncRead for FileSender {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests;
