//! Reusable memory for the pieces of a file: allocating new memory costs as much as reading into it.

use std::sync::mpsc::{Receiver, Sender, channel};

use bytes::Bytes;

/// The buffers of one file, one for each piece that is in use at the same time.
pub(super) struct Buffers {
    size: usize,
    free: Receiver<Vec<u8>>,
    home: Sender<Vec<u8>>,
}

impl Buffers {
    /// Creates an empty pool for buffers of this size.
    pub(super) fn new(size: usize) -> Self {
        let (home, free) = channel();
        Self { size, free, home }
    }

    /// Takes a returned buffer, or allocates a new one.
    pub(super) fn take(&self) -> Vec<u8> {
        self.free.try_recv().unwrap_or_else(|_| vec![0; self.size])
    }

    /// Wraps the start of a buffer, which returns to the pool after its last use.
    pub(super) fn wrap(&self, buffer: Vec<u8>, length: usize) -> Bytes {
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
        // Fails after the file is read to its end; then the memory is not needed.
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

        let wrapped = buffers.wrap(buffer, 3);
        let shared = wrapped.clone();
        drop(wrapped);
        assert_eq!(shared, "abc");
        assert_eq!(buffers.take(), [0; 4], "the other is still read");

        drop(shared);
        assert_eq!(buffers.take(), b"abcd");
    }
}
