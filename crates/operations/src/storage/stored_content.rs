//! Stored content that is read at any position, on a blocking thread and with a time limit.
//!
//! Small reads are served from a few blocks in memory. Reads in sequence fetch longer and longer blocks; reads elsewhere
//! start with a short one. So a directory at the end of an archive costs one request to an object store.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    os::unix::fs::FileExt,
    time::Duration,
};

use blobs::Blobs;
use futures_util::TryStreamExt;
use model::{blob::Blob, digest::Digest};
use tokio::{runtime::Handle, time::Instant};

use crate::{
    Error, Result,
    format::{Content, Inspected},
    storage::inspect::{LIMIT, too_slow},
};

/// The size of a block that is read first at some place; a multiple of it is read in sequence.
const BLOCK_BYTES: u64 = 256 << 10;

/// The size of the longest block.
const LONGEST_BYTES: u64 = 1 << 20;

/// The number of blocks in memory.
const BLOCKS: usize = 4;

/// Content of a blob. It remembers the first failure of its store, which a format cannot tell from a damaged file.
pub(super) struct StoredContent {
    source: Source,
    digest: Digest,
    size: u64,
    position: u64,
    blocks: VecDeque<Block>,
    /// Where the last block ended, and how long it was.
    last: (u64, u64),
    deadline: Instant,
    /// The time that the store has taken.
    waited: Duration,
    failure: Option<Error>,
}

enum Source {
    File(File),
    Store(Blobs, Handle),
}

struct Block {
    start: u64,
    bytes: Vec<u8>,
}

impl StoredContent {
    /// Opens the content of a blob. The time limit begins now.
    pub(super) async fn open(store: Blobs, blob: &Blob) -> Result<Self> {
        let source = match store.open_file(blob.sha256).await? {
            Some(file) => Source::File(file),
            None if store.folder().is_some() => return Err(Error::damaged(blob.sha256)),
            None => Source::Store(store, Handle::current()),
        };
        Ok(Self::new(source, blob.sha256, u64::try_from(blob.size).unwrap_or_default()))
    }

    fn new(source: Source, digest: Digest, size: u64) -> Self {
        Self {
            source,
            digest,
            size,
            position: 0,
            blocks: VecDeque::new(),
            last: (u64::MAX, 0),
            deadline: Instant::now() + LIMIT,
            waited: Duration::ZERO,
            failure: None,
        }
    }

    /// Returns what a format has found. A failure of the store is not the file's fault, whatever the format says.
    pub(super) fn outcome(self, found: std::result::Result<Inspected, String>) -> Result<Inspected> {
        match self.failure {
            Some(failure) => Err(failure),
            None => found.map_err(|reason| Error::invalid("content", reason)),
        }
    }

    /// Returns the bytes from the position to the end of their block; none at the end.
    fn here(&mut self) -> Result<&[u8]> {
        if self.position >= self.size {
            return Ok(&[]);
        }
        if Instant::now() >= self.deadline {
            return Err(self.late());
        }
        let at = self.position;
        let known =
            self.blocks.iter().position(|block| block.start <= at && at - block.start < block.bytes.len() as u64);
        let index = match known {
            Some(index) => index,
            None => {
                let block = self.fetch(at)?;
                self.blocks.truncate(BLOCKS - 1);
                self.blocks.push_front(block);
                0
            }
        };
        let block = &self.blocks[index];
        let offset = usize::try_from(at - block.start).expect("a block fits into memory");
        Ok(&block.bytes[offset..])
    }

    fn fetch(&mut self, at: u64) -> Result<Block> {
        let (end, length) = self.last;
        let is_next = at == end;
        let start = if is_next { at } else { at - at % BLOCK_BYTES };
        let length = if is_next { (length * 2).min(LONGEST_BYTES) } else { BLOCK_BYTES };
        let length = length.min(self.size - start);
        let began = Instant::now();
        let bytes = match &self.source {
            Source::File(file) => read_file(file, start, length, self.digest),
            Source::Store(store, runtime) => {
                let read = read_store(store, self.digest, start, length);
                let read = async { tokio::time::timeout_at(self.deadline, read).await };
                let slow = |_| Error::Unavailable("the content store answers too slowly".into());
                runtime.block_on(read).map_err(slow).flatten()
            }
        }?;
        self.waited += began.elapsed();
        self.last = (start + length, length);
        Ok(Block { start, bytes })
    }

