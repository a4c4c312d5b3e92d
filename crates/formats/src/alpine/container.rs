//! The gzip members of an .apk: signature, control and data, one after the other.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::readers::{
    Content, Limits,
    unpack::{self, Packed, STREAMED_BYTES},
};

/// The maximum size of the unpacked signature and control members.
const CONTROL_BYTES: u64 = 4 * 1024 * 1024;

/// The parts of an .apk that matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Container {
    /// Whether it has a signature. It is not verified here.
    pub(super) is_signed: bool,
    /// The unpacked control member, a tar without an end mark.
    pub(super) control: Vec<u8>,
    /// The SHA-1 of the compressed control member.
    pub(super) control_sha1: [u8; 20],
    /// The SHA-256 of the compressed data member.
    pub(super) data_sha256: [u8; 32],
}

/// Reads all members of an .apk.
pub(super) fn read(content: &mut dyn Content, limits: &Limits) -> Result<Container, String> {
    let limits = Limits { bytes: STREAMED_BYTES, ..limits.clone() };
    let mut packed = Hashed { inner: unpack::open(content, &limits)?, sha1: Sha1::new(), sha256: Sha256::new() };
    let mut first = packed.small_member("first")?;
    let is_signed = first.starts_with(b".SIGN.");
    if is_signed {
        first = packed.small_member("control")?;
    }
    let control_sha1 = packed.sha1.finalize_reset().into();
    packed.sha256.reset();
    packed.data()?;
    let data_sha256 = packed.sha256.finalize_reset().into();
    if !packed.is_at_end()? {
        return Err("it has more than a signature, a control and a data member".to_owned());
    }
    Ok(Container { is_signed, control: first, control_sha1, data_sha256 })
}

/// A stream that hashes the bytes that are consumed.
struct Hashed<'a> {
    inner: Packed<'a>,
    sha1: Sha1,
    sha256: Sha256,
}

impl Hashed<'_> {
    fn is_at_end(&mut self) -> Result<bool, String> {
        Ok(self.fill_buf().map_err(damaged)?.is_empty())
    }

    /// Unpacks a member that must be small.
    fn small_member(&mut self, name: &str) -> Result<Vec<u8>, String> {
        self.sha1.reset();
        if !self.fill_buf().map_err(damaged)?.starts_with(&[0x1f, 0x8b]) {
            return Err(format!("it is not an Alpine package: its {name} member is missing"));
        }
        let mut bytes = Vec::new();
        GzDecoder::new(self).take(CONTROL_BYTES + 1).read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() as u64 > CONTROL_BYTES {
            return Err(format!("its {name} member unpacks to more than {CONTROL_BYTES} bytes"));
        }
        Ok(bytes)
    }

    /// Passes through the data member, to find its end.
    fn data(&mut self) -> Result<(), String> {
        if !self.fill_buf().map_err(damaged)?.starts_with(&[0x1f, 0x8b]) {
            return Err("it is not an Alpine package: its data member is missing".to_owned());
        }
        let read = io::copy(&mut GzDecoder::new(self).take(STREAMED_BYTES + 1), &mut io::sink()).map_err(damaged)?;
        if read > STREAMED_BYTES {
            return Err(format!("its data member unpacks to more than {STREAMED_BYTES} bytes"));
        }
        Ok(())
    }
}

fn damaged(error: io::Error) -> String {
    format!("it is damaged: {error}")
}

impl Read for Hashed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let length = available.len().min(buffer.len());
        buffer[..length].copy_from_slice(&available[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Hashed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        let consumed = &self.inner.buffer()[..length];
        self.sha1.update(consumed);
        self.sha256.update(consumed);
        self.inner.consume(length);
    }
}
