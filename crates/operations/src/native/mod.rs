//! Requests of native clients: what they ask, change and publish.

use blobs::BoxError;
use bytes::Bytes;
use database::catalogue::repos;
use futures_util::Stream;
use model::{access::Right, address::RepoAddress};

use crate::{
    Caller, Error, House, Result, access,
    format::{Format, NativeAnswer, NativeCall, NativeChange, Question},
};

/// Returns the format of a repository, for any caller.
pub async fn format_of(house: &House, at: &RepoAddress) -> Result<Option<&'static dyn Format>> {
    let found = repos::find_alike(&house.db, &at.owner, &at.repo, None).await?;
    Ok(found.filter(|(_, is_there)| *is_there).map(|(found, _)| house.format(&found.repo.kind)))
}

/// Rejects callers who may not read the repository.
pub async fn check_read(house: &House, caller: &Caller, at: &RepoAddress) -> Result<()> {
    match access::repo(&house.db, caller, at, Right::Read).await {
        Ok(_) => Ok(()),
        Err(Error::NotFound { .. }) if !caller.is_signed_in() => Err(Error::sign_in()),
        Err(error) => Err(error),
    }
}

/// Answers a question.
pub async fn ask(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    _call: &NativeCall<'_>,
    _question: &Question,
) -> Result<NativeAnswer> {
    check_read(house, caller, at).await?;
    Err(Error::Unavailable("native questions".into()))
}

/// Makes changes.
pub async fn change(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    _call: &NativeCall<'_>,
    _changes: &[NativeChange],
) -> Result<NativeAnswer> {
    access::repo(&house.db, caller, at, Right::Publish).await?;
    Err(Error::Unavailable("native changes".into()))
}

/// A publish that is being received.
pub struct NativeUpload;

impl NativeUpload {
    /// Begins a publish for a caller who may publish, before a byte of the body is read.
    pub async fn begin(house: &House, caller: &Caller, at: &RepoAddress, _expected_bytes: Option<u64>) -> Result<Self> {
        access::repo(&house.db, caller, at, Right::Publish).await?;
        Ok(Self)
    }

    /// Stores a file of the body.
    pub async fn receive<S, E>(&mut self, _field: String, _file_name: String, _body: S) -> Result<()>
    where
        S: Stream<Item = std::result::Result<Bytes, E>> + Send,
        E: Into<BoxError>,
    {
        Err(Error::Unavailable("native uploads".into()))
    }

    /// Adds a field of a form.
    pub fn add_field(&mut self, _name: String, _value: String) {}

    /// Sets the document.
    pub fn set_document(&mut self, _bytes: Vec<u8>) {}

    /// Publishes what was received.
    pub async fn finish(self, _call: &NativeCall<'_>) -> Result<NativeAnswer> {
        Err(Error::Unavailable("native uploads".into()))
    }
}
