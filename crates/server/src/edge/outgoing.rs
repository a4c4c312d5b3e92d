//! The body of an answer.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::turn::PendingResponse;
use crate::download::DownloadBody;

/// A body on its way out.
pub(crate) struct ResponseBody {
    content: Content,
    /// Dropped with the body, which the parser does when it has written all of it.
    _answering: PendingResponse,
}

/// What is sent. That of a kept download goes as it is: it is asked for too often to be boxed.
pub(crate) enum Content {
    Kept(DownloadBody),
    Other(Body),
}

impl ResponseBody {
    pub(super) fn new(content: Content, answering: PendingResponse) -> Self {
        Self { content, _answering: answering }
    }
}

impl http_body::Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match &mut self.get_mut().content {
            Content::Kept(body) => Pin::new(body).poll_frame(cx).map_err(axum::Error::new),
            Content::Other(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::Kept(body) => body.is_end_stream(),
            Content::Other(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Kept(body) => body.size_hint(),
            Content::Other(body) => body.size_hint(),
        }
    }
}
