//! A blob for tests of other crates. Its bytes look random and are the same in each run.

use std::ops::Range;

use bytes::Bytes;
use tempfile::TempDir;

use crate::{Blobs, Checksums, Location, MappedBlob, ReceiveOptions};

/// A blob in a folder of its own.
pub struct SampleBlob {
    /// The store of the blob.
    pub blobs: Blobs,
    /// Its size and digests.
    pub sums: Checksums,
    /// Its bytes.
    pub content: Vec<u8>,
    _folder: TempDir,
}

impl SampleBlob {
    /// Stores a blob of this size.
    pub async fn store(size: usize) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let blobs = Blobs::open(Location::Folder(folder.path().to_owned()), 1).await.expect("the store opens");
        let content = bytes(size);
        let body = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from(content.clone()))]);
        let options = ReceiveOptions { md5: true, ..ReceiveOptions::PLAIN };
        let pending = blobs.receive(body, options).await.expect("the body is received");
        let sums = pending.commit().await.expect("the blob is committed");
        Self { blobs, sums, content, _folder: folder }
    }

    /// Maps the blob; a small one is read into memory.
    pub async fn mapped(&self) -> MappedBlob {
        self.blobs.map(self.sums.sha256).await.expect("the store works").expect("the blob is there")
    }

    /// Truncates the blob's file, which must never happen in production.
    pub fn truncate(&self, size: u64) {
        let path = self.blobs.folder_path(self.sums.sha256).expect("a folder");
        std::fs::File::options().write(true).open(path).and_then(|file| file.set_len(size)).expect("writable");
    }

    /// Returns this many ranges of the blob, large and small, in no order.
    pub fn parts(&self, count: usize) -> Vec<Range<usize>> {
        let size = self.content.len();
        let position = |number: u64| usize::try_from(number % (size as u64 + 1)).expect("the content is in memory");
        let part = |pair: &[u64]| {
            let start = position(pair[0]);
            // Every fourth part is short.
            let length = if pair[1].is_multiple_of(4) { position(pair[1] % 10_000) } else { position(pair[1]) };
            start..size.min(start + length)
        };
        numbers().take(2 * count).collect::<Vec<u64>>().chunks_exact(2).map(part).collect()
    }
}

/// Returns how much of the mapping that begins with these bytes is in this process's memory.
#[cfg(target_os = "linux")]
pub fn resident(mapping: &[u8]) -> String {
    let maps = std::fs::read_to_string("/proc/self/smaps").expect("a process has maps");
    let entry = maps.split_once(&format!("{:x}-", mapping.as_ptr().addr())).expect("the mapping is listed").1;
    let line = entry.lines().find_map(|line| line.strip_prefix("Rss:")).expect("each has a size");
    line.trim().to_owned()
}

fn bytes(size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    for (place, number) in bytes.chunks_mut(8).zip(numbers()) {
        place.copy_from_slice(&number.to_le_bytes()[..place.len()]);
    }
    bytes
}

/// The xorshift generator.
fn numbers() -> impl Iterator<Item = u64> {
    let next = |state: &u64| {
        let state = state ^ (state << 13);
        let state = state ^ (state >> 7);
        Some(state ^ (state << 17))
    };
    std::iter::successors(Some(0x9e37_79b9_7f4a_7c15), next)
}
