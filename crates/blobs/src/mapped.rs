//! A whole blob for repeated reads: in memory if it is small, else as a mapping of its file.
//!
//! A mapping can be sent without being read: [`locate`] returns the file and the offset of mapped bytes, so that a
//! connection can let the kernel copy the file instead.

use std::{
    collections::BTreeMap,
    fmt,
    fs::File,
    io,
    ops::Range,
    os::unix::fs::FileExt,
    sync::{Arc, PoisonError, RwLock},
};

use bytes::Bytes;
use futures_util::{
    Stream, StreamExt,
    stream::{self, BoxStream},
};
use memmap2::Mmap;
use tokio::task::JoinHandle;

use crate::error::{BoxError, Error};

/// Bytes of a file read in one blocking task; a reader holds at most two pieces.
const PIECE_BYTES: u64 = 512 << 10;

/// A whole blob, in memory or mapped; clones share it.
///
/// Bytes taken from it stay valid and unchanged, even if the blob is deleted in the meantime.
#[derive(Clone)]
pub struct MappedBlob(Bytes);

/// A range of a file.
#[derive(Clone, Debug)]
pub struct MappedRange {
    /// The file, open for reading.
    pub file: Arc<File>,
    /// The offset at which the range begins.
    pub offset: u64,
}

/// Returns the range of the file that these bytes are mapped from; `None` for other bytes.
pub fn locate(bytes: &[u8]) -> Option<MappedRange> {
    let address = bytes.as_ptr().addr();
    let live = LIVE.read().unwrap_or_else(PoisonError::into_inner);
    let (start, mapping) = live.range(..=address).next_back()?;
    let offset = address - start;
    let is_inside = !bytes.is_empty() && offset.checked_add(bytes.len()).is_some_and(|end| end <= mapping.size);
    is_inside.then(|| MappedRange { file: Arc::clone(&mapping.file), offset: offset as u64 })
}

impl MappedBlob {
    /// Creates it from bytes in memory.
    pub(crate) fn from_memory(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// Maps a file, which must not be empty and is never changed.
    pub fn from_file(file: File) -> io::Result<Self> {
        let memory = map(&file)?;
        let live = Live { size: memory.len(), file: Arc::new(file) };
        LIVE.write().unwrap_or_else(PoisonError::into_inner).insert(memory.as_ptr().addr(), live);
        Ok(Self(Bytes::from_owner(Mapping(memory))))
    }

    /// The blob's size in bytes.
    pub fn size(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns a range of the blob without copying it; `None` if it does not lie within the blob.
    ///
    /// Only the kernel may copy the bytes of a mapping. Reading them in this process kills it if the file has become
    /// shorter; to read bytes, use [`MappedBlob::stream`].
    pub fn bytes(&self, range: Range<u64>) -> Option<Bytes> {
        let (start, end) = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
        (start <= end && end <= self.0.len()).then(|| self.0.slice(start..end))
    }

    /// Reads a range of the blob in pieces, each copied from the file to separate memory; `None` if the range does not
    /// lie within the blob. A file that has become shorter is an error.
    pub fn stream(&self, range: Range<u64>) -> Option<BoxStream<'static, Result<Bytes, Error>>> {
        let bytes = self.bytes(range)?;
        let Some(part) = locate(&bytes) else { return Some(stream::iter([Ok(bytes)]).boxed()) };
        let end = part.offset + bytes.len() as u64;
        // The mapping stays in the table while the file is read.
        Some(part.read_to(end).inspect(move |_| _ = &bytes).boxed())
    }

    /// Returns whether the blob is a mapping, which needs an open file but no memory.
    pub fn is_mapping(&self) -> bool {
        locate(&self.0).is_some()
    }
}

impl MappedRange {
    /// Reads the file's bytes from here to an offset, one piece ahead of the consumer.
    fn read_to(self, end: u64) -> impl Stream<Item = Result<Bytes, Error>> {
        let ahead = self.read_piece(end);
        stream::try_unfold(ahead, move |ahead| async move {
            let Some(ahead) = ahead else { return Ok(None) };
            let broken = |source: BoxError| Error::Broken { doing: "reading a blob".to_owned(), source };
            let (bytes, rest) =
                ahead.await.map_err(|error| broken(error.into()))?.map_err(|error| broken(error.into()))?;
            Ok(Some((bytes, rest.read_piece(end))))
        })
    }

    fn read_piece(self, end: u64) -> Option<JoinHandle<io::Result<(Bytes, Self)>>> {
        let size = usize::try_from((end - self.offset).min(PIECE_BYTES)).ok().filter(|size| *size > 0)?;
        Some(tokio::task::spawn_blocking(move || {
            let mut bytes = vec![0; size];
            self.file.read_exact_at(&mut bytes, self.offset)?;
            Ok((bytes.into(), Self { offset: self.offset + size as u64, ..self }))
        }))
    }
}

impl fmt::Debug for MappedBlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedBlob").field("size", &self.size()).finish_non_exhaustive()
    }
}

