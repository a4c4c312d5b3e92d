//! Handles request bodies that the service does not read to the end, for example when it refuses an upload half-way.
//!
//! The response closes the connection, because the rest of the body precedes the next request. The rest is read and
//! dropped for a while: closing a connection while bytes arrive can also lose the response.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use http::{HeaderMap, HeaderValue, Request, Version, header};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};

/// How long the rest of an unread body is drained, and the longest pause between its bytes.
const LINGER: Duration = Duration::from_secs(5);
const LINGER_GAP: Duration = Duration::from_millis(500);

/// Tracks whether the body of a request was read to the end.
pub(crate) struct BodyWatch {
    version: Version,
    /// `None` for a request without a body.
    has_ended: Option<Arc<AtomicBool>>,
}

impl BodyWatch {
    /// Watches the body of a request.
    pub(crate) fn watch(request: Request<Incoming>) -> (Self, Request<WatchedBody>) {
        let has_ended = (!request.body().is_end_stream()).then(Arc::<AtomicBool>::default);
        let reading = Self { version: request.version(), has_ended: has_ended.clone() };
        // Reading from a client that sent `Expect: 100-continue` would tell it to send the body.
        let lingers = request.version() < Version::HTTP_2 && !request.headers().contains_key(header::EXPECT);
        (reading, request.map(|body| WatchedBody { body: Some(body), has_ended, lingers }))
    }

    fn is_unread(&self) -> bool {
        self.has_ended.as_ref().is_some_and(|has_ended| !has_ended.load(Ordering::Relaxed))
    }

    /// Adds `Connection: close` to the response if the body was not read to the end.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        if self.version < Version::HTTP_2 && self.is_unread() {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

/// A body that records when it has ended.
pub struct WatchedBody {
    /// `None` only during the drop.
    body: Option<Incoming>,
    has_ended: Option<Arc<AtomicBool>>,
    lingers: bool,
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(&mut *body).poll_frame(context));
        let is_end = body.is_end_stream();
        if let Some(has_ended) = self.has_ended.as_ref().filter(|_| frame.is_none() || is_end) {
            has_ended.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        let Some(body) = self.body.take().filter(|body| self.lingers && !body.is_end_stream()) else { return };
        // The task ends with the connection at the latest.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(LINGER, read_to_end(body)));
        }
    }
}

async fn read_to_end(mut body: Incoming) {
    let mut next = async || std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
    while let Ok(Some(Ok(_))) = tokio::time::timeout(LINGER_GAP, next()).await {}
}
