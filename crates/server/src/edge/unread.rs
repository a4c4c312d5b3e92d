//! Bodies that nobody reads to their end, as when an upload is refused half-way.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::http::{HeaderMap, HeaderValue, Request, Version, header};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};

/// Whether the body of a request was read to its end.
pub(super) struct Reading {
    version: Version,
    has_ended: Arc<AtomicBool>,
}

impl Reading {
    /// Watches the body of a request.
    pub(super) fn watch(request: Request<Incoming>) -> (Self, Request<Watched>) {
        let has_ended = Arc::new(AtomicBool::new(request.body().is_end_stream()));
        let reading = Self { version: request.version(), has_ended: Arc::clone(&has_ended) };
        (reading, request.map(|body| Watched { body, has_ended }))
    }

    /// Says that the connection ends with this answer where it has to: what is left of the body stands in the way of the
    /// next request. A client that is not told sends one into a closing connection.
    pub(super) fn tell(&self, headers: &mut HeaderMap) {
        if self.version < Version::HTTP_2 && !self.has_ended.load(Ordering::Relaxed) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

/// A body that notices its end.
pub(super) struct Watched {
    body: Incoming,
    has_ended: Arc<AtomicBool>,
}

impl Body for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.has_ended.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
