//! Checksums that a client uploads as separate files. They are compared with the file and never stored.

use ::blobs::BoxError;
use bytes::Bytes;
use database::content::{blobs, files};
use futures_util::{Stream, TryStreamExt};
use model::{
    checksum::{Algorithm, ChecksumFile},
    id::RepoId,
};

use crate::{Error, House, Result, storage::checksums};

/// The maximum size of a checksum file: a digest, a name and some whitespace.
const SIDE_FILE_BYTES: usize = 4 * 1024;

/// Compares an uploaded checksum with the file that it belongs to.
pub(super) async fn compare<S, E>(house: &House, repo_id: RepoId, side: &ChecksumFile, body: S) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let main = &side.main;
    let sent = read(side.algorithm, body).await?;
    let not_found = || Error::NotFound { what: "File", name: main.to_string() };
    let file = files::find(&house.db, repo_id, main).await?.ok_or_else(not_found)?;
    let content = file.staged.or(file.published).ok_or_else(not_found)?;
    let blob = blobs::find(&house.db, content.blob_id).await?.ok_or_else(not_found)?;
    let found = checksums::of(house, &blob, side.algorithm).await?;
    if found == sent {
        Ok(())
    } else {
        Err(Error::Conflict(format!("The checksum of '{main}' is {found}, not {sent}")))
    }
}

/// Reads a body to its end and discards it.
pub(super) async fn ignore<S, E>(body: S) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    body.map_err(broken_off).try_for_each(async |_| Ok(())).await
}

/// Reads the checksum from a small body.
async fn read<S, E>(algorithm: Algorithm, body: S) -> Result<String>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let bytes = body.map_err(broken_off).try_fold(Vec::new(), async |mut all, piece| {
        all.extend_from_slice(&piece);
        if all.len() > SIDE_FILE_BYTES {
            Err(Error::invalid("content", "it is too long for a checksum"))
        } else {
            Ok(all)
        }
    });
    let text = String::from_utf8(bytes.await?).map_err(|_| Error::invalid("content", "it is not a checksum"))?;
    algorithm.read(&text).ok_or_else(|| Error::invalid("content", "it is not a checksum"))
}

fn broken_off(error: impl Into<BoxError>) -> Error {
    Error::from(::blobs::Error::Body(error.into()))
}
