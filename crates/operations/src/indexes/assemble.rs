//! Serves the files of indexes: blocks are put together once on each node.

use std::{
    fs::File,
    io::{Seek, Write},
    sync::Arc,
};

use blobs::MappedBlob;
use bytes::Bytes;
use database::indexes::{
    blocks, changes, heads,
    index_files::{self, IndexFile},
};
use md5::Md5;
use model::{access::GrantScope, digest::Digest, file_path::FilePath, repo::Repo, timestamp::Timestamp};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};

use crate::{
    Error, House, Result, blocking,
    format::Format,
    indexes::{IndexedRepo, deflate, parts, view},
    storage::spool,
};

/// Files up to this size are put together in memory.
const SMALL_BYTES: i64 = 64 << 10;

/// A complete file of an index.
#[derive(Debug)]
pub struct IndexContent {
    /// Its bytes.
    pub bytes: IndexBytes,
    /// Its size.
    pub size: u64,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1.
    pub sha1: [u8; 20],
    /// Its MD5, if it is its entity tag.
    pub md5: Option<[u8; 16]>,
    /// When it was made.
    pub changed: Timestamp,
    /// Whether its path names its digest, so that it never changes.
    pub is_lasting: bool,
}

/// The bytes of a file of an index.
#[derive(Debug, Clone)]
pub enum IndexBytes {
    /// In memory.
    Memory(Bytes),
    /// In a file of the spool without a name.
    Mapped(MappedBlob),
}

impl IndexContent {
    /// Content in memory.
    pub(super) fn in_memory(bytes: Vec<u8>, changed: Timestamp, is_lasting: bool) -> Self {
        Self {
            size: bytes.len() as u64,
            sha256: Digest::from_bytes(Sha256::digest(&bytes).into()),
            sha1: Sha1::digest(&bytes).into(),
            md5: None,
            bytes: IndexBytes::Memory(bytes.into()),
            changed,
            is_lasting,
        }
    }

    /// The same content with its MD5, if that is the entity tag of the file at this path.
    pub(super) fn tagged(self, format: &dyn Format, path: &str) -> Self {
        let is_tagged = FilePath::parse(path).is_ok_and(|path| format.has_md5_tag(&path));
        let md5 = match &self.bytes {
            IndexBytes::Memory(bytes) if is_tagged => Some(Md5::digest(bytes).into()),
            _ => self.md5,
        };
        Self { md5, ..self }
    }
}

/// Finds the file of an index at a path. A caller who may read only some scopes of the repository gets indexes of
/// exactly the files in them.
pub(crate) async fn find(
    house: &House,
    repo: &Repo,
    scopes: Option<&[GrantScope]>,
    path: &FilePath,
) -> Result<Option<Arc<IndexContent>>> {
    let Some(indexed) = IndexedRepo::of(house.format(&repo.kind), repo.clone()) else { return Ok(None) };
    if let Some(scopes) = scopes {
        return match heads::find(&house.db, repo.id).await? {
            Some(head) => view::find(house, &indexed, head, scopes, path).await,
            None => find_unbuilt(house, &indexed, path).await,
        };
    }
    let Some(row) = index_files::find(&house.db, repo.id, path).await? else {
        return match parts::find(house, &indexed, path).await? {
            None => find_unbuilt(house, &indexed, path).await,
            part => Ok(part),
        };
    };
    if row.until.is_some() && !row.is_lasting {
        return Ok(None);
    }
    let caches = &house.index_caches;
    let cache = if row.size <= SMALL_BYTES { &caches.small } else { &caches.large };
    // Requests for the same file wait for the first one, which puts it together.
    cache.get_or_insert_async(&row.id, assemble(house, &indexed, &row)).await.map(Some)
}

/// Finds the file of an index without entries, if nothing was published yet: clients then say that a package does not
/// exist, and not that the repository has no index.
async fn find_unbuilt(house: &House, repo: &IndexedRepo, path: &FilePath) -> Result<Option<Arc<IndexContent>>> {
    let head = heads::find(&house.db, repo.id()).await?;
    let is_built = head.is_some_and(|head| head.generation > 0);
    if is_built || changes::has_files(&house.db, repo.id()).await? {
        return Ok(None);
    }
    view::find_empty(house, repo, path).await
}

