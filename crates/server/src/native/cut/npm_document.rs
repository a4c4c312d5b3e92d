//! A JSON document whose `_attachments` are files in base64. The files go to the store as they arrive.

use axum::{
    BoxError,
    body::{Body, BodyDataStream},
};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use operations::native::NativeUpload;
use web::error::{Failure, Result};

use super::{
    FILES, broken,
    scanner::{Scanner, Step},
    too_many_files,
};

/// Stores the attachments and keeps the document without them.
pub(in crate::native) async fn cut(upload: &mut NativeUpload<'_>, body: Body) -> Result<()> {
    let mut document = Document::new(body);
    let mut files = 0;
    while let Some(key) = document.next_file().await? {
        files += 1;
        if files > FILES {
            return Err(too_many_files());
        }
        if let Err(error) = upload.receive(key.clone(), key, document.content()).await {
            return Err(document.failure.take().unwrap_or_else(|| error.into()));
        }
    }
    upload.set_document(document.scanner.finish()?);
    Ok(())
}

/// A document that is being received.
struct Document {
    body: BodyDataStream,
    input: Bytes,
    scanner: Scanner,
    /// Why the document is refused, if it is: the stream of a file can only report that it broke off.
    failure: Option<Failure>,
}

impl Document {
    fn new(body: Body) -> Self {
        Self { body: body.into_data_stream(), input: Bytes::new(), scanner: Scanner::default(), failure: None }
    }

    /// The key of the next attachment whose content begins; `None` at the end of the body.
    async fn next_file(&mut self) -> Result<Option<String>> {
        loop {
            match self.scanner.step(&mut self.input)? {
                Step::File(key) => return Ok(Some(key)),
                Step::Content(_) | Step::End => {}
                Step::Nothing => {
                    if !self.fill().await.map_err(|error| broken(&error))? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// The content of this attachment.
    fn content(&mut self) -> impl Stream<Item = std::result::Result<Bytes, BoxError>> + Send + '_ {
        stream::try_unfold(self, |document| async move { Ok(document.chunk().await?.map(|piece| (piece, document))) })
    }

    async fn chunk(&mut self) -> std::result::Result<Option<Bytes>, BoxError> {
        loop {
            match self.scanner.step(&mut self.input) {
                Ok(Step::Content(piece)) => return Ok(Some(piece.into())),
                Ok(Step::End | Step::File(_)) => return Ok(None),
                Ok(Step::Nothing) => {
                    if !self.fill().await? {
                        self.failure = Some(Failure::bad_request("The document ends too early"));
                        return Err("the document ends too early".into());
                    }
                }
                Err(failure) => {
                    self.failure = Some(failure);
                    return Err("the document is not valid".into());
                }
            }
        }
    }

    async fn fill(&mut self) -> std::result::Result<bool, BoxError> {
        match self.body.next().await {
            Some(piece) => {
                self.input = piece?;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}
