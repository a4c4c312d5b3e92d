//! Uploads of blobs: whole, in pieces, or mounted from another image.

use axum::{
    body::Body,
    http::{StatusCode, header},
    response::Response,
};
use formats::oci::{
    ImageName, OciDigest,
    error::{OciError, OciErrorCode},
    path::{blob_path, upload_path},
    range::{ChunkRange, check_chunk, range_header},
};
use model::digest::Digest;
use operations::{
    oci::{
        self, finished_uploads,
        uploads::{self, OpenUpload},
    },
    run_to_end,
};

use super::{Call, Result, address, caller::ImageAction, empty, failure::Refused, query};

/// The SHA-256 of a digest.
pub(super) fn sha256(digest: &OciDigest) -> Digest {
    digest.hex().parse().expect("an OCI digest has the digits of a SHA-256")
}

impl Call<'_> {
    /// Begins an upload; stores a whole blob; or mounts one.
    pub(super) async fn begin_upload(&self, body: Body) -> Result<Response> {
        if let Some(digest) = query(self.parts, "digest")? {
            let digest = OciDigest::parse(digest)?;
            self.check_announced_size()?;
            let stream = body.into_data_stream();
            finished_uploads::store(self.app.house(), &self.who.caller, &self.at, sha256(&digest), stream).await?;
            return Ok(self.stored(&digest));
        }
        if let Some(digest) = query(self.parts, "mount")? {
            let digest = OciDigest::parse(digest)?;
            if self.mount(&digest).await? {
                return Ok(self.stored(&digest));
            }
        }
        let id = uploads::begin(self.app.house(), &self.who.caller, &self.at).await?;
        Ok(self.progress(StatusCode::ACCEPTED, &id, 0))
    }

    async fn mount(&self, digest: &OciDigest) -> Result<bool> {
        let Some(from) = query(self.parts, "from")? else { return Ok(false) };
        // A name that is not valid, or that the token is not for, has nothing to mount.
        let Ok(name) = ImageName::parse(from) else { return Ok(false) };
        if !self.who.is_for(&name, ImageAction::Pull) {
            return Ok(false);
        }
        let Ok(from) = address(self.app, &name).await else { return Ok(false) };
        Ok(oci::mount(self.app.house(), &self.who.caller, &self.at, &from, sha256(digest)).await?)
    }

    pub(super) async fn append(&self, id: &str, body: Body) -> Result<Response> {
        let open = self.find_upload(id).await?;
        let size = uploads::append(self.app.house(), open, body.into_data_stream()).await?;
        Ok(self.progress(StatusCode::ACCEPTED, id, size))
    }

    pub(super) async fn finish(&self, id: &str, body: Body) -> Result<Response> {
        let Some(digest) = query(self.parts, "digest")? else {
            return Err(OciError::new(OciErrorCode::DigestInvalid, "the digest of the blob is missing").into());
        };
        let digest = OciDigest::parse(digest)?;
        let open = self.find_upload(id).await?;
        let (app, caller, at, sum) = (self.app.clone(), self.who.caller.clone(), self.at.clone(), sha256(&digest));
        let stream = body.into_data_stream();
        if open.is_new() {
            finished_uploads::finish_at_once(app.house(), &caller, &at, open, sum, stream).await?;
        } else {
            let finish = async move { finished_uploads::finish(app.house(), &caller, &at, open, sum, stream).await };
            run_to_end(finish).await?;
        }
        Ok(self.stored(&digest))
    }

    pub(super) async fn show_upload(&self, id: &str) -> Result<Response> {
        let open = uploads::find(self.app.house(), &self.who.caller, &self.at, id).await?;
        Ok(self.progress(StatusCode::NO_CONTENT, id, open.size()))
    }

    pub(super) async fn cancel(&self, id: &str) -> Result<Response> {
        uploads::cancel(self.app.house(), &self.who.caller, &self.at, id).await?;
        Ok(empty(StatusCode::NO_CONTENT, &[]))
    }

    /// Finds an upload, and compares the range of the piece in the body with the bytes that came before.
    async fn find_upload(&self, id: &str) -> Result<OpenUpload> {
        let open = uploads::find(self.app.house(), &self.who.caller, &self.at, id).await?;
        self.check_announced_size()?;
        let text = self.parts.headers.get(header::CONTENT_RANGE).map(|value| value.to_str().unwrap_or_default());
        let range = text.map(ChunkRange::parse).transpose()?;
        let refuse = |error: OciError| match error.status {
            416 => Refused::Range(error, range_header(open.size())),
            _ => Refused::Oci(error),
        };
        check_chunk(range, self.announced_size(), open.size()).map_err(refuse)?;
        Ok(open)
    }

    fn announced_size(&self) -> Option<u64> {
        self.parts.headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }

    /// Rejects a body that is too large before any of it is sent.
    fn check_announced_size(&self) -> Result<()> {
        let limit = self.app.house().policy.upload_bytes;
        match self.announced_size().filter(|size| *size > limit) {
            Some(size) => {
                let message = format!("the content has {size} bytes; the limit is {limit}");
                Err(OciError::new(OciErrorCode::SizeInvalid, message).with_status(413).into())
            }
            None => Ok(()),
        }
    }

    fn progress(&self, status: StatusCode, id: &str, size: u64) -> Response {
        let headers = [
            ("location", upload_path(self.name, id)),
            ("range", range_header(size)),
            ("docker-upload-uuid", id.to_owned()),
        ];
        empty(status, &headers)
    }

    fn stored(&self, digest: &OciDigest) -> Response {
        let headers =
            [("location", blob_path(self.name, digest)), ("docker-content-digest", digest.as_str().to_owned())];
        empty(StatusCode::CREATED, &headers)
    }
}
