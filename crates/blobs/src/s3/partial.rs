//! Uploads in pieces: one multipart upload, and an object for the bytes that do not fill a part yet.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use object_store::{
    ObjectStoreExt,
    multipart::{MultipartStore, PartId},
    path::Path,
};

use super::{
    S3,
    commit::{S3Pending, Source},
    error::{found, unless_ok},
    multipart::TemporaryObject,
    receive::PART_BYTES,
};
use crate::{
    body::Body,
    error::{BoxError, Error},
    layout,
    partial::{PartialUpload, broken},
    pending::{PendingBlob, PendingLocation, ReceiveOptions},
};

/// What the store has of an upload, as it is recorded: lines with the name, the name of the tail, the id of the
/// multipart upload and the ids of its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Place {
    name: String,
    /// The object with the bytes behind the last part; empty if there are none.
    tail: String,
    /// The id of the multipart upload; empty until there is one.
    id: String,
    parts: Vec<String>,
}

impl Place {
    fn parse(text: &str) -> Result<Self, Error> {
        let mut lines = text.split('\n').map(str::to_owned);
        match (lines.next(), lines.next(), lines.next()) {
            (Some(name), Some(tail), Some(id)) if !name.is_empty() => {
                Ok(Self { name, tail, id, parts: lines.collect() })
            }
            _ => Err(broken("its place is not one of a bucket")),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}\n{}", self.name, self.tail, self.id)?;
        self.parts.iter().try_for_each(|part| write!(f, "\n{part}"))
    }
}

impl S3 {
    pub(crate) fn partial_place(&self) -> String {
        Place { name: self.names.next(), ..Place::default() }.to_string()
    }

    /// Sends the full parts of a piece, together with the tail of the piece before it; the rest is the new tail.
    pub(crate) async fn append_partial<S, E>(
        self: &Arc<Self>,
        upload: &PartialUpload,
        mut body: Body<'_, S>,
    ) -> Result<PartialUpload, Error>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: Into<BoxError>,
    {
        let mut hashes = upload.hashes()?;
        let _slot = self.upload_place().await?;
        let (mut place, mut size) = (Place::parse(&upload.place)?, upload.size);
        let mut part = self.read_tail(&place).await?;
        let mut known = part.len();
        loop {
            body.fill(&mut part, PART_BYTES).await?;
            let piece = part.split().freeze();
            let new = piece.slice(known..);
            size += new.len() as u64;
            if piece.len() < PART_BYTES {
                hashes = hashes.updated(new).await?;
                if size > upload.size {
                    place.tail = self.write_tail(piece).await?;
                }
                return Ok(PartialUpload { place: place.to_string(), size, states: hashes.states() });
            }
            (hashes, ()) = tokio::try_join!(hashes.updated(new), self.send_part(&mut place, piece))?;
            known = 0;
        }
    }

    async fn read_tail(&self, place: &Place) -> Result<BytesMut, Error> {
        if place.tail.is_empty() {
            return Ok(BytesMut::new());
        }
        let path = self.partial_path(&place.tail);
        let got =
            found("getting", &path, self.client.get(&path).await)?.ok_or_else(|| broken("its tail is missing"))?;
        Ok(BytesMut::from(&unless_ok("getting", &path, got.bytes().await)?[..]))
    }

    /// Writes the new tail. Its name is new, so that the recorded one stays until the new one is recorded, and so that a
    /// request of a process that has died cannot replace it.
    async fn write_tail(&self, tail: Bytes) -> Result<String, Error> {
        if tail.is_empty() {
            return Ok(String::new());
        }
        let name = self.names.next();
        let path = self.partial_path(&name);
        unless_ok("putting", &path, self.client.put(&path, tail.into()).await)?;
        Ok(name)
    }

    /// Sends the next part. A part that was sent but never recorded has the same number, and is replaced.
    async fn send_part(&self, place: &mut Place, part: Bytes) -> Result<(), Error> {
        let path = self.partial_path(&place.name);
        if place.id.is_empty() {
            place.id = unless_ok("starting", &path, self.client.create_multipart(&path).await)?;
        }
        let sent = self.client.put_part(&path, &place.id, place.parts.len(), part.into()).await;
        place.parts.push(unless_ok("sending a part of", &path, sent)?.content_id);
        Ok(())
    }

    pub(crate) async fn finish_partial(self: &Arc<Self>, upload: &PartialUpload) -> Result<PendingBlob, Error> {
        let sums = upload.hashes()?.finish();
        let mut place = Place::parse(&upload.place)?;
        let tail = self.read_tail(&place).await?.freeze();
        let source = if place.id.is_empty() {
            Source::Memory(tail, Some(self.upload_place().await?))
        } else {
            let path = self.partial_path(&place.name);
            if !tail.is_empty() {
                self.send_part(&mut place, tail).await?;
            }
            let parts = place.parts.into_iter().map(|content_id| PartId { content_id }).collect();
            let completed = self.patient_client.complete_multipart(&path, &place.id, parts).await;
            unless_ok("completing", &path, completed)?;
            Source::Object(TemporaryObject::adopt(self, path))
        };
        let pending = S3Pending { s3: Arc::clone(self), source };
        Ok(PendingBlob::hashed(sums, ReceiveOptions::SHA256, PendingLocation::S3(pending)))
    }

    pub(crate) async fn discard_partial(
        &self,
        upload: &PartialUpload,
        later: Option<&PartialUpload>,
    ) -> Result<(), Error> {
        let place = Place::parse(&upload.place)?;
        let later = later.map(|later| Place::parse(&later.place)).transpose()?;
        if !place.tail.is_empty() && later.as_ref().is_none_or(|later| later.tail != place.tail) {
            let path = self.partial_path(&place.tail);
            found("removing", &path, self.client.delete(&path).await)?;
        }
        if !place.id.is_empty() && later.is_none() {
            let path = self.partial_path(&place.name);
            found("aborting", &path, self.client.abort_multipart(&path, &place.id).await)?;
        }
        Ok(())
    }

    fn partial_path(&self, name: &str) -> Path {
        self.path(&format!("{}/{name}", layout::TEMPORARY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_travels_as_text() {
        let parts = vec!["\"a\"".to_owned(), "\"b\"".to_owned()];
        let place = Place { name: "1-2".to_owned(), tail: "1-2-9".to_owned(), id: "x".to_owned(), parts };
        assert_eq!(Place::parse(&place.to_string()).expect("a place"), place);
        let empty = Place { name: "1-2".to_owned(), ..Place::default() };
        assert_eq!(Place::parse(&empty.to_string()).expect("a place"), empty);
        assert!(Place::parse("1-2").is_err());
    }
}
