//! Gzip streams of one member, inflated within limits.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;
use operations::storage::archive::ArchiveError;

use super::{Content, Limits, content::Bounded};

/// Streams that inflate to less than this have no ratio.
const SMALL_BYTES: u64 = 1024 * 1024;

/// An inflated stream. It fails when it grows beyond the limits, and at its end if anything follows: some readers stop
/// after the first member and others continue, so they would see different files.
pub(super) struct Gzip<'a> {
    decoder: GzDecoder<BufReader<Bounded<'a>>>,
    inflated_bytes: u64,
    dense_bytes: u64,
    limits: Limits,
}

/// Opens content that must be a gzip stream.
pub(super) fn open<'a>(content: &'a mut dyn Content, limits: &Limits) -> Result<Gzip<'a>, String> {
    let dense_bytes = limits.inflated_bytes(content.size(), SMALL_BYTES);
    let mut packed = BufReader::new(Bounded::new(content, limits)?);
    let head = packed.fill_buf().map_err(|error| ArchiveError::of_stream(error).to_string())?;
    if !head.starts_with(&[0x1f, 0x8b]) {
        return Err("it is not a gzip file".to_owned());
    }
    Ok(Gzip { decoder: GzDecoder::new(packed), inflated_bytes: 0, dense_bytes, limits: limits.clone() })
}

impl Gzip<'_> {
    fn check(&self) -> Result<(), ArchiveError> {
        if self.inflated_bytes > self.limits.bytes {
            return Err(ArchiveError::TooManyBytes { limit: self.limits.bytes });
        }
        if self.inflated_bytes > self.dense_bytes {
            return Err(ArchiveError::TooDense { limit: self.limits.ratio });
        }
        Ok(())
    }
}

impl Read for Gzip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.inflated_bytes += read as u64;
        self.check()?;
        if read == 0 && !buffer.is_empty() && !self.decoder.get_mut().fill_buf()?.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "other bytes follow its compressed content"));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{super::samples::gzip, *};

    fn inflate(bytes: Vec<u8>, limits: &Limits) -> Result<u64, String> {
        let mut content = Cursor::new(bytes);
        let mut stream = open(&mut content, limits)?;
        io::copy(&mut stream, &mut io::sink()).map_err(|error| ArchiveError::of_stream(error).to_string())
    }

    #[test]
    fn a_stream_of_one_member_is_inflated() {
        assert_eq!(inflate(gzip(b"hello"), &Limits::default()), Ok(5));
    }

    #[test]
    fn other_content_is_refused() {
        assert_eq!(inflate(b"PK\x03\x04".to_vec(), &Limits::default()), Err("it is not a gzip file".to_owned()));
        assert_eq!(inflate(Vec::new(), &Limits::default()), Err("it is not a gzip file".to_owned()));
        let two = [gzip(b"one"), gzip(b"two")].concat();
        let error = inflate(two, &Limits::default()).expect_err("two members");
        assert_eq!(error, "the archive is damaged: other bytes follow its compressed content");
        let cut = gzip(b"hello")[..12].to_vec();
        assert!(inflate(cut, &Limits::default()).is_err());
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = gzip(&vec![0; 3 * 1024 * 1024]);
        let dense = inflate(bomb.clone(), &Limits::default()).expect_err("too dense");
        assert_eq!(dense, "the archive unpacks to more than 200 times its size");
        let limits = Limits { bytes: 1_000_000, ..Limits::default() };
        assert_eq!(inflate(bomb, &limits), Err("the archive unpacks to more than 1000000 bytes".to_owned()));
    }
}
