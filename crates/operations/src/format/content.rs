//! Stored bytes that can be read at any position.

use std::io::{Cursor, Read, Seek};

/// Bytes of the store that can be read at any position.
pub trait Content: Read + Seek {
    /// The number of bytes.
    fn size(&self) -> u64;
}

impl<T: AsRef<[u8]>> Content for Cursor<T> {
    fn size(&self) -> u64 {
        self.get_ref().as_ref().len() as u64
    }
}