    /// The error after the deadline: either the store is slow, or the content is meant to take long.
    fn late(&self) -> Error {
        if self.waited > LIMIT / 2 {
            return Error::Unavailable("the content store answers too slowly".into());
        }
        too_slow()
    }
}

fn read_file(file: &File, start: u64, length: u64, digest: Digest) -> Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).expect("a block fits into memory")];
    match file.read_exact_at(&mut bytes, start) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Error::damaged(digest)),
        Err(error) => Err(Error::Internal(format!("reading blob `{digest}` failed: {error}"))),
    }
}

async fn read_store(store: &Blobs, digest: Digest, start: u64, length: u64) -> Result<Vec<u8>> {
    let content = store.read(digest, Some(start..start + length)).await;
    let content = match content {
        // The object is shorter than its row says.
        Err(blobs::Error::Range { .. }) | Ok(None) => return Err(Error::damaged(digest)),
        Ok(Some(content)) => content,
        Err(error) => return Err(error.into()),
    };
    let bytes = content.stream.try_fold(Vec::new(), async |mut all, piece| {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let bytes = bytes.await?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(Error::damaged(digest)) }
}

impl Read for StoredContent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let failure = match self.here() {
            Ok(bytes) => {
                let length = bytes.len().min(buffer.len());
                buffer[..length].copy_from_slice(&bytes[..length]);
                self.position += length as u64;
                return Ok(length);
            }
            Err(failure) => failure,
        };
        let told = io::Error::other(failure.to_string());
        self.failure.get_or_insert(failure);
        Err(told)
    }
}

impl Seek for StoredContent {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.size.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}

impl Content for StoredContent {
    fn size(&self) -> u64 {
        self.size
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    const DIGEST: Digest = Digest::from_bytes([7; 32]);

    fn stored(bytes: &[u8], size: u64) -> StoredContent {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        StoredContent::new(Source::File(file), DIGEST, size)
    }

    fn sample(length: usize) -> Vec<u8> {
        (0..=250u8).cycle().take(length).collect()
    }

    fn on_runtime<T>(work: impl FnOnce() -> T) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let _entered = runtime.enter();
        work()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_read_at_any_place_returns_those_bytes(reads in prop::collection::vec((0u64..3 << 20, 1usize..400_000), 1..20)) {
            on_runtime(|| {
                let bytes = sample((2 << 20) + 77);
                let mut content = stored(&bytes, bytes.len() as u64);
                for (at, length) in reads {
                    content.seek(SeekFrom::Start(at)).expect("a place");
                    let mut read = Vec::new();
                    content.by_ref().take(length as u64).read_to_end(&mut read).expect("read");
                    let from = usize::try_from(at).expect("small").min(bytes.len());
                    assert_eq!(read, bytes[from..(from + length).min(bytes.len())]);
                    assert!(content.blocks.len() <= BLOCKS);
                }
            });
        }
    }

    #[test]
    fn places_count_from_the_start_the_end_and_here() {
        on_runtime(|| {
            let mut content = stored(b"abcdef", 6);
            assert_eq!(content.seek(SeekFrom::End(-2)).expect("a place"), 4);
            let mut last = String::new();
            content.read_to_string(&mut last).expect("read");
            assert_eq!((last.as_str(), content.seek(SeekFrom::Current(-6)).expect("a place")), ("ef", 0));
            assert!(content.seek(SeekFrom::Current(-1)).is_err());
        });
    }

    #[test]
    fn a_file_that_lost_bytes_is_damaged_whatever_the_format_says() {
        on_runtime(|| {
            let mut content = stored(b"abc", 10);
            assert!(content.read(&mut [0; 4]).is_err());
            assert!(matches!(content.outcome(Ok(Inspected::default())), Err(Error::Damaged(_))));
        });
    }

    #[test]
    fn reads_fail_after_the_deadline() {
        on_runtime(|| {
            let mut content = stored(b"abc", 3);
            content.deadline = Instant::now();
            assert!(content.read(&mut [0; 1]).is_err());
            assert!(matches!(content.outcome(Err("odd".into())), Err(Error::Invalid { field: "content", .. })));
        });
    }
}
