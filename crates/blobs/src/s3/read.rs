//! Reads a blob.

use std::{ops::Range, time::Duration};

use futures_util::{StreamExt, stream};
use model::digest::Digest;
use object_store::{
    GetOptions, GetRange, ObjectStore,
    signer::{Method, Signer},
};

use super::{
    S3,
    error::{found, unless_ok},
};
use crate::{
    content::{Content, part},
    error::Error,
};

impl S3 {
    pub(crate) async fn read(&self, digest: Digest, range: Option<Range<u64>>) -> Result<Option<Content>, Error> {
        if let Some(range) = range.clone().filter(Range::is_empty) {
            return self.read_nothing(digest, range).await;
        }
        let path = self.content_path(digest);
        let options = GetOptions { range: range.clone().map(GetRange::Bounded), ..GetOptions::default() };
        let got = match found("getting", &path, self.client.get_opts(&path, options).await) {
            Ok(None) => return Ok(None),
            Ok(Some(got)) => got,
            Err(error) => return Err(self.explain(error, digest, range).await),
        };
        let size = got.meta.size;
        part(digest, range, size)?;
        let stream = got.into_stream().map(move |chunk| unless_ok("getting", &path, chunk)).boxed();
        Ok(Some(Content { size, stream }))
    }

    /// Returns a signed URL, which works for anyone who has it.
    pub(crate) async fn direct_url(&self, digest: Digest, valid_for: Duration) -> Result<String, Error> {
        let path = self.content_path(digest);
        let signed = self.client.signed_url(Method::GET, &path, valid_for).await;
        Ok(unless_ok("signing a URL of", &path, signed)?.to_string())
    }

    /// Reads an empty range, for which the protocol has no request.
    async fn read_nothing(&self, digest: Digest, range: Range<u64>) -> Result<Option<Content>, Error> {
        let Some(size) = self.size(digest).await? else { return Ok(None) };
        part(digest, Some(range), size)?;
        Ok(Some(Content { size, stream: stream::empty().boxed() }))
    }

    /// Converts an error: a rejected request may mean that the range begins after the end.
    async fn explain(&self, error: Error, digest: Digest, range: Option<Range<u64>>) -> Error {
        if range.is_none() || !matches!(error, Error::Broken { .. }) {
            return error;
        }
        match self.size(digest).await {
            Ok(Some(size)) => part(digest, range, size).err().unwrap_or(error),
            _ => error,
        }
    }
}
