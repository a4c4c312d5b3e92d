//! An upload, step by step.

use blobs::BoxError;
use bytes::Bytes;
use futures_util::Stream;
use model::digest::Digest;

use crate::{
    Caller, House, Result,
    content::{
        ExpectedChecksums, UploadTarget, checksum_file, explode,
        received_file::ReceivedFile,
        record::{self, NewFiles},
        target::UploadKind,
    },
    signing::SigningOptions,
    storage::store,
};

/// Stores the body as a file of a version, and returns the SHA-256 of a file that is stored as sent. When this returns
/// `Ok`, content and rows are durable.
pub async fn upload<S, E>(
    house: &House,
    caller: &Caller,
    target: &UploadTarget,
    expected: &ExpectedChecksums,
    with: &SigningOptions,
    body: S,
) -> Result<Option<Digest>>
where
    S: Stream<Item = std::result::Result<Bytes, E>> + Send,
    E: Into<BoxError>,
{
    let (version, package, format) = match target.find(house, caller, expected, with).await? {
        UploadKind::File(version, package, format) => (version, package, format),
        UploadKind::Checksum(repo_id, side) => {
            return checksum_file::compare(house, repo_id, &side, body).await.map(|()| None);
        }
        UploadKind::Index => return checksum_file::ignore(body).await.map(|()| None),
    };
    if target.flags.explode {
        let files = explode::receive(house, target, &package, format, expected, body).await?;
        let arrival = NewFiles { version, package, flags: target.flags, files };
        return record::record(house, caller, &arrival, with).await.map(|()| None);
    }
    let received = store::receive(house, body, expected, store::UploaderView::of(caller, &package)).await?;
    let (blob, stored) = (received.blob, received.stored);
    let sha256 = blob.sha256;
    let inspected = store::inspect(house, format, &target.path, &blob).await?;
    let inspected = target.placed(format, &package, &target.path, inspected)?;
    let files = vec![ReceivedFile { id: house.next_id(), path: target.path.clone(), blob, stored, inspected }];
    let arrival = NewFiles { version, package, flags: target.flags, files };
    record::record(house, caller, &arrival, with).await.map(|()| Some(sha256))
}