async fn assemble(house: &House, repo: &IndexedRepo, row: &IndexFile) -> Result<Arc<IndexContent>> {
    let is_derived = repo.indexes.is_derived(&row.path);
    let target = if is_derived || row.size <= SMALL_BYTES {
        Target::new(None, false)
    } else {
        let is_tagged = FilePath::parse(&row.path).is_ok_and(|path| repo.format.has_md5_tag(&path));
        Target::new(Some(spool::create(house).await?), is_tagged)
    };
    let target = write_file(house, target, row).await?;
    let (at, is_lasting, format) = (Timestamp::from_millis(row.created), row.is_lasting, repo.format);
    let content = if is_derived {
        let (indexes, path) = (repo.indexes, row.path.clone());
        let derived = blocking::run(move || indexes.derive(&path, target.memory)).await?;
        IndexContent::in_memory(derived, at, is_lasting)
    } else {
        target.finish(at, is_lasting).await?
    };
    Ok(Arc::new(content.tagged(format, &row.path)))
}

/// The whole text of a file.
pub(super) async fn text(house: &House, row: &IndexFile) -> Result<Vec<u8>> {
    Ok(write_file(house, Target::new(None, false), row).await?.memory)
}

/// Adds all bytes of a file.
async fn write_file(house: &House, mut target: Target, row: &IndexFile) -> Result<Target> {
    target = target.write(row.head.clone(), None).await?;
    if let Some(stream_id) = row.stream_id {
        target = write_blocks(house, target, row, stream_id).await?;
    }
    target = target.write(row.middle.clone().unwrap_or_default(), None).await?;
    if let Some(stream_id) = row.second_stream_id {
        target = write_blocks(house, target, row, stream_id).await?;
    }
    let target = target.write(row.tail.clone(), None).await?;
    if i64::try_from(target.size) != Ok(row.size) {
        return Err(Error::Unavailable(format!("the index '{}' was replaced meanwhile", row.path)));
    }
    Ok(target)
}

/// Adds the blocks of a stream, as they were in the generation of a file.
async fn write_blocks(house: &House, mut target: Target, row: &IndexFile, stream_id: i64) -> Result<Target> {
    let blocks = blocks::list_at(&house.db, stream_id, row.generation).await?;
    for (index, (id, size)) in blocks.into_iter().enumerate() {
        if index > 0 {
            target = target.write(row.joint.clone(), None).await?;
        }
        let missing = || Error::Unavailable(format!("the index '{}' was replaced meanwhile", row.path));
        let bytes = blocks::find_bytes(&house.db, id).await?.ok_or_else(missing)?;
        target = target.write(bytes, row.is_inflated.then_some(size.unsigned_abs())).await?;
    }
    Ok(target)
}

/// Bytes that are put together and hashed.
struct Target {
    file: Option<File>,
    memory: Vec<u8>,
    size: u64,
    sha256: Sha256,
    sha1: Sha1,
    md5: Option<Md5>,
}

impl Target {
    fn new(file: Option<File>, has_md5: bool) -> Self {
        let md5 = has_md5.then(Md5::new);
        Self { file, memory: Vec::new(), size: 0, sha256: Sha256::new(), sha1: Sha1::new(), md5 }
    }

    /// Adds bytes, which may be compressed; then the text has this size.
    async fn write(mut self, bytes: Vec<u8>, text_size: Option<u64>) -> Result<Self> {
        if bytes.is_empty() {
            return Ok(self);
        }
        let written = blocking::run(move || {
            let bytes = match text_size {
                Some(size) => deflate::inflate(&bytes, size)?,
                None => bytes,
            };
            self.sha256.update(&bytes);
            self.sha1.update(&bytes);
            if let Some(md5) = &mut self.md5 {
                md5.update(&bytes);
            }
            self.size += bytes.len() as u64;
            match &mut self.file {
                Some(file) => file.write_all(&bytes).map_err(|error| Error::Unavailable(error.to_string()))?,
                None => self.memory.extend_from_slice(&bytes),
            }
            Ok(self)
        });
        written.await?
    }

    async fn finish(self, changed: Timestamp, is_lasting: bool) -> Result<IndexContent> {
        let bytes = match self.file {
            Some(mut file) => {
                let mapped = blocking::run(move || file.rewind().and_then(|()| MappedBlob::from_file(file))).await?;
                IndexBytes::Mapped(mapped.map_err(|error| Error::Unavailable(error.to_string()))?)
            }
            None => IndexBytes::Memory(self.memory.into()),
        };
        let (sha256, sha1) = (Digest::from_bytes(self.sha256.finalize().into()), self.sha1.finalize().into());
        let md5 = self.md5.map(|md5| md5.finalize().into());
        Ok(IndexContent { bytes, size: self.size, sha256, sha1, md5, changed, is_lasting })
    }
}
