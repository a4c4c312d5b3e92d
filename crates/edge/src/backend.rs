//! What the edge needs from the service behind it.

use std::{error::Error, fs::File, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Request, Response};
use model::timestamp::Timestamp;

use crate::{Client, RequestBody, RequestId, ResponseHead, Standing};

/// Any error of a body.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// The service behind the edge. Cheap to clone.
pub trait Backend: Clone + Send + Sync + 'static {
    /// The body of a response.
    type Body: http_body::Body<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static;

    /// A response that the service has cached and that may be replayed.
    type Cached: Send + Sync + 'static;

    /// Answers a request.
    fn call(
        &self,
        request: Request<RequestBody>,
        context: Context,
    ) -> impl Future<Output = Reply<Self::Body, Self::Cached>> + Send;

    /// A cached response, if the service would give it to this client now. Asked before every replay.
    fn replay<'c>(&self, cached: &'c Self::Cached, client: &Client, has_credentials: bool) -> Option<Replay<'c>>;

    /// A replay was sent to its end.
    fn completed(&self, cached: &Self::Cached, completed: CompletedReplay<'_>);

    /// The part of a file that bytes are a mapping of, so that the kernel can send it.
    fn locate(bytes: &[u8]) -> Option<FileRange>;

    /// The time by the service's clock.
    fn now(&self) -> Timestamp;
}

/// What the edge knows about a request beside its head and body.
#[derive(Debug, Clone)]
pub struct Context {
    /// Who sent it.
    pub client: Client,
    /// Its id in responses and logs.
    pub id: RequestId,
    /// Whether somebody has signed in on its connection.
    pub standing: Standing,
}

/// The answer to a request.
pub struct Reply<B, C> {
    /// The response.
    pub response: Response<B>,
    /// Where the response came from, if a request that is equal to the byte may get it again. Its body has at most
    /// [`LARGEST_REPLAY`](crate::LARGEST_REPLAY) bytes.
    pub cached: Option<Arc<C>>,
}

/// A response that is sent without parsing the request.
pub struct Replay<'c> {
    /// Its head as it was written the first time.
    pub head: &'c ResponseHead,
    /// The value of the head's varying header, if it has one.
    pub varying: Option<i64>,
    /// All of its body.
    pub body: Bytes,
}

/// A replay that was sent to its end.
#[derive(Debug, Clone, Copy)]
pub struct CompletedReplay<'r> {
    /// Who got it.
    pub client: &'r Client,
    /// When the request came.
    pub at: Timestamp,
    /// How long sending took.
    pub took: Duration,
    /// The `Referer` of the request.
    pub referer: Option<&'r Arc<str>>,
    /// The `User-Agent` of the request.
    pub agent: Option<&'r Arc<str>>,
}

/// A part of a file.
#[derive(Debug, Clone)]
pub struct FileRange {
    /// The file.
    pub file: Arc<File>,
    /// Where the part begins.
    pub offset: u64,
}
