//! Unpacks an uploaded archive: either all of its files become files of the version, or none.

use std::{collections::HashMap, fs::File, io::Read, pin::pin};

use blobs::{BoxError, ReceiveOptions};
use bytes::Bytes;
use futures_util::{
    Stream, StreamExt,
    stream::{self, FuturesUnordered},
};
use model::{digest::Digest, file_path::FilePath};
use tokio::{
    sync::{Semaphore, SemaphorePermit, mpsc},
    task::JoinHandle,
};

use crate::{
    Error, House, PackageAccess, Result,
    content::{ExpectedChecksums, UploadTarget, received_file::ReceivedFile, target::reserved},
    format::{Format, PathKind},
    storage::{
        archive::{Archive, ArchiveError, Limits},
        inspect::inspect_in_turn,
        spool, store,
    },
};

/// The bytes of a file that are read at once, and the number of such pieces that are queued for the store.
const PIECE_BYTES: usize = 256 << 10;
const PIECES: usize = 4;

/// The number of files that are made durable at the same time.
const AT_ONCE: usize = 16;

/// The number of archives that are read at the same time, each with at most the memory of one decoder, and the number
/// of archives that may queue for a reader.
const ARCHIVES: usize = 4;
const WAITING: usize = 32;

static READERS: Semaphore = Semaphore::const_new(ARCHIVES);
static ADMITTED: Semaphore = Semaphore::const_new(ARCHIVES + WAITING);

/// Receives an archive and returns its entries as files in the folder of the target's path.
pub(super) async fn receive<S, E>(
    house: &House,
    target: &UploadTarget,
    package: &PackageAccess,
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
    let arrived = store_all(house, format, entries).await;
    // An error in the archive explains more than the resulting error of a broken-off file, so report it first.
    match reading.await.map_err(|error| Error::Internal(error.to_string()))? {
        Err(Stopped::Archive(error)) => return Err(error.into()),
        Ok(()) | Err(Stopped::NobodyListens) => {}
    }
    let mut files = Vec::new();
    for (path, store::ReceivedContent { blob, stored }) in arrived? {
        let path = FilePath::parse(&format!("{}{path}", target.path.folder_prefix()));
        let path = path.map_err(|error| Error::invalid("archive", error))?;
        match format.classify(&path) {
            Ok(PathKind::Index | PathKind::Checksum(_)) => continue,
            Ok(PathKind::Reserved) => return Err(reserved(&path)),
            Ok(PathKind::Payload(owner)) => {
                target.check_owner(&owner, target.version.as_ref())?;
                if let Some(version) = &target.version {
                    target.check_format_owner(format, &path, version)?;
                }
            }
            Err(_) => {}
        }
        let inspected = inspect_in_turn(house, format, &path, &blob).await?;
        let inspected = target.placed(format, package, &path, inspected)?;
        files.push(ReceivedFile { id: house.next_id(), path, blob, stored, inspected });
    }
    // Sort by path, so that two uploads lock their rows in the same order and cannot deadlock.
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// A file of the archive whose bytes arrive while the archive is read.
struct Entry {
    path: FilePath,
    pieces: mpsc::Receiver<std::io::Result<Bytes>>,
}

/// Stores the files as they arrive, and what several of them contain only once. Making a file durable takes longer than
/// reading the next one, so several are made durable concurrently.
async fn store_all(
    house: &House,
    format: &'static dyn Format,
    mut entries: mpsc::Receiver<Entry>,
) -> Result<Vec<(FilePath, store::ReceivedContent)>> {
    let (mut stored, mut storing) = (Vec::new(), FuturesUnordered::new());
    let mut paths: HashMap<Digest, Vec<FilePath>> = HashMap::new();
    while let Some(entry) = entries.recv().await {
        let mut receiving = pin!(receive_entry(house, format, entry));
        let (path, pending) = loop {
            tokio::select! {
                received = &mut receiving => break received?,
                Some(done) = storing.next(), if !storing.is_empty() => stored.push(done?),
            }
        };
        let same = paths.entry(pending.digest()).or_default();
        same.push(path);
        if same.len() == 1 {
            storing.push(store::commit_checked(house, pending, false));
        }
        while storing.len() >= AT_ONCE {
            stored.extend(storing.next().await.transpose()?);
        }
    }
    while let Some(done) = storing.next().await {
        stored.push(done?);
    }
    let with_paths = |content: store::ReceivedContent| {
        let paths = paths.remove(&content.blob.sha256).unwrap_or_default();
        paths.into_iter().map(move |path| (path, content.clone()))
    };
    Ok(stored.into_iter().flat_map(with_paths).collect())
}

async fn receive_entry(
    house: &House,
    format: &'static dyn Format,
    entry: Entry,
) -> Result<(FilePath, blobs::PendingBlob)> {
    let sha512 = format.needs_sha512();
    let options = ReceiveOptions { max_bytes: house.policy.upload_bytes, sha1: true, md5: true, sha512 };
    let mut pieces = entry.pieces;
    let pieces = stream::poll_fn(move |context| pieces.poll_recv(context));
    Ok((entry.path, house.blobs.receive(pieces, options).await?))
}

/// Waits for a free archive reader. The reading thread owns the permits.
async fn enter() -> Result<[SemaphorePermit<'static>; 2]> {
    let busy = |_| Error::Unavailable("too many archives are being unpacked".into());
    let admitted = ADMITTED.try_acquire().map_err(busy)?;
    let reader = READERS.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
    Ok([admitted, reader])
}

/// Reads the archive on its own thread. Files arrive in order, each to its end before the next. Errors in the entries
/// are found before the first file is handed on.
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

/// Reads a file to its end and discards it. Stops early if the receiver of the archive is gone.
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

/// The reason why an archive was not read to its end.
enum Stopped {
    Archive(ArchiveError),
    /// The store stopped receiving; it reports its own error separately.
    NobodyListens,
}

impl From<ArchiveError> for Stopped {
    fn from(error: ArchiveError) -> Self {
        Stopped::Archive(error)
    }
}
