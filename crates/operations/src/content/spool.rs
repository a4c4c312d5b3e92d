//! A body in a local file that has no name: for what must be read as a whole, and more than once.

use std::{fs::File, io::Write};

use blobs::{BoxError, Sums};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use md5::Md5;
use model::digest::Digest;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};
use tokio::sync::mpsc;

use crate::{Error, House, Result, content::Expected};

/// Pieces of a body that wait for the disk.
const PIECES: usize = 8;

/// Receives a body and checks it against what the client expects.
pub(super) async fn receive<S, E>(house: &House, body: S, expected: &Expected) -> Result<File>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let (pieces, receiver) = mpsc::channel(PIECES);
    let folder = house.policy.spool.clone();
    let writing = tokio::task::spawn_blocking(move || write(&folder, receiver));
    let fed = feed(house.policy.upload_bytes, body, pieces).await;
    let (file, sums) = writing.await.map_err(|error| Error::Internal(error.to_string()))?.map_err(full_or_broken)?;
    fed?;
    expected.check(&sums)?;
    Ok(file)
}

async fn feed<S, E>(max_bytes: u64, body: S, pieces: mpsc::Sender<Bytes>) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let mut body = std::pin::pin!(body);
    let mut size = 0;
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|error| Error::from(blobs::Error::Body(error.into())))?;
        size += piece.len() as u64;
        if size > max_bytes {
            return Err(blobs::Error::TooLarge { max_bytes }.into());
        }
        if pieces.send(piece).await.is_err() {
            // The writer has failed, and says itself why.
            return Ok(());
        }
    }
    Ok(())
}

fn write(folder: &std::path::Path, mut pieces: mpsc::Receiver<Bytes>) -> std::io::Result<(File, Sums)> {
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::tempfile_in(folder)?;
    let (mut sha256, mut sha1, mut md5, mut sha512) = (Sha256::new(), Sha1::new(), Md5::new(), Sha512::new());
    let mut size = 0;
    while let Some(piece) = pieces.blocking_recv() {
        file.write_all(&piece)?;
        sha256.update(&piece);
        sha1.update(&piece);
        md5.update(&piece);
        sha512.update(&piece);
        size += piece.len() as u64;
    }
    let sha256 = Digest::from_bytes(sha256.finalize().into());
    let (sha1, md5, sha512) = (sha1.finalize().into(), Some(md5.finalize().into()), Some(sha512.finalize().into()));
    Ok((file, Sums { size, sha256, sha1, md5, sha512 }))
}

fn full_or_broken(error: std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Error::Full(error.to_string()),
        _ => Error::Internal(format!("an archive could not be spooled: {error}")),
    }
}
