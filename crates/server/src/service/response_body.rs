//! The body of a response.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::downloads::DownloadBody;

/// The body to send. The body of a cached download is not boxed, because it is requested too often.
pub(crate) enum ResponseBody {
    Cached(DownloadBody),
    Other(Body),
}

impl http_body::Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match self.get_mut() {
            Self::Cached(body) => Pin::new(body).poll_frame(cx).map_err(axum::Error::new),
            Self::Other(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Cached(body) => body.is_end_stream(),
            Self::Other(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Cached(body) => body.size_hint(),
            Self::Other(body) => body.size_hint(),
        }
    }
}
