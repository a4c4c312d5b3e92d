//! Checksums that a client uploads as files of their own: compared, never stored.

use ::blobs::BoxError;
use bytes::Bytes;
use database::{blobs, files};
use futures_util::{Stream, TryStreamExt};
use model::file_path::FilePath;

use crate::{Error, House, PackageAccess, Result, checksums};

/// The longest checksum file: a digest, a name and some blanks.
const SIDE_FILE_BYTES: usize = 4 * 1024;

/// Compares a sent checksum with the file it is of.
pub(super) async fn compare<S, E>(house: &House, access: &PackageAccess, main: &FilePath, body: S) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let sent = read(body).await?;
    let not_found = || Error::NotFound { what: "File", name: main.to_string() };
    let file = files::find(&house.db, access.package.repo_id, main).await?.ok_or_else(not_found)?;
    let content = file.staged.or(file.published).ok_or_else(not_found)?;
    let blob = blobs::find(&house.db, content.blob_id).await?.ok_or_else(not_found)?;
    let found = match sent.len() {
        40 => blob.sha1.clone(),
        64 => blob.sha256.to_string(),
        32 => checksums::slow(house, &blob).await?.md5,
        128 => checksums::slow(house, &blob).await?.sha512,
        _ => return Err(Error::invalid("content", "it is no checksum")),
    };
    match found == sent {
        true => Ok(()),
        false => Err(Error::Conflict(format!("The checksum of '{main}' is {found}, not {sent}"))),
    }
}

/// Reads a body to its end and forgets it.
pub(super) async fn ignore<S, E>(body: S) -> Result<()>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    body.map_err(broken_off).try_for_each(async |_| Ok(())).await
}

/// The first word of a small body, in lower case.
async fn read<S, E>(body: S) -> Result<String>
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
    let text = String::from_utf8(bytes.await?).map_err(|_| Error::invalid("content", "it is no checksum"))?;
    Ok(text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase())
}

fn broken_off(error: impl Into<BoxError>) -> Error {
    Error::from(::blobs::Error::Body(error.into()))
}
