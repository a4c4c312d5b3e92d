//! The source of a file's bytes.

use std::ops::Range;

use axum::http::Version;
use blobs::{Blobs, Error, MappedBlob};
use bytes::Bytes;
use edge::Client;
use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use model::digest::Digest;

use super::multipart::Section;

/// The source of a file's bytes.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// The bytes are in memory.
    Memory(Bytes),
    /// The bytes are a file in the store's folder.
    Mapped(MappedBlob),
    /// The store streams the blob with the file's SHA-256.
    Stream(Blobs),
}

/// How bytes reach the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SendMethod {
    /// The kernel copies a file to the socket; this process never reads the bytes.
    Copied,
    /// This process reads the bytes, to encrypt or frame them. It must not read a mapped file in place: if the file
    /// were truncated, the read would kill the process.
    Read,
}

impl SendMethod {
    /// How a response to a request of this HTTP version is sent.
    pub(crate) fn of(client: &Client, version: Version) -> Self {
        if !client.is_tls && version < Version::HTTP_2 { Self::Copied } else { Self::Read }
    }
}

/// The blob that holds a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blob {
    pub(crate) digest: Digest,
    pub(crate) size: u64,
}

/// A stream of bytes.
pub(crate) type Chunks = BoxStream<'static, Result<Bytes, Error>>;

/// Files up to this size are read into memory from a store that has no folder.
const SMALL_BYTES: i64 = 64 << 10;

impl Source {
    /// Finds the best source for stored content.
    pub(crate) async fn find(blobs: &Blobs, blob: &model::blob::Blob) -> Result<Self, Error> {
        if let Some(mapped) = blobs.map(blob.sha256).await? {
            return Ok(Self::Mapped(mapped));
        }
        if blob.size > SMALL_BYTES {
            return Ok(Self::Stream(blobs.clone()));
        }
        Ok(Self::Memory(blobs.read_small(blob.sha256, SMALL_BYTES.unsigned_abs()).await?))
    }

    /// Opens the bytes of a body. A blob that is missing or has the wrong size fails here, not during the transfer.
    pub(crate) async fn open(self, blob: Blob, sections: Vec<Section>, way: SendMethod) -> Result<Chunks, Error> {
        match self {
            Self::Memory(bytes) => {
                blob.check_size(bytes.len() as u64)?;
                Ok(at_hand(sections, |part| slice(&bytes, part)))
            }
            Self::Mapped(mapped) => {
                blob.check_size(mapped.size())?;
                if way == SendMethod::Copied || !mapped.is_mapping() {
                    Ok(at_hand(sections, |part| mapped.bytes(part)))
                } else {
                    Ok(read(&mapped, sections))
                }
            }
            Self::Stream(blobs) => stored(blobs, blob, sections).await,
        }
    }
}

impl Source {
    /// The whole file, if its bytes can be sent this way without reading from the store.
    pub(crate) fn whole(&self, size: u64, way: SendMethod) -> Option<Bytes> {
        match self {
            Self::Memory(bytes) => slice(bytes, 0..size),
            Self::Mapped(mapped) if way == SendMethod::Read && mapped.is_mapping() => None,
            Self::Mapped(mapped) => mapped.bytes(0..size),
            Self::Stream(_) => None,
        }
    }
}

fn at_hand(sections: Vec<Section>, take: impl Fn(Range<u64>) -> Option<Bytes>) -> Chunks {
    let chunk = |section| match section {
        Section::Text(text) => text,
        Section::File(part) => take(part).expect("the parts of a file lie within its size"),
    };
    let chunks: Vec<_> = sections.into_iter().map(|section| Ok(chunk(section))).collect();
    stream::iter(chunks).boxed()
}

/// Reads the sections of a mapped file into memory, each when it is needed.
fn read(mapped: &MappedBlob, sections: Vec<Section>) -> Chunks {
    let mapped = mapped.clone();
    let chunks = stream::iter(sections).map(move |section| match section {
        Section::Text(text) => stream::iter([Ok(text)]).boxed(),
        Section::File(part) => mapped.stream(part).expect("the parts of a file lie within its size"),
    });
    chunks.flatten().boxed()
}

fn slice(bytes: &Bytes, part: Range<u64>) -> Option<Bytes> {
    let part = usize::try_from(part.start).ok()?..usize::try_from(part.end).ok()?;
    bytes.get(part).map(|part| bytes.slice_ref(part))
}

/// Opens the first section now, and the others when they are needed.
async fn stored(blobs: Blobs, blob: Blob, sections: Vec<Section>) -> Result<Chunks, Error> {
    let first = sections.iter().find_map(Section::file).unwrap_or(0..0);
    let mut opened = Some(blob.read(&blobs, first).await?);
    let chunks = stream::iter(sections).then(move |section| {
        let opened = section.file().and_then(|_| opened.take());
        let blobs = blobs.clone();
        async move {
            match (section, opened) {
                (Section::Text(text), _) => Ok(stream::iter([Ok(text)]).boxed()),
                (Section::File(_), Some(chunks)) => Ok(chunks),
                (Section::File(part), None) => blob.read(&blobs, part).await,
            }
        }
    });
    Ok(chunks.try_flatten().boxed())
}

impl Blob {
    async fn read(self, blobs: &Blobs, part: Range<u64>) -> Result<Chunks, Error> {
        let part = (part != (0..self.size)).then_some(part);
        let content = blobs.read(self.digest, part).await?.ok_or_else(|| self.is_wrong("it is missing".to_owned()))?;
        self.check_size(content.size)?;
        Ok(content.stream)
    }

    /// Checks the size. A blob whose size differs from its row is damaged, and no part of it is sent.
    fn check_size(self, found: u64) -> Result<(), Error> {
        if found == self.size {
            return Ok(());
        }
        Err(self.is_wrong(format!("it has {found} bytes and not {}", self.size)))
    }

    fn is_wrong(self, what: String) -> Error {
        Error::Damaged { digest: self.digest, reason: what }
    }
}
