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
const WAITING: usize = 4;

/// A body with the content of a file.
pub(super) fn body(local: &LocalFile, bar: &FileProgress) -> Body {
    start(local, bar, None)
}

/// A body with the content of a file, and the checksum of the same bytes. The checksum is missing if the file is not
/// read to its end, or the body is dropped.
pub(super) fn body_and_sum(local: &LocalFile, bar: &FileProgress) -> (Body, oneshot::Receiver<FileDigest>) {
    let (summing, sum) = PartialDigest::start();
    (start(local, bar, Some(summing)), sum)
}

fn start(local: &LocalFile, bar: &FileProgress, summing: Option<PartialDigest>) -> Body {
    let (sender, mut pieces) = mpsc::channel(WAITING);
    let (local, bar) = (local.clone(), bar.clone());
    tokio::task::spawn_blocking(move || {
        if let Err(error) = hand_on(&local, &sender, summing) {
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
fn hand_on(
    local: &LocalFile,
    pieces: &mpsc::Sender<Result<Bytes, Unreadable>>,
    mut summing: Option<PartialDigest>,
) -> io::Result<()> {
    let source = Arc::new(Source::open(local)?);
    let buffers = Buffers::new(usize::try_from(local.size).map_or(PIECE, |size| size.min(PIECE)));
    let mut at = 0;
    while at < local.size {
        let mut buffer = buffers.take();
        let length = source.read(at, &mut buffer)?;
        at += length as u64;
        if let Some(summing) = &mut summing {
            summing.add(&buffer[..length]);
        }
        if at == local.size {
            source.check()?;
            summing.take().into_iter().for_each(PartialDigest::end);
        }
        if pieces.blocking_send(Ok(buffers.lend(buffer, length))).is_err() {
            return Ok(());
        }
        if let Some(waiting) = summing.take_if(|summing| summing.should_hurry(at, local.size)) {
            waiting.hurry(source.clone(), at);
        }
    }
    Ok(())
}
