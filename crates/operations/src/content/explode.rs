//! An archive whose files are meant: all of them become files of the version, or none.

use std::{fs::File, io::Read, pin::pin};

use blobs::{BoxError, ReceiveOptions};
use bytes::Bytes;
use futures_util::{
    Stream, StreamExt,
    stream::{self, FuturesUnordered},
};
use model::file_path::FilePath;
use tokio::{
    sync::{Semaphore, SemaphorePermit, mpsc},
    task::JoinHandle,
};

use crate::{
    Error, House, Result,
    content::{ExpectedChecksums, UploadTarget, received_file::ReceivedFile},
    format::{Format, PathKind},
    storage::{
        archive::{Archive, ArchiveError, Limits},
        spool, store,
    },
};

/// Bytes of a file that are read at once, and pieces of them that wait for the store.
const PIECE_BYTES: usize = 256 << 10;
const PIECES: usize = 4;

/// Files that are made durable at the same time.
const AT_ONCE: usize = 16;

/// Archives that are read at the same time, each with at most the memory of one decoder, and archives that wait for it.
const ARCHIVES: usize = 4;
const WAITING: usize = 32;

static READERS: Semaphore = Semaphore::const_new(ARCHIVES);
static ADMITTED: Semaphore = Semaphore::const_new(ARCHIVES + WAITING);

/// Receives an archive; returns what is in it as files in the folder of the target's path.
pub(super) async fn receive<S, E>(
    house: &House,
    target: &UploadTarget,
    format: &'static dyn Format,
    expected: &ExpectedChecksums,
    body: S,
) -> Result<Vec<ReceivedFile>>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let file = spool::receive(house, body, expected).await?;
    let (entries, reading) = read(file, enter().await?);
    let arrived = store_all(house, entries).await;
    // What is wrong with the archive says more than how its files broke off.
    match reading.await.map_err(|error| Error::Internal(error.to_string()))? {
        Err(Stopped::Archive(error)) => return Err(error.into()),
        Ok(()) | Err(Stopped::NobodyListens) => {}
    }
    let mut files = Vec::new();
    for (path, store::Received { blob, stored }) in arrived? {
        let path = FilePath::parse(&format!("{}{path}", target.path.folder_prefix()));
        let path = path.map_err(|error| Error::invalid("archive", error))?;
        if matches!(format.classify(&path), Ok(PathKind::Index | PathKind::Checksum(_))) {
            continue;
        }
        let facts = store::inspect(house, format, &path, &blob).await?;
        files.push(ReceivedFile { id: house.next_id(), path, blob, stored, facts });
    }
    // In one order, so that no two uploads wait for each other.
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// A file of the archive whose bytes come while it is read.
struct Entry {
    path: FilePath,
    pieces: mpsc::Receiver<std::io::Result<Bytes>>,
}

/// Stores the files as they come. Making one durable takes longer than reading the next, so some wait together.
async fn store_all(house: &House, mut entries: mpsc::Receiver<Entry>) -> Result<Vec<(FilePath, store::Received)>> {
    let (mut stored, mut storing) = (Vec::new(), FuturesUnordered::new());
    while let Some(entry) = entries.recv().await {
        let mut staging = pin!(stage(house, entry));
        let staged = loop {
            tokio::select! {
                staged = &mut staging => break staged?,
                Some(done) = storing.next(), if !storing.is_empty() => stored.push(done?),
            }
        };
        storing.push(store(house, staged));
        while storing.len() >= AT_ONCE {
            stored.extend(storing.next().await.transpose()?);
        }
    }
    while let Some(done) = storing.next().await {
        stored.push(done?);
    }
    Ok(stored)
}

async fn store(house: &House, (path, staged): (FilePath, blobs::PendingBlob)) -> Result<(FilePath, store::Received)> {
    Ok((path, store::keep_checked(house, staged, false).await?))
}

async fn stage(house: &House, entry: Entry) -> Result<(FilePath, blobs::PendingBlob)> {
    let options = ReceiveOptions { max_bytes: house.policy.upload_bytes, md5: true, sha512: false };
    let mut pieces = entry.pieces;
    let pieces = stream::poll_fn(move |context| pieces.poll_recv(context));
    Ok((entry.path, house.blobs.stage(pieces, options).await?))
}

/// A place for an archive, when it is its turn. It belongs to the thread that reads.
async fn enter() -> Result<[SemaphorePermit<'static>; 2]> {
    let busy = |_| Error::Unavailable("too many archives are being unpacked".into());
    let admitted = ADMITTED.try_acquire().map_err(busy)?;
    let reader = READERS.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
    Ok([admitted, reader])
}

/// Reads the archive on a thread of its own. Its files come in order, each to its end before the next. What is wrong with
/// its entries is found before the first of them is handed on.
fn read(file: File, place: [SemaphorePermit<'static>; 2]) -> (mpsc::Receiver<Entry>, JoinHandle<Reading>) {
    let (sender, receiver) = mpsc::channel(1);
    let reading = tokio::task::spawn_blocking(move || {
        let _place = place;
        let mut archive = Archive::open(file, Limits::default())?;
        archive.look_through(|content| look_at(content, &sender))?;
        archive.each(|path, content| {
            let (pieces, receiver) = mpsc::channel(PIECES);
            sender.blocking_send(Entry { path, pieces: receiver }).map_err(|_| Stopped::NobodyListens)?;
            hand_on(content, &pieces)
        })
    });
    (receiver, reading)
}

/// Reads a file to its end for nobody, while somebody still waits for the archive.
fn look_at(content: &mut dyn Read, entries: &mpsc::Sender<Entry>) -> Reading {
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        if entries.is_closed() {
            return Err(Stopped::NobodyListens);
        }
        if content.read(&mut piece).map_err(ArchiveError::of_stream)? == 0 {
            return Ok(());
        }
    }
}

fn hand_on(content: &mut dyn Read, pieces: &mpsc::Sender<std::io::Result<Bytes>>) -> Reading {
    loop {
        let mut piece = vec![0; PIECE_BYTES];
        let size = match content.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(size) => size,
            Err(error) => {
                let told = std::io::Error::new(error.kind(), error.to_string());
                drop(pieces.blocking_send(Err(told)));
                return Err(ArchiveError::of_stream(error).into());
            }
        };
        piece.truncate(size);
        pieces.blocking_send(Ok(piece.into())).map_err(|_| Stopped::NobodyListens)?;
    }
}

type Reading = std::result::Result<(), Stopped>;

/// Why an archive was not read to its end.
enum Stopped {
    Archive(ArchiveError),
    /// The store has given up; its own words come another way.
    NobodyListens,
}

impl From<ArchiveError> for Stopped {
    fn from(error: ArchiveError) -> Self {
        Stopped::Archive(error)
    }
}
