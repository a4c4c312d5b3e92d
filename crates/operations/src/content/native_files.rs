//! Stores the files of a native publish, inspects them and records them.

use std::sync::Arc;

use blobs::PendingBlob;
use model::address::VersionAddress;

use crate::{
    Caller, Error, House, PackageAccess, Result,
    content::{
        UploadFlags,
        native_publish::NativeTerms,
        received_file::ReceivedFile,
        record::{self, NewFiles},
    },
    format::{Format, NativeFile},
    storage::store::{self, ReceivedContent},
};

/// The files of a native publish, received but not stored yet.
pub(crate) struct NativeArrival {
    pub(crate) version: VersionAddress,
    /// The package, or a draft of it.
    pub(crate) package: Arc<PackageAccess>,
    /// The format of the repository.
    pub(crate) format: &'static dyn Format,
    /// Whether they are published at once; otherwise they are staged.
    pub(crate) is_published: bool,
    pub(crate) files: Vec<(NativeFile, NativeContent)>,
}

/// The bytes of a file of a native publish.
pub(crate) enum NativeContent {
    /// Received.
    Pending(PendingBlob),
    /// Stored, because their inspection tells what they are.
    Stored(ReceivedContent),
}

impl NativeContent {
    /// Stores the bytes.
    pub(crate) async fn store(self, house: &House) -> Result<ReceivedContent> {
        match self {
            Self::Pending(pending) => store::commit_checked(house, pending, false).await,
            Self::Stored(stored) => Ok(stored),
        }
    }
}

/// The error for content that a format rejects, as native clients see it.
pub(crate) fn as_refusal(error: Error) -> Error {
    match error {
        Error::Invalid { reason, .. } => Error::Refused(reason),
        other => other,
    }
}

/// Stores the files and records them, all or none.
pub(crate) async fn record_native(
    house: &House,
    caller: &Caller,
    arrival: NativeArrival,
    terms: &NativeTerms,
) -> Result<()> {
    let NativeArrival { version, package, format, is_published, files: sent } = arrival;
    let mut files = Vec::new();
    for (file, content) in sent {
        files.push(store_file(house, format, terms, file, content).await?);
    }
    // Sort by path, so that two uploads lock their rows in the same order and cannot deadlock.
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let replace = terms.native.replaces(&terms.publish);
    let flags = UploadFlags { publish: is_published, replace, ..UploadFlags::default() };
    record::record_native(house, caller, &NewFiles { version, package, flags, files }, terms).await
}

async fn store_file(
    house: &House,
    format: &'static dyn Format,
    terms: &NativeTerms,
    file: NativeFile,
    content: NativeContent,
) -> Result<ReceivedFile> {
    let ReceivedContent { blob, stored } = content.store(house).await?;
    let mut inspected = store::inspect(house, format, &file.path, &blob).await.map_err(as_refusal)?;
    if let (Some(metadata), Some(about)) = (&file.metadata, &inspected.about) {
        terms.native.check_metadata(metadata, about).map_err(Error::Refused)?;
        inspected.facts = terms.native.sent_facts(metadata, about).or(inspected.facts);
    }
    Ok(ReceivedFile { id: house.next_id(), path: file.path, blob, stored, inspected })
}
