//! The interface between the edge and the service behind it.

use std::{error::Error, fs::File, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Request, Response};
use model::timestamp::Timestamp;

use crate::{Client, RequestBody, RequestId, ResponseHead, Standing};

/// An error of a body.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// The service behind the edge. It must be cheap to clone.
pub trait Backend: Clone + Send + Sync + 'static {
    /// The body of a response.
    type Body: http_body::Body<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static;

    /// A cached response of the service that may be replayed.
    type Cached: Send + Sync + 'static;

    /// Answers a request.
    fn call(
        &self,
        request: Request<RequestBody>,
        context: Context,
    ) -> impl Future<Output = Reply<Self::Body, Self::Cached>> + Send;

    /// Returns a cached response if it is still valid for this client. Called before every replay.
    fn replay<'c>(&self, cached: &'c Self::Cached, client: &Client, has_credentials: bool) -> Option<Replay<'c>>;

    /// Called when a replay was sent completely.
    fn completed(&self, cached: &Self::Cached, completed: CompletedReplay<'_>);

    /// Returns the file range that bytes are a mapping of, so that the kernel can send it.
    fn locate(bytes: &[u8]) -> Option<FileRange>;

    /// Returns the time of the service's clock.
    fn now(&self) -> Timestamp;
}

/// Information about a request besides its head and body.
#[derive(Debug, Clone)]
pub struct Context {
    /// The client that sent it.
    pub client: Client,
    /// Its id in responses and logs.
    pub id: RequestId,
    /// Whether a client has signed in on its connection.
    pub standing: Standing,
}

/// The reply to a request.
pub struct Reply<B, C> {
    /// The response.
    pub response: Response<B>,
    /// The cached response, if it may be replayed to byte-identical requests. Its body has at most
    /// [`LARGEST_REPLAY`](crate::LARGEST_REPLAY) bytes.
    pub cached: Option<Arc<C>>,
}

/// A response that is sent without parsing the request.
pub struct Replay<'c> {
    /// Its serialized head.
    pub head: &'c ResponseHead,
    /// The value of the head's varying header, if it has one.
    pub varying: Option<i64>,
    /// The whole body.
    pub body: Bytes,
}

/// A replay that was sent completely.
#[derive(Debug, Clone, Copy)]
pub struct CompletedReplay<'r> {
    /// The client that received it.
    pub client: &'r Client,
    /// When the request arrived.
    pub at: Timestamp,
    /// How long sending took.
    pub took: Duration,
    /// The `Referer` of the request.
    pub referer: Option<&'r Arc<str>>,
    /// The `User-Agent` of the request.
    pub agent: Option<&'r Arc<str>>,
}

/// A range of a file.
#[derive(Debug, Clone)]
pub struct FileRange {
    /// The file.
    pub file: Arc<File>,
    /// Where the range begins.
    pub offset: u64,
}
