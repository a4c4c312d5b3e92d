//! Uploads to the server's registry.

use std::{io::Read, time::Duration};

use bytes::Bytes;
use futures_util::stream;
use reqwest::{Body, Method, StatusCode, header};
use tokio::sync::mpsc;

use super::layout::ImageContent;
use crate::{
    address::PackageAddress,
    client::{Client, Unreadable},
    content::push::{
        reading::PIECE,
        summary::PushOutcome,
        upload::{is_passing, silence},
    },
    error::{Error, ExitKind, Result},
    progress::FileProgress,
};

/// Maximum number of attempts for a blob.
const ATTEMPTS: u32 = 5;

/// An image on the server.
pub(super) struct Registry {
    client: Client,
    /// The URL path of the image.
    base: String,
}

impl Registry {
    pub(super) fn new(client: &Client, at: &PackageAddress) -> Result<Self> {
        client.user()?;
        let (owner, repo) = (at.repo.owner.to_lowercase(), at.repo.repo.to_lowercase());
        let base = format!("/v2/{owner}/{repo}/{}", at.package.replace(':', "/"));
        Ok(Self { client: client.for_uploads()?, base })
    }

    /// Uploads a blob unless the image has it, with retries and growing pauses while that may help.
    pub(super) async fn send_blob(&self, digest: &str, part: &ImageContent, bar: &FileProgress) -> Result<PushOutcome> {
        let mut attempt = 1;
        loop {
            match self.try_blob(digest, part, bar).await {
                Err(error) if is_passing(&error) && attempt < ATTEMPTS => {
                    bar.restart();
                    tokio::time::sleep(Duration::from_millis(250 << attempt)).await;
                    attempt += 1;
                }
                done => return done,
            }
        }
    }

    async fn try_blob(&self, digest: &str, part: &ImageContent, bar: &FileProgress) -> Result<PushOutcome> {
        let client = &self.client;
        let head = client.request(Method::HEAD, &format!("{}/blobs/{digest}", self.base)).timeout(client.timeout);
        if client.answer(head).await?.status() == StatusCode::OK {
            bar.complete();
            return Ok(PushOutcome::Identical);
        }
        let begin = client.request(Method::POST, &format!("{}/blobs/uploads/", self.base)).timeout(client.timeout);
        let begun = client.patiently(begin.header(header::CONTENT_LENGTH, 0)).await?;
        let location = begun.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
        let location = location.filter(|location| location.starts_with('/'));
        let location = location.ok_or_else(|| Error::new(ExitKind::Failed, "the server names no upload"))?;
        let put = client.request(Method::PUT, &format!("{location}?digest={digest}"));
        let put = put.header(header::CONTENT_LENGTH, part.size).body(body(part.clone(), bar.clone()));
        tokio::select! {
            answer = client.once(put) => answer.map(|_| PushOutcome::Uploaded),
            () = silence(bar, client.timeout) => {
                let seconds = client.timeout.as_secs();
                Err(Error::new(ExitKind::Unreachable, format!("{} accepted no data for {seconds} s", client.url)))
            }
        }
    }

    /// Puts a manifest under its tag or digest.
    pub(super) async fn put_manifest(&self, reference: &str, media_type: &str, bytes: Vec<u8>) -> Result<()> {
        let put = self.client.request(Method::PUT, &format!("{}/manifests/{reference}", self.base));
        let put = put.header(header::CONTENT_TYPE, media_type).timeout(self.client.timeout).body(bytes);
        self.client.patiently(put).await.map(drop)
    }
}

/// A body with the bytes of a part, read on a thread that may block.
fn body(part: ImageContent, bar: FileProgress) -> Body {
    let (sender, mut pieces) = mpsc::channel::<std::result::Result<Bytes, Unreadable>>(4);
    tokio::task::spawn_blocking(move || {
        let failed = |error: &std::io::Error| Err(Unreadable::new(&part.path, error));
        let mut file = match part.open() {
            Ok(file) => file,
            Err(error) => return drop(sender.blocking_send(failed(&error))),
        };
        loop {
            let mut buffer = vec![0; PIECE];
            let piece = match file.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => Ok(Bytes::from(buffer).slice(..length)),
                Err(error) => failed(&error),
            };
            let is_last = piece.is_err();
            if sender.blocking_send(piece).is_err() || is_last {
                return;
            }
        }
    });
    Body::wrap_stream(stream::poll_fn(move |context| {
        let piece = pieces.poll_recv(context);
        if let std::task::Poll::Ready(Some(Ok(piece))) = &piece {
            bar.advance(piece.len() as u64);
        }
        piece
    }))
}
