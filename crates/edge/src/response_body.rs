//! The body of a response that the parser is writing.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use http_body::{Body, Frame, SizeHint};

use crate::parser_state::PendingResponse;

/// A body with a marker that is dropped when the parser has written the whole body.
pub(crate) struct ResponseBody<B> {
    body: B,
    _pending: PendingResponse,
}

impl<B> ResponseBody<B> {
    pub(crate) fn new(body: B, pending: PendingResponse) -> Self {
        Self { body, _pending: pending }
    }
}

impl<B: Body + Unpin> Body for ResponseBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
