//! Reads a blob.
//!
//! A small range takes one blocking task. A large one comes in chunks, one blocking task each, one chunk ahead of the
//! reader; a client that receives slowly does not occupy a thread.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use model::digest::Digest;
use tokio::task::JoinHandle;

use super::{Folder, failed};
use crate::{
    content::{Content, part},
    error::Error,
    off_reactor,
};

/// Bytes read in one blocking task; a download holds at most two chunks.
const CHUNK_BYTES: u64 = 512 << 10;

impl Folder {
    pub(crate) async fn read(&self, digest: Digest, range: Option<Range<u64>>) -> Result<Option<Content>, Error> {
        let path = self.blob_path(digest);
        let opened = off_reactor::run("opening a blob", move || {
            let path = path.find();
            let Some((file, size)) = open(&path)? else { return Ok(None) };
            let range = part(digest, range, size)?;
            let reader = Reader::new(file, path, &range)?;
            Ok(Some((size, reader.read_chunk()?)))
        });
        let Some((size, chunk)) = opened.await? else { return Ok(None) };
        Ok(Some(Content { size, stream: chunk.into_stream() }))
    }

    pub(crate) async fn open_file(&self, digest: Digest) -> Result<Option<File>, Error> {
        let path = self.blob_path(digest);
        off_reactor::run("opening a blob", move || Ok(open(&path.find())?.map(|(file, _)| file))).await
    }
}

/// Opens a file and returns its size; `None` if it does not exist.
pub(super) fn open(path: &Path) -> Result<Option<(File, u64)>, Error> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed("opening", path, error)),
    };
    let metadata = file.metadata().map_err(|error| failed("asking for the size of", path, error))?;
    Ok(Some((file, metadata.len())))
}

/// A file with bytes left to read.
pub(super) struct Reader {
    file: File,
    path: PathBuf,
    remaining: u64,
}

/// Some bytes and, unless they are the last, the reader for the next ones.
pub(super) struct Chunk {
    pub(super) bytes: Bytes,
    rest: Option<Reader>,
}

impl Reader {
    pub(super) fn new(mut file: File, path: PathBuf, range: &Range<u64>) -> Result<Self, Error> {
        if range.start > 0 {
            file.seek(SeekFrom::Start(range.start)).map_err(|error| failed("reading", &path, error))?;
        }
        Ok(Self { file, path, remaining: range.end - range.start })
    }

    pub(super) fn read_chunk(mut self) -> Result<Chunk, Error> {
        let wanted = self.remaining.min(CHUNK_BYTES);
        let mut bytes = Vec::with_capacity(usize::try_from(wanted).expect("a chunk fits into memory"));
        let read = (&self.file).take(wanted).read_to_end(&mut bytes);
        read.map_err(|error| failed("reading", &self.path, error))?;
        if bytes.len() as u64 != wanted {
            return Err(failed("reading", &self.path, io::ErrorKind::UnexpectedEof.into()));
        }
        self.remaining -= wanted;
        let rest = (self.remaining > 0).then_some(self);
        Ok(Chunk { bytes: bytes.into(), rest })
    }

    /// Starts to read the next chunk early, if a blocking slot is free.
    fn read_ahead(self) -> Ahead {
        let Some(place) = off_reactor::free_place() else { return Ahead::Later(self) };
        Ahead::Begun(tokio::task::spawn_blocking(move || {
            let _place = place;
            self.read_chunk()
        }))
    }
}

/// The next chunk, which may already be under way.
enum Ahead {
    Begun(JoinHandle<Result<Chunk, Error>>),
    Later(Reader),
}

impl Ahead {
    async fn chunk(self) -> Result<Chunk, Error> {
        let doing = "reading a blob";
        match self {
            Ahead::Begun(begun) => {
                begun.await.map_err(|error| Error::Broken { doing: doing.to_owned(), source: error.into() })?
            }
            Ahead::Later(reader) => off_reactor::run(doing, move || reader.read_chunk()).await,
        }
    }
}

impl Chunk {
    fn into_stream(self) -> BoxStream<'static, Result<Bytes, Error>> {
        let first = (!self.bytes.is_empty()).then_some(Ok(self.bytes));
        let rest = stream::try_unfold(self.rest.map(Reader::read_ahead), async |ahead| {
            let Some(ahead) = ahead else { return Ok(None) };
            let chunk = ahead.chunk().await?;
            Ok(Some((chunk.bytes, chunk.rest.map(Reader::read_ahead))))
        });
        stream::iter(first).chain(rest).boxed()
    }
}