/// The live mappings, by start address.
static LIVE: RwLock<BTreeMap<usize, Live>> = RwLock::new(BTreeMap::new());

struct Live {
    size: usize,
    file: Arc<File>,
}

/// The mapping of a file. It is in the table while it lives.
struct Mapping(Mmap);

impl AsRef<[u8]> for Mapping {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Mapping {
    /// Leaves the table before the memory is unmapped: after that, another mapping may get the same address.
    fn drop(&mut self) {
        LIVE.write().unwrap_or_else(PoisonError::into_inner).remove(&self.0.as_ptr().addr());
    }
}

/// Maps a file. The compiler cannot verify that this is sound.
///
/// A mapping is sound while the file is not written, and reading it raises SIGBUS if the file has become shorter.
/// Neither happens to a blob: it gets its name only after it is complete and synced, nothing opens it for writing after
/// that, a damaged one is replaced by renaming a new file over its name, and the collector unlinks it; in the last two
/// cases the old file lives on until the mapping is gone.
///
/// An operator who truncates or edits a blob's file in place breaks this, and so does a disk that cannot read a page.
/// Therefore nothing in this process reads a mapping: connections let the kernel copy the file, and end at its new end;
/// code that needs the bytes themselves, such as TLS, reads the file ([`MappedBlob::stream`]).
///
/// A file in memory (`memory_file`) is sealed: nobody can write to it or shorten it, so its mapping may also be read.
#[expect(unsafe_code, reason = "files of committed blobs and sealed files are never written to or truncated")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the file is that of a committed blob or sealed, so it does not change while it is mapped; see above.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use futures_util::TryStreamExt;

    use super::*;

    fn mapped(content: &[u8]) -> MappedBlob {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        MappedBlob::from_file(file).unwrap()
    }

    #[test]
    fn bytes_of_a_mapping_are_found_in_its_file() {
        let (first, second) = (mapped(&[1; 10_000]), mapped(&[2; 10_000]));
        let part = locate(&second.bytes(5_000..5_010).unwrap()).unwrap();
        assert_eq!(part.offset, 5_000);
        let expected = locate(&second.bytes(0..10_000).unwrap()).unwrap();
        assert!(Arc::ptr_eq(&part.file, &expected.file));
        let other = locate(&first.bytes(9_999..10_000).unwrap()).unwrap();
        assert_eq!(other.offset, 9_999);
        assert!(!Arc::ptr_eq(&part.file, &other.file));
    }

    #[test]
    fn bytes_from_elsewhere_are_in_no_file() {
        let mapped = mapped(&[1; 10_000]);
        assert!(locate(b"static").is_none());
        assert!(locate(&vec![0; 10_000]).is_none());
        assert!(locate(&mapped.bytes(3..3).unwrap()).is_none());
        assert!(locate(&[]).is_none());
        assert!(!MappedBlob::from_memory(Bytes::from_static(b"small")).is_mapping());
    }

    #[test]
    fn the_last_bytes_taken_close_the_file() {
        let mapped = mapped(&[7; 10_000]);
        let file = Arc::downgrade(&locate(&mapped.bytes(0..1).unwrap()).unwrap().file);
        let last = mapped.bytes(9_000..10_000).unwrap();
        drop(mapped);
        assert!(file.upgrade().is_some(), "bytes are left");
        assert_eq!(last, [7; 1_000].as_slice());
        drop(last);
        assert!(file.upgrade().is_none(), "no bytes are left");
    }

    #[tokio::test]
    async fn a_file_that_becomes_shorter_is_an_error_for_those_who_read_it() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![5; 3 << 20]).unwrap();
        let shorter = file.try_clone().unwrap();
        let mapped = MappedBlob::from_file(file).unwrap();
        let pieces: Vec<Bytes> = mapped.stream(1..3 << 20).unwrap().try_collect().await.unwrap();
        assert_eq!(pieces.iter().map(Bytes::len).sum::<usize>(), (3 << 20) - 1);
        shorter.set_len(1 << 20).unwrap();
        let read: Result<Vec<Bytes>, Error> = mapped.stream(0..3 << 20).unwrap().try_collect().await;
        assert!(matches!(read, Err(Error::Broken { .. })), "{read:?}");
        assert!(mapped.stream(0..(3 << 20) + 1).is_none());
    }

    #[test]
    fn parts_beyond_the_end_are_none() {
        let mapped = mapped(&[1; 10]);
        assert_eq!(mapped.bytes(0..10).unwrap().len(), 10);
        assert!(mapped.bytes(0..11).is_none());
        assert!(mapped.bytes(11..11).is_none());
        assert!(mapped.bytes(Range { start: 5, end: 4 }).is_none());
        assert!(mapped.bytes(0..u64::MAX).is_none());
    }

    #[test]
    fn an_unlinked_file_stays_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("blob");
        fs::write(&path, [9; 10_000]).unwrap();
        let mapped = MappedBlob::from_file(File::open(&path).unwrap()).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(mapped.bytes(0..10_000).unwrap(), [9; 10_000].as_slice());
    }
}
