//! Forms with files, parsed as they arrive: memory holds never more than one piece of the body.

use axum::{
    BoxError,
    body::{Body, BodyDataStream},
    http::{HeaderMap, header},
};
use bytes::{Buf, Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};
use memchr::memmem;

use crate::error::{Failure, Result, too_slow_answer};

/// The most bytes of the head of a part.
const HEAD_BYTES: usize = 4 * 1024;

/// The most bytes of a boundary, as the specification says.
const BOUNDARY_BYTES: usize = 70;

/// The most bytes of a field that is not a file.
const FIELD_BYTES: usize = 4 * 1024;

/// A form that is being received.
pub struct Multipart {
    body: BodyDataStream,
    buffer: BytesMut,
    /// The end of a part: a line break, two dashes and the boundary.
    delimiter: Vec<u8>,
}

/// One part of the form.
#[derive(Debug, PartialEq, Eq)]
pub struct FormPart {
    /// The name of its field.
    pub name: String,
    /// The name of the file, if it is one.
    pub file_name: Option<String>,
}

impl Multipart {
    /// Starts to read a form with files; its content type names the boundary.
    pub fn new(headers: &HeaderMap, body: Body) -> Result<Self> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let boundary = boundary(kind).ok_or_else(|| Failure::bad_request("The form contains no files"))?;
        // A boundary at the very start has no line break before it.
        let buffer = BytesMut::from(&b"\r\n"[..]);
        Ok(Self { body: body.into_data_stream(), buffer, delimiter: format!("\r\n--{boundary}").into_bytes() })
    }

    /// The next part, after skipping the rest of the previous one; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<FormPart>> {
        while self.chunk().await.map_err(broken)?.is_some() {}
        self.need(self.delimiter.len() + 2).await?;
        self.buffer.advance(self.delimiter.len());
        if self.buffer.starts_with(b"--") {
            return Ok(None);
        }
        let end = self.end_of_head().await?;
        let head = self.buffer.split_to(end + 4);
        let head = std::str::from_utf8(&head).map_err(|_| Failure::bad_request("The form is not UTF-8"))?;
        part(head).map(Some).ok_or_else(|| Failure::bad_request("A part of the form has no name"))
    }

    /// The next piece of this part; `None` at its end.
    pub async fn chunk(&mut self) -> std::result::Result<Option<Bytes>, BoxError> {
        loop {
            let found = memmem::find(&self.buffer, &self.delimiter);
            // Bytes that may be the start of the delimiter wait for the next ones.
            let sure = found.unwrap_or_else(|| (self.buffer.len() + 1).saturating_sub(self.delimiter.len()));
            match (sure, found) {
                (0, Some(_)) => return Ok(None),
                (0, None) => self.fill().await?,
                _ => return Ok(Some(self.buffer.split_to(sure).freeze())),
            }
        }
    }

    /// This part as a stream.
    pub fn content(&mut self) -> impl Stream<Item = std::result::Result<Bytes, BoxError>> + Send + '_ {
        stream::try_unfold(self, |form| async move { Ok(form.chunk().await?.map(|piece| (piece, form))) })
    }

    /// This part as a short text.
    pub async fn text(&mut self) -> Result<String> {
        self.text_within(FIELD_BYTES).await
    }

    /// This part as a text of at most so many bytes.
    pub async fn text_within(&mut self, max_bytes: usize) -> Result<String> {
        let mut text = Vec::new();
        while let Some(piece) = self.chunk().await.map_err(broken)? {
            text.extend_from_slice(&piece);
            if text.len() > max_bytes {
                return Err(Failure::bad_request("A field of the form is too long"));
            }
        }
        String::from_utf8(text).map_err(|_| Failure::bad_request("The form is not UTF-8"))
    }

    async fn end_of_head(&mut self) -> Result<usize> {
        loop {
            match memmem::find(&self.buffer, b"\r\n\r\n") {
                Some(end) if end <= HEAD_BYTES => return Ok(end),
                None if self.buffer.len() <= HEAD_BYTES => self.fill().await.map_err(broken)?,
                _ => return Err(Failure::bad_request("The head of a part of the form is too long")),
            }
        }
    }

    async fn need(&mut self, bytes: usize) -> Result<()> {
        while self.buffer.len() < bytes {
            self.fill().await.map_err(broken)?;
        }
        Ok(())
    }

    async fn fill(&mut self) -> std::result::Result<(), BoxError> {
        match self.body.next().await {
            Some(piece) => {
                self.buffer.extend_from_slice(&piece?);
                Ok(())
            }
            None => Err("the form ends too early".into()),
        }
    }
}

fn broken(error: BoxError) -> Failure {
    too_slow_answer(&*error).unwrap_or_else(|| Failure::bad_request("The form is incomplete"))
}

/// The boundary in a content type.
fn boundary(kind: &str) -> Option<&str> {
    let rest = kind.strip_prefix("multipart/form-data")?;
    let mut parameters = rest.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let (_, boundary) = parameters.find(|(name, _)| name.eq_ignore_ascii_case("boundary"))?;
    let boundary = boundary.trim_matches('"');
    (!boundary.is_empty() && boundary.len() <= BOUNDARY_BYTES).then_some(boundary)
}

/// Parses the head of a part. Browsers escape quotes and line breaks in names; some clients leave out the quotes.
fn part(head: &str) -> Option<FormPart> {
    let mut lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let (_, disposition) = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-disposition"))?;
    let value = |name: &str| match disposition.split_once(&format!("; {name}=\"")) {
        Some((_, rest)) => {
            rest.split('"').next().map(|text| text.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
        }
        None => {
            let (_, rest) = disposition.split_once(&format!("; {name}="))?;
            rest.split(';').next().map(|text| text.trim().to_owned())
        }
    };
    Some(FormPart { name: value("name")?, file_name: value("filename") })
}

#[cfg(test)]
mod tests;
