//! A release as a single ZIP file, which is streamed and never stored as a whole. Its size is known before it is sent.
//!
//! Entries are stored, not compressed, and preceded by their checksum: readers of a stream need it there, and jars
//! would not get smaller.

use blobs::{Blobs, Error};
use bytes::Bytes;
use flate2::Crc;
use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use model::digest::Digest;

use crate::{House, Result, public_sync::release::Release};

/// The maximum size of a ZIP file without the ZIP64 extension. No registry accepts files this large.
const LARGEST: u64 = u32::MAX as u64;

/// 1 January 1980, the earliest date in the format.
const FIRST_DAY: u16 = 0x21;

/// The flag for names in UTF-8.
const UTF8: u16 = 1 << 11;

/// A ZIP file to send.
#[derive(Debug)]
pub(super) struct Bundle {
    /// The size in bytes.
    pub(super) size: u64,
    pieces: Vec<Piece>,
}

/// A piece of the file: literal bytes, or a blob.
#[derive(Debug)]
enum Piece {
    Bytes(Vec<u8>),
    Blob(Digest, u64),
}

/// A file in the bundle.
struct Entry {
    name: String,
    crc: u32,
    content: Piece,
}

impl Bundle {
    /// Builds the bundle of a release; `None` if it is too large.
    pub(super) async fn of(house: &House, release: &Release) -> Result<Option<Self>> {
        let mut entries = Vec::new();
        for file in &release.files {
            let (digest, size) = (file.blob.sha256, file.blob.size.unsigned_abs());
            let crc = checksum(&house.blobs, digest).await?;
            entries.push(Entry { name: file.path.to_string(), crc, content: Piece::Blob(digest, size) });
            for (ending, sum) in &file.sums {
                entries.push(Entry::small(format!("{}.{ending}", file.path), sum));
            }
        }
        Ok(Self::new(entries))
    }

    fn new(entries: Vec<Entry>) -> Option<Self> {
        let count = u16::try_from(entries.len()).ok()?;
        let (mut pieces, mut directory, mut size) = (Vec::new(), Vec::new(), 0);
        for entry in entries {
            let offset = u32::try_from(size).ok()?;
            let length = u32::try_from(entry.content.size()).ok()?;
            let head = head(&entry, length)?;
            directory.extend_from_slice(&[&b"PK\x01\x02"[..], &20_u16.to_le_bytes()].concat());
            directory.extend_from_slice(&head);
            // No comment, first disk, no attributes.
            directory.extend_from_slice(&[0; 10]);
            directory.extend_from_slice(&offset.to_le_bytes());
            directory.extend_from_slice(entry.name.as_bytes());
            let local = [&b"PK\x03\x04"[..], &head, entry.name.as_bytes()].concat();
            size += local.len() as u64 + u64::from(length);
            pieces.extend([Piece::Bytes(local), entry.content]);
        }
        let (offset, length) = (u32::try_from(size).ok()?, u32::try_from(directory.len()).ok()?);
        directory.extend_from_slice(&[&b"PK\x05\x06\0\0\0\0"[..], &count.to_le_bytes(), &count.to_le_bytes()].concat());
        directory.extend_from_slice(&[&length.to_le_bytes()[..], &offset.to_le_bytes(), &[0; 2]].concat());
        size += directory.len() as u64;
        pieces.push(Piece::Bytes(directory));
        (size <= LARGEST).then_some(Self { size, pieces })
    }

    /// Streams the bytes. Each blob is opened when it is reached.
    pub(super) fn stream(self, blobs: Blobs) -> BoxStream<'static, std::result::Result<Bytes, Error>> {
        let opened = stream::iter(self.pieces).then(move |piece| {
            let blobs = blobs.clone();
            async move {
                match piece {
                    Piece::Bytes(bytes) => Ok(stream::iter([Ok(Bytes::from(bytes))]).boxed()),
                    Piece::Blob(digest, _) => open(&blobs, digest).await,
                }
            }
        });
        opened.try_flatten().boxed()
    }
}

impl Entry {
    fn small(name: String, text: &str) -> Self {
        let mut crc = Crc::new();
        crc.update(text.as_bytes());
        Self { name, crc: crc.sum(), content: Piece::Bytes(text.as_bytes().to_vec()) }
    }
}

impl Piece {
    fn size(&self) -> u64 {
        match self {
            Piece::Bytes(bytes) => bytes.len() as u64,
            Piece::Blob(_, size) => *size,
        }
    }
}

/// The header fields that an entry has in both places: in front of its content and in the directory.
fn head(entry: &Entry, length: u32) -> Option<Vec<u8>> {
    let name = u16::try_from(entry.name.len()).ok()?;
    let mut head = Vec::new();
    // Version needed, flags, stored, time, day.
    for number in [20, UTF8, 0, 0, FIRST_DAY] {
        head.extend_from_slice(&number.to_le_bytes());
    }
    for number in [entry.crc, length, length] {
        head.extend_from_slice(&number.to_le_bytes());
    }
    head.extend_from_slice(&name.to_le_bytes());
    head.extend_from_slice(&[0; 2]);
    Some(head)
}

async fn checksum(blobs: &Blobs, digest: Digest) -> Result<u32> {
    let stream = open(blobs, digest).await?;
    let crc = stream.try_fold(Crc::new(), async |mut crc, piece| {
        crc.update(&piece);
        Ok(crc)
    });
    Ok(crc.await?.sum())
}

/// Opens the content of a blob.
pub(super) async fn open(
    blobs: &Blobs,
    digest: Digest,
) -> std::result::Result<BoxStream<'static, std::result::Result<Bytes, Error>>, Error> {
    let missing = || Error::Broken { doing: format!("opening blob `{digest}`"), source: "it is missing".into() };
    Ok(blobs.read(digest, None).await?.ok_or_else(missing)?.stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_readers_understand_it() {
        let names = ["org/x/a.jar", "org/x/a.jar.sha1", "ü"];
        let bundle =
            Bundle::new(names.map(|name| Entry::small(name.to_owned(), &name.repeat(3))).into()).expect("small");
        let bytes: Vec<u8> = bundle
            .pieces
            .iter()
            .flat_map(|piece| match piece {
                Piece::Bytes(bytes) => bytes.clone(),
                Piece::Blob(..) => Vec::new(),
            })
            .collect();
        assert_eq!(bytes.len() as u64, bundle.size);
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a ZIP file");
        assert_eq!(archive.len(), 3);
        for (index, name) in names.into_iter().enumerate() {
            let mut file = archive.by_index(index).expect("an entry");
            assert_eq!(file.name().expect("a name"), name);
            assert_eq!(std::io::read_to_string(&mut file).expect("its checksum is right"), name.repeat(3));
        }
    }

    #[test]
    fn what_does_not_fit_is_no_bundle() {
        let large = || Entry {
            name: "a".to_owned(),
            crc: 0,
            content: Piece::Blob(Digest::from_bytes([0; 32]), u64::from(u32::MAX) / 2),
        };
        assert!(Bundle::new(vec![large()]).is_some());
        assert!(Bundle::new(vec![large(), large(), large()]).is_none());
        let many = || (0..70_000).map(|number| Entry::small(number.to_string(), "")).collect();
        assert!(Bundle::new(many()).is_none());
    }
}
