//! The compression of a tar.

use std::{
    fs::File,
    io::{self, BufReader, Read},
};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

/// The base-two logarithm of the largest zstd window: 128 MiB, the default of `zstd` itself.
const ZSTD_WINDOW_LOG: u32 = 27;

/// The memory limit of the xz decoder: a window of 128 MiB, twice that of `xz -9`, and its own tables.
const XZ_MEMORY_KIB: u32 = (128 + 1) * 1024;

/// The compression of a tar stream.
#[derive(Clone, Copy)]
pub(super) enum Compression {
    None,
    Gzip,
    Xz,
    Zstd,
}

impl Compression {
    /// Detects the compression by the first bytes; `None` for uncompressed content.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Compression::Xz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            // Skippable frames, which parallel compressors begin with.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Compression::Zstd),
            _ => None,
        }
    }

    /// Returns the uncompressed stream. Every decoder continues after the end of a member, because files of these kinds
    /// may be concatenated.
    pub(super) fn reader(self, file: File) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Compression::None => Box::new(BufReader::new(file)),
            Compression::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(file))),
            Compression::Xz => Box::new(XzReader::new_mem_limit(BufReader::new(file), true, XZ_MEMORY_KIB)),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::new(file)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Box::new(decoder)
            }
        })
    }
}
