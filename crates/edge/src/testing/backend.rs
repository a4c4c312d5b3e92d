//! A service whose responses depend only on the request and on the number of invalidations.

use std::{
    collections::HashMap,
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context as TaskContext, Poll},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};
use model::timestamp::Timestamp;

use crate::{
    Backend, Client, CompletedReplay, Context, FileRange, LARGEST_REPLAY, Replay, Reply, RequestBody, RequestId,
    ResponseHead,
};

/// A header whose value differs in each response.
const VARYING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// The service of one connection.
#[derive(Clone, Default)]
pub(super) struct TestBackend(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    generation: u64,
    cache: HashMap<String, Arc<CachedResponse>>,
    completed: Vec<String>,
    replays: usize,
    /// Counts down in every response, replayed or not.
    remaining: i64,
}

/// A response that is cached until the next invalidation.
pub(super) struct CachedResponse {
    path: String,
    generation: u64,
    headers: HeaderMap,
    body: Bytes,
    head: ResponseHead,
}

impl TestBackend {
    /// Invalidates all cached responses, and changes all bodies.
    pub(super) fn invalidate(&self) {
        self.state().generation += 1;
    }

    pub(super) fn completed_downloads(&self) -> Vec<String> {
        self.state().completed.clone()
    }

    pub(super) fn replays(&self) -> usize {
        self.state().replays
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the response to a plain GET, from the cache if it is valid.
    fn find_cached(&self, request: &Request<RequestBody>) -> Arc<CachedResponse> {
        let mut state = self.state();
        let key = format!("{:?} {:?}", request.uri(), request.headers().get(header::AUTHORIZATION));
        let generation = state.generation;
        if let Some(cached) = state.cache.get(&key).filter(|cached| cached.generation == generation) {
            return Arc::clone(cached);
        }
        let cached = Arc::new(CachedResponse::new(request.uri().path(), generation));
        state.cache.insert(key, Arc::clone(&cached));
        cached
    }

    fn take_remaining(&self) -> i64 {
        let mut state = self.state();
        state.remaining -= 1;
        state.remaining
    }

    fn count(&self, path: &str, referer: Option<&str>, agent: Option<&str>) {
        self.state().completed.push(format!("{path} {referer:?} {agent:?}"));
    }
}

impl CachedResponse {
    fn new(path: &str, generation: u64) -> Self {
        let size = if path == "/large" { 3 << 19 } else { 100 };
        let body = Bytes::from(format!("{path} {generation} ").repeat(size / 10).into_bytes());
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        headers.insert(header::CONTENT_LENGTH, body.len().into());
        RequestId::make_room(&mut headers);
        headers.insert(VARYING, HeaderValue::from_static("0"));
        let head = ResponseHead::new(&headers, body.len() as u64, Some(&VARYING));
        Self { path: path.to_owned(), generation, headers, body, head }
    }
}

impl Backend for TestBackend {
    type Body = CountedBody;
    type Cached = CachedResponse;

    async fn call(&self, request: Request<RequestBody>, _: Context) -> Reply<CountedBody, CachedResponse> {
        if !is_plain(&request) {
            let text = format!("{} {} {}", request.method(), request.uri(), self.state().generation);
            let mut response = Response::new(CountedBody { data: Some(text.into_bytes().into()), counted: None });
            *response.status_mut() = StatusCode::ACCEPTED;
            return Reply { response, cached: None };
        }
        let cached = self.find_cached(&request);
        let text = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let counted = Counted {
            backend: self.clone(),
            path: cached.path.clone(),
            referer: text(header::REFERER).map(str::to_owned),
            agent: text(header::USER_AGENT).map(str::to_owned),
        };
        let body = CountedBody { data: Some(cached.body.clone()), counted: Some(counted) };
        let mut response = Response::new(body);
        *response.headers_mut() = cached.headers.clone();
        response.headers_mut().insert(VARYING, self.take_remaining().into());
        Reply { response, cached: Some(cached).filter(|cached| cached.body.len() as u64 <= LARGEST_REPLAY) }
    }

    fn replay<'c>(&self, cached: &'c CachedResponse, _: &Client, _: bool) -> Option<Replay<'c>> {
        let is_valid = cached.generation == self.state().generation;
        let replay = || Replay { head: &cached.head, varying: Some(self.take_remaining()), body: cached.body.clone() };
        is_valid.then(replay)
    }

    fn completed(&self, cached: &CachedResponse, completed: CompletedReplay<'_>) {
        self.state().replays += 1;
        let text = |text: Option<&'_ Arc<str>>| text.map(ToString::to_string);
        self.count(&cached.path, text(completed.referer).as_deref(), text(completed.agent).as_deref());
    }

    fn locate(_: &[u8]) -> Option<FileRange> {
        None
    }

    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }
}

/// Returns whether a request is a plain GET of the whole file with one `Host` header.
fn is_plain<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    let is_conditional = [header::RANGE, header::IF_NONE_MATCH].iter().any(|name| headers.contains_key(name));
    request.method() == Method::GET && !is_conditional && headers.get_all(header::HOST).iter().count() == 1
}

/// A body in one piece, counted as a download when the parser takes it.
pub(super) struct CountedBody {
    data: Option<Bytes>,
    counted: Option<Counted>,
}

struct Counted {
    backend: TestBackend,
    path: String,
    referer: Option<String>,
    agent: Option<String>,
}

impl Body for CountedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut TaskContext<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = self.data.take().map(|data| Ok(Frame::data(data)));
        if let Some(Counted { backend, path, referer, agent }) = self.counted.take() {
            backend.count(&path, referer.as_deref(), agent.as_deref());
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.data.as_ref().map_or(0, |data| data.len() as u64))
    }
}
