//! Memory for the pieces of a file, used again and again: fresh memory costs as much as reading into it.

use std::sync::mpsc::{Receiver, Sender, channel};

use bytes::Bytes;

/// The buffers of one file. There are as many as pieces are on their way at a time.
pub(super) struct Buffers {
    size: usize,
    free: Receiver<Vec<u8>>,
    home: Sender<Vec<u8>>,
}

impl Buffers {
    /// None yet; each will have this size.
    pub(super) fn new(size: usize) -> Self {
        let (home, free) = channel();
        Self { size, free, home }
    }

    /// One that came back, or else a new one.
    pub(super) fn take(&self) -> Vec<u8> {
        self.free.try_recv().unwrap_or_else(|_| vec![0; self.size])
    }

    /// The beginning of a buffer, which comes back when nobody needs it any more.
    pub(super) fn lend(&self, buffer: Vec<u8>, length: usize) -> Bytes {
        Bytes::from_owner(PooledBuffer { buffer, length, home: self.home.clone() })
    }
}

struct PooledBuffer {
    buffer: Vec<u8>,
    length: usize,
    home: Sender<Vec<u8>>,
}

impl AsRef<[u8]> for PooledBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.buffer[..self.length]
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        // Fails when the file has been read to its end; then the memory is not needed.
        let _ = self.home.send(std::mem::take(&mut self.buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_comes_back_when_the_last_reader_is_gone() {
        let buffers = Buffers::new(4);
        let mut buffer = buffers.take();
        buffer.copy_from_slice(b"abcd");

        let lent = buffers.lend(buffer, 3);
        let shared = lent.clone();
        drop(lent);
        assert_eq!(shared, "abc");
        assert_eq!(buffers.take(), [0; 4], "the other is still read");

        drop(shared);
        assert_eq!(buffers.take(), b"abcd");
    }
}
