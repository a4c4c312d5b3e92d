//! Uploads in pieces: a temporary that outlives its requests.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Seek, SeekFrom},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::{Bytes, BytesMut};
use futures_util::Stream;

use super::{
    Folder, failed,
    receive::{BATCH_BYTES, FolderPending, Source, emptied},
    remove_file,
    sync_ahead::SyncAhead,
    sync_folder,
    temporary::{Temporary, write_body},
};
use crate::{
    body::Body,
    error::{BoxError, Error},
    layout, off_reactor,
    partial::{PartialUpload, broken},
    pending::{PendingBlob, PendingLocation, ReceiveOptions},
    resumable_hashes::ResumableHashes,
    sha_instructions,
};

impl Folder {
    pub(crate) fn partial_place(&self) -> String {
        self.names.next()
    }

    /// Writes a piece behind the recorded bytes, batch by batch, and syncs it.
    pub(crate) async fn append_partial<S, E>(
        self: &Arc<Self>,
        upload: &PartialUpload,
        mut body: Body<'_, S>,
    ) -> Result<PartialUpload, Error>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: Into<BoxError>,
    {
        let (mut batch, mut next) = (BytesMut::new(), BytesMut::new());
        body.fill(&mut batch, BATCH_BYTES).await?;
        if batch.is_empty() {
            return Ok(upload.clone());
        }
        let (folder, recorded, mut hashes) = (Arc::clone(self), upload.clone(), upload.hashes()?);
        let mut writer = off_reactor::run("continuing an upload", move || folder.open_partial(&recorded)).await?;
        loop {
            let same = batch.freeze();
            let adding = add_batch(hashes, writer, same.clone());
            // A body that breaks off does not cut a write short: the next request must not find the file locked.
            let (added, filled) = tokio::join!(adding, body.fill(&mut next, BATCH_BYTES));
            (hashes, writer) = added?;
            filled?;
            if next.is_empty() {
                break;
            }
            (batch, next) = (next, emptied(same));
        }
        off_reactor::run("syncing an upload", move || writer.sync()).await?;
        Ok(PartialUpload { place: upload.place.clone(), size: hashes.size(), states: hashes.states() })
    }

    /// Opens the file of an upload and cuts it back to the recorded size.
    fn open_partial(&self, upload: &PartialUpload) -> Result<PartialWriter, Error> {
        let path = self.partial_path(upload)?;
        let opened = OpenOptions::new().write(true).create(upload.size == 0).truncate(false).mode(0o600).open(&path);
        let mut file = opened.map_err(|error| failed("opening", &path, error))?;
        lock(&file, &path)?;
        let size = file.metadata().map_err(|error| failed("asking for the size of", &path, error))?.len();
        if size < upload.size {
            return Err(broken("its file is shorter than its record says"));
        }
        let placed = file.set_len(upload.size).and_then(|()| file.seek(SeekFrom::Start(upload.size)));
        placed.map_err(|error| failed("cutting back", &path, error))?;
        if upload.size == 0 {
            sync_folder(&self.root.join(layout::TEMPORARY))?;
        }
        Ok(PartialWriter { file, path, ahead: SyncAhead::default() })
    }

    pub(crate) async fn finish_partial(self: &Arc<Self>, upload: &PartialUpload) -> Result<PendingBlob, Error> {
        let sums = upload.hashes()?.finish();
        let (folder, recorded) = (Arc::clone(self), upload.clone());
        off_reactor::run("finishing an upload", move || {
            let PartialWriter { file, path, .. } = folder.open_partial(&recorded)?;
            let temporary = Temporary::adopt(&folder, file, path);
            let place = FolderPending { folder, source: Source::File(temporary) };
            Ok(PendingBlob::hashed(sums, ReceiveOptions::SHA256, PendingLocation::Folder(place)))
        })
        .await
    }

    pub(crate) async fn discard_partial(&self, upload: &PartialUpload) -> Result<(), Error> {
        let path = self.partial_path(upload)?;
        off_reactor::run("discarding an upload", move || remove_file(&path).map(|_| ())).await
    }

    fn partial_path(&self, upload: &PartialUpload) -> Result<PathBuf, Error> {
        let is_name = upload.place.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        if !is_name || upload.place.is_empty() {
            return Err(broken("its place is not one of a folder"));
        }
        Ok(self.root.join(layout::TEMPORARY).join(&upload.place))
    }
}

/// Locks the file of an upload until it is closed. A request that has ended may still be writing a batch, which must not
/// land between the bytes of the next request.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    file.try_lock().map_err(|refused| match refused {
        TryLockError::WouldBlock => Error::Unavailable {
            doing: format!("locking `{}`", path.display()),
            source: "the request before this one has not ended".into(),
        },
        TryLockError::Error(error) => failed("locking", path, error),
    })
}

/// Hashes and writes a batch: on one thread, so that its bytes are read from memory once, unless hashing takes much
/// longer than writing.
async fn add_batch(
    mut hashes: ResumableHashes,
    writer: PartialWriter,
    batch: Bytes,
) -> Result<(ResumableHashes, PartialWriter), Error> {
    let same = batch.clone();
    if !sha_instructions::exist() {
        let writing = off_reactor::run("writing a body", move || writer.write(&same));
        return tokio::try_join!(hashes.updated(batch), writing);
    }
    off_reactor::run("writing a body", move || {
        hashes.update(&batch);
        Ok((hashes, writer.write(&same)?))
    })
    .await
}

/// The file of an upload, at its end.
struct PartialWriter {
    file: File,
    path: PathBuf,
    ahead: SyncAhead,
}

impl PartialWriter {
    fn write(mut self, batch: &[u8]) -> Result<Self, Error> {
        write_body(&mut self.file, &self.path, batch)?;
        self.ahead.wrote(&self.path, batch.len());
        Ok(self)
    }

    /// Makes the bytes durable, so that a record of them is true after a power failure.
    fn sync(self) -> Result<(), Error> {
        self.file.sync_data().map_err(|error| failed("syncing", &self.path, error))
    }
}
