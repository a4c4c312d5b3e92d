//! A budget for reading stored bytes.

use std::io::{self, Read, Seek, SeekFrom};

use operations::format::Content;

use super::Limits;

/// Content with a budget: reads beyond it fail.
pub(super) struct Bounded<'a> {
    content: &'a mut dyn Content,
    most_bytes: u64,
    left_bytes: u64,
}

impl<'a> Bounded<'a> {
    /// Starts at the first byte.
    pub(super) fn new(content: &'a mut dyn Content, limits: &Limits) -> Result<Self, String> {
        content.rewind().map_err(|error| format!("the content is unreadable: {error}"))?;
        Ok(Self { content, most_bytes: limits.bytes, left_bytes: limits.bytes })
    }
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        let left = self.left_bytes.checked_sub(read as u64);
        self.left_bytes = left.ok_or_else(|| {
            io::Error::other(format!("more than {} bytes of it would have to be read", self.most_bytes))
        })?;
        Ok(read)
    }
}

impl Seek for Bounded<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.content.seek(position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn reads_stop_at_the_budget() {
        let mut content = Cursor::new(vec![7; 100]);
        content.set_position(50);
        let limits = Limits { bytes: 100, ..Limits::default() };
        let mut bounded = Bounded::new(&mut content, &limits).expect("readable");
        assert_eq!(io::copy(&mut bounded, &mut io::sink()).expect("within the budget"), 100);
        bounded.rewind().expect("seekable");
        let error = bounded.read(&mut [0]).expect_err("the budget is used up");
        assert_eq!(error.to_string(), "more than 100 bytes of it would have to be read");
    }
}
