//! A file as a request body, read in pieces on a thread that may block on the disk and the network.

use std::{io, sync::Arc, task::Poll};

use bytes::Bytes;
use futures_util::stream;
use reqwest::Body;
use tokio::sync::{mpsc, oneshot};

use super::{
    buffers::Buffers,
    file_digest::{FileDigest, PartialDigest},
    files::LocalFile,
    source::Source,
};
use crate::{client::Unreadable, progress::FileProgress};

/// Bytes read, hashed and sent at a time; they fit into the processor's cache.
pub(super) const PIECE: usize = 256 << 10;

/// Maximum number of pieces that are read but not sent yet.
const QUEUED: usize = 4;

/// A body with the content of a file.
pub(super) fn body(local: &LocalFile, bar: &FileProgress) -> Body {
    start(local, bar, None)
}

/// A body with the content of a file, and the checksum of the same bytes. The checksum is missing if the file is not
/// read to its end, or the body is dropped.
pub(super) fn body_and_digest(local: &LocalFile, bar: &FileProgress) -> (Body, oneshot::Receiver<FileDigest>) {
    let (partial, digest) = PartialDigest::start();
    (start(local, bar, Some(partial)), digest)
}

fn start(local: &LocalFile, bar: &FileProgress, partial: Option<PartialDigest>) -> Body {
    let (sender, mut pieces) = mpsc::channel(QUEUED);
    let (local, bar) = (local.clone(), bar.clone());
    tokio::task::spawn_blocking(move || {
        if let Err(error) = send_pieces(&local, &sender, partial) {
            // Fails if the receiver is gone.
            let _ = sender.blocking_send(Err(Unreadable::new(&local.path, &error)));
        }
    });
    Body::wrap_stream(stream::poll_fn(move |context| {
        let piece = pieces.poll_recv(context);
        if let Poll::Ready(Some(Ok(piece))) = &piece {
            bar.advance(piece.len() as u64);
        }
        piece
    }))
}

/// Sends all pieces. If the file has changed meanwhile, its last piece is not sent, so that no server stores a mixture
/// of old and new bytes.
fn send_pieces(
    local: &LocalFile,
    pieces: &mpsc::Sender<Result<Bytes, Unreadable>>,
    mut partial: Option<PartialDigest>,
) -> io::Result<()> {
    let source = Arc::new(Source::open(local)?);
    let buffers = Buffers::new(usize::try_from(local.size).map_or(PIECE, |size| size.min(PIECE)));
    let mut at = 0;
    while at < local.size {
        let mut buffer = buffers.take();
        let length = source.read(at, &mut buffer)?;
        at += length as u64;
        if let Some(partial) = &mut partial {
            partial.add(&buffer[..length]);
        }
        if at == local.size {
            source.check()?;
            partial.take().into_iter().for_each(PartialDigest::end);
        }
        if pieces.blocking_send(Ok(buffers.wrap(buffer, length))).is_err() {
            return Ok(());
        }
        if let Some(partial) = partial.take_if(|partial| partial.should_finish_early(at, local.size)) {
            partial.finish_early(source.clone(), at);
        }
    }
    Ok(())
}
