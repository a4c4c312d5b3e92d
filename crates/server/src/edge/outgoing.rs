//! The body of an answer.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::download::DownloadBody;

/// A body on its way out. That of a kept download goes as it is: it is asked for too often to be boxed.
pub(crate) enum Outgoing {
    Kept(DownloadBody),
    Other(Body),
}

impl http_body::Body for Outgoing {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self.get_mut() {
            Self::Kept(body) => Pin::new(body).poll_frame(cx).map_err(axum::Error::new),
            Self::Other(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Kept(body) => body.is_end_stream(),
            Self::Other(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Kept(body) => body.size_hint(),
            Self::Other(body) => body.size_hint(),
        }
    }
}
