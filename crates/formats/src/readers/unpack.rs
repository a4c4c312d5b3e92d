//! Compressed streams inside packages, unpacked within limits.

use std::io::{self, BufRead, BufReader, Read};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use operations::storage::archive::ArchiveError;

use super::{Content, Limits, content::Bounded};

/// Streams that unpack to less than this have no ratio.
const SMALL_BYTES: u64 = 1024 * 1024;

/// The maximum size of content that only passes through, to find names in it or its end.
pub const STREAMED_BYTES: u64 = 4 * 1024 * 1024 * 1024;

/// The base-two logarithm of the largest zstd window: 128 MiB, the default of `zstd` itself.
const ZSTD_WINDOW_LOG: u32 = 27;

/// The memory limit of the xz decoder: a window of 128 MiB, twice that of `xz -9`, and its own tables.
const XZ_MEMORY_KIB: u32 = (128 + 1) * 1024;

/// Content from its first byte, of which at most the limit is read.
pub type Packed<'a> = BufReader<Box<dyn Read + 'a>>;

/// Opens content at its first byte.
pub fn open<'a>(content: &'a mut dyn Content, limits: &Limits) -> Result<Packed<'a>, String> {
    Ok(BufReader::new(Box::new(Bounded::new(content, limits)?)))
}

/// Returns the next bytes without consuming them; none at the end.
pub fn peek(packed: &mut impl BufRead) -> Result<&[u8], String> {
    packed.fill_buf().map_err(|error| ArchiveError::of_stream(error).to_string())
}

/// The compression of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Not compressed.
    Plain,
    /// Gzip.
    Gzip,
    /// Xz.
    Xz,
    /// Zstandard.
    Zstd,
    /// Bzip2.
    Bzip2,
}

impl Packing {
    /// Detects the compression by the first bytes.
    pub fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Packing::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            // Skippable frames, which parallel compressors begin with.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
            [b'B', b'Z', b'h', ..] => Packing::Bzip2,
            _ => Packing::Plain,
        }
    }
}

/// An unpacked stream. It fails when it grows beyond the limits.
pub struct Unpacked<'a> {
    stream: Box<dyn Read + 'a>,
    read_bytes: u64,
    dense_bytes: u64,
    limits: Limits,
}

impl std::fmt::Debug for Unpacked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacked").field("read_bytes", &self.read_bytes).finish_non_exhaustive()
    }
}

impl<'a> Unpacked<'a> {
    /// Unpacks a stream of this packed size.
    pub fn new(
        packed: impl BufRead + 'a,
        packing: Packing,
        packed_bytes: u64,
        limits: &Limits,
    ) -> Result<Self, String> {
        let unreadable = |error: io::Error| ArchiveError::of_stream(error).to_string();
        let stream: Box<dyn Read + 'a> = match packing {
            Packing::Plain => Box::new(packed),
            Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Packing::Xz => Box::new(XzReader::new_mem_limit(packed, true, XZ_MEMORY_KIB)),
            Packing::Bzip2 => Box::new(MultiBzDecoder::new(packed)),
            Packing::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(packed).map_err(unreadable)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(unreadable)?;
                Box::new(decoder)
            }
        };
        let dense_bytes = limits.inflated_bytes(packed_bytes, SMALL_BYTES);
        Ok(Self { stream, read_bytes: 0, dense_bytes, limits: limits.clone() })
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.read_bytes += read as u64;
        if self.read_bytes > self.limits.bytes {
            return Err(ArchiveError::TooManyBytes { limit: self.limits.bytes }.into());
        }
        if self.read_bytes > self.dense_bytes {
            return Err(ArchiveError::TooDense { limit: self.limits.ratio }.into());
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{container_samples::pack, samples::gzip},
        *,
    };

    const ALL: [Packing; 5] = [Packing::Plain, Packing::Gzip, Packing::Xz, Packing::Zstd, Packing::Bzip2];

    fn unpack(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, String> {
        let mut unpacked = Vec::new();
        Unpacked::new(bytes, Packing::of(bytes), bytes.len() as u64, limits)?
            .read_to_end(&mut unpacked)
            .map_err(|error| ArchiveError::of_stream(error).to_string())?;
        Ok(unpacked)
    }

    #[test]
    fn every_compression_is_detected_and_unpacked() {
        for packing in ALL {
            let packed = pack(b"some content", packing);
            assert_eq!(Packing::of(&packed), packing);
            assert_eq!(unpack(&packed, &Limits::default()), Ok(b"some content".to_vec()), "{packing:?}");
        }
    }

    #[test]
    fn bombs_are_refused() {
        for packing in [Packing::Gzip, Packing::Xz, Packing::Zstd, Packing::Bzip2] {
            let bomb = pack(&vec![0; 3 * 1024 * 1024], packing);
            let refusal = Err("the archive unpacks to more than 200 times its size".to_owned());
            assert_eq!(unpack(&bomb, &Limits::default()), refusal, "{packing:?}");
        }
        let limits = Limits { bytes: 10, ..Limits::default() };
        assert_eq!(unpack(&gzip(&[7; 11]), &limits), Err("the archive unpacks to more than 10 bytes".to_owned()));
    }

    #[test]
    fn a_huge_window_is_refused() {
        // The frame header asks for a window of 2 GiB.
        let refusal = unpack(b"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", &Limits::default()).expect_err("too large");
        assert!(refusal.contains("memory") || refusal.contains("window"), "{refusal}");
    }

    #[test]
    fn truncated_streams_are_refused() {
        for packing in [Packing::Gzip, Packing::Xz, Packing::Zstd, Packing::Bzip2] {
            let packed = pack(&[b'x'; 1_000], packing);
            assert!(unpack(&packed[..packed.len() / 2], &Limits::default()).is_err(), "{packing:?}");
        }
    }
}
