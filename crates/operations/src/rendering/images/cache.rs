//! Images in a folder of this machine, up to a total size. Each node has its own.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

use bytes::Bytes;
use futures_util::{Stream, stream};
use model::timestamp::Timestamp;

use super::{ImageKind, ImageRules};
use crate::{Error, Result, blocking};

/// The bytes before an image: the number of its kind, and the time when it was fetched.
const HEAD_BYTES: usize = 9;

/// The size that a small file takes on the disk.
const BLOCK_BYTES: u64 = 4096;

/// The number of bytes in memory for each request that receives an image.
const PIECE_BYTES: usize = 64 << 10;

/// An image in the cache.
#[derive(Debug)]
pub struct CachedImage {
    /// The kind.
    pub kind: ImageKind,
    /// The number of bytes.
    pub size: u64,
    /// When it was fetched.
    pub fetched: Timestamp,
    file: File,
}

impl CachedImage {
    /// The content, in pieces.
    pub fn into_pieces(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::try_unfold(self.file, |mut file| async move {
            let read = blocking::run(move || {
                let mut piece = vec![0; PIECE_BYTES];
                let count = file.read(&mut piece)?;
                piece.truncate(count);
                Ok::<_, io::Error>((Bytes::from(piece), file))
            });
            let (piece, file) = read.await.map_err(io::Error::other)??;
            Ok((!piece.is_empty()).then_some((piece, file)))
        })
    }
}

/// The cache.
#[derive(Debug)]
pub(super) struct ImageCache {
    folder: PathBuf,
    max_bytes: u64,
    /// The size of all images; unknown before the first one is stored, and then too large.
    used: AtomicU64,
}

impl ImageCache {
    pub(super) fn new(rules: &ImageRules) -> Self {
        Self { folder: rules.folder.clone(), max_bytes: rules.cache_bytes, used: AtomicU64::new(u64::MAX) }
    }

    /// Opens an image. `None` if it is not in the cache.
    pub(super) async fn find(&self, name: &str) -> Result<Option<CachedImage>> {
        let path = self.folder.join(name);
        match blocking::run(move || open(&path)).await? {
            Ok(image) => Ok(image),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(problem(&error)),
        }
    }

    /// Stores an image and opens it. Old images make room for it.
    pub(super) async fn store(
        &self,
        name: &str,
        kind: ImageKind,
        content: Bytes,
        now: Timestamp,
    ) -> Result<CachedImage> {
        let size = on_disk(content.len() as u64);
        let (folder, name) = (self.folder.clone(), name.to_owned());
        let stored = blocking::run(move || {
            fs::create_dir_all(&folder)?;
            let mut file = tempfile::NamedTempFile::new_in(&folder)?;
            let number = ImageKind::ALL.iter().position(|known| *known == kind).unwrap_or_default();
            file.write_all(&[u8::try_from(number).unwrap_or_default()])?;
            file.write_all(&now.millis().to_be_bytes())?;
            file.write_all(&content)?;
            // Complete before it gets its name.
            let path = folder.join(&name);
            file.persist(&path).map_err(|error| error.error)?;
            open(&path)
        });
        let image = stored.await?.map_err(|error| problem(&error))?;
        let used = self.used.fetch_add(size, Ordering::Relaxed);
        if used.checked_add(size).is_none_or(|used| used > self.max_bytes) {
            let (folder, limit) = (self.folder.clone(), self.max_bytes);
            let left = blocking::run(move || make_room(&folder, limit)).await?.map_err(|error| problem(&error))?;
            self.used.store(left, Ordering::Relaxed);
        }
        image.ok_or_else(|| Error::Internal("a cached image cannot be read".into()))
    }
}

fn open(path: &Path) -> io::Result<Option<CachedImage>> {
    let mut file = File::open(path)?;
    let mut head = [0; HEAD_BYTES];
    if file.read_exact(&mut head).is_err() {
        return Ok(None);
    }
    let [number, fetched @ ..] = head;
    let Some(kind) = ImageKind::ALL.get(usize::from(number)).copied() else { return Ok(None) };
    let size = file.metadata()?.len() - HEAD_BYTES as u64;
    Ok(Some(CachedImage { kind, size, fetched: Timestamp::from_millis(i64::from_be_bytes(fetched)), file }))
}

/// Removes the oldest images until the others take three quarters of the limit at most; returns their size. Nothing is
/// removed below the limit.
fn make_room(folder: &Path, limit: u64) -> io::Result<u64> {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A file that another request has just removed.
        let Ok(found) = entry.metadata() else { continue };
        files.push((found.modified()?, on_disk(found.len()), entry.path()));
    }
    let mut used: u64 = files.iter().map(|(_, size, _)| size).sum();
    if used <= limit {
        return Ok(used);
    }
    files.sort();
    for (_, size, path) in files {
        if used <= limit / 4 * 3 {
            break;
        }
        if fs::remove_file(path).is_ok() {
            used -= size;
        }
    }
    Ok(used)
}

fn on_disk(size: u64) -> u64 {
    size.div_ceil(BLOCK_BYTES) * BLOCK_BYTES
}

fn problem(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full(error.to_string()),
        _ => Error::Internal(format!("the cache of images failed: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt;

    use super::*;

    fn cache(folder: &tempfile::TempDir, cache_bytes: u64) -> ImageCache {
        ImageCache::new(&ImageRules { is_on: true, cache_bytes, folder: folder.path().join("images") })
    }

    #[tokio::test]
    async fn an_image_comes_back_as_it_was_stored() {
        let folder = tempfile::tempdir().expect("a folder");
        let (cache, content) = (cache(&folder, 1 << 20), Bytes::from(vec![7; 200_000]));
        assert!(cache.find("a").await.expect("read").is_none());
        let now = Timestamp::from_millis(5);
        cache.store("a", ImageKind::Gif, content.clone(), now).await.expect("stored");
        let image = cache.find("a").await.expect("read").expect("cached");
        assert_eq!((image.kind, image.size, image.fetched), (ImageKind::Gif, 200_000, now));
        let pieces: Vec<Bytes> = image.into_pieces().try_collect().await.expect("read");
        assert_eq!(pieces.concat(), content);
    }

    #[tokio::test]
    async fn old_images_make_room_for_new_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(&folder, 10 * BLOCK_BYTES);
        for number in 0..50 {
            let name = format!("{number:02}");
            cache.store(&name, ImageKind::Png, Bytes::from_static(b"x"), Timestamp::EPOCH).await.expect("stored");
            assert!(cache.find(&name).await.expect("read").is_some());
        }
        let left = fs::read_dir(folder.path().join("images")).expect("a folder").count();
        assert!((1..=10).contains(&left), "{left} images are left");
    }

    #[tokio::test]
    async fn what_is_no_image_of_the_cache_is_fetched_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(&folder, 1 << 20);
        fs::create_dir_all(&cache.folder).expect("made");
        for content in [&b""[..], b"short", b"\xff12345678image"] {
            fs::write(cache.folder.join("a"), content).expect("written");
            assert!(cache.find("a").await.expect("read").is_none());
        }
    }
}
