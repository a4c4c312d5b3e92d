//! Sends replays on a connection.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Instant,
};

use bytes::Bytes;
use model::timestamp::Timestamp;
use tokio::io::AsyncWrite;

use crate::{
    Backend, Client, CompletedReplay,
    client::Peer,
    http_date::DateText,
    parser_state::ParserState,
    replay::{HeadHash, ReplayEntry},
    service::Service,
};

/// Sends replays on one connection.
pub(crate) struct Replayer<B: Backend> {
    service: Service<B>,
    /// The same for all requests: connections of proxies have no replayer.
    client: Client,
    parser: ParserState,
    last: Option<Last<B>>,
    sending: Option<Sending<B>>,
    /// The head that is being sent; the buffer is reused.
    head: Vec<u8>,
    date: DateText,
}

/// The bytes of the last request that was replayed: clients often request the same file again.
struct Last<B: Backend> {
    request: Box<[u8]>,
    entry: Arc<ReplayEntry<B::Cached>>,
}

struct Sending<B: Backend> {
    entry: Arc<ReplayEntry<B::Cached>>,
    cached: Arc<B::Cached>,
    body: Bytes,
    /// The number of bytes of head and body together that have been sent.
    sent: usize,
    began: Instant,
    at: Timestamp,
}

impl<B: Backend> Replayer<B> {
    /// Creates the replayer of a connection. Returns `None` if the peer is a proxy, which sends requests of many
    /// clients.
    pub(crate) fn new(service: &Service<B>, peer: Peer, parser: &ParserState) -> Option<Self> {
        let client = service.find_client(peer)?;
        Some(Self {
            service: service.clone(),
            client,
            parser: parser.clone(),
            last: None,
            sending: None,
            head: Vec::new(),
            date: DateText::default(),
        })
    }

    /// Begins a replay if the bytes, which start a request, equal the last replayed request.
    pub(crate) fn take_again(&mut self, bytes: &[u8]) -> bool {
        let last = self.last.as_ref().filter(|last| *last.request == *bytes);
        last.map(|last| Arc::clone(&last.entry)).is_some_and(|entry| self.parser.is_free() && self.begin(entry))
    }

    /// Begins a replay if an equal request was answered before. Otherwise passes the request, one of `heads`, to the
    /// parser.
    pub(crate) fn take(&mut self, request: &[u8], heads: u64) -> bool {
        let head = if heads == 1 { HeadHash::of(request) } else { None };
        if self.parser.is_free()
            && let Some(entry) = head.and_then(|head| self.service.find_replay(&head))
            && self.begin(Arc::clone(&entry))
        {
            self.last = Some(Last { request: request.into(), entry });
            return true;
        }
        self.parser.pass(heads, head);
        false
    }

    /// Passes bytes to the parser that are not exactly one complete request.
    pub(crate) fn pass(&self, heads: u64) {
        self.parser.pass(heads, None);
    }

    /// Records that the parser has flushed and has nothing left to send.
    pub(crate) fn flush(&self) {
        self.parser.flush();
    }

    /// Begins a replay if the cached response is still valid for the client. Credentials over plain HTTP are left to
    /// the service, which refuses them. A stopping server replays nothing.
    fn begin(&mut self, entry: Arc<ReplayEntry<B::Cached>>) -> bool {
        if self.service.is_draining() || (entry.has_credentials && !self.client.may_send_secrets) {
            return false;
        }
        let Some(cached) = entry.cached.upgrade() else { return false };
        let backend = self.service.backend();
        let Some(replay) = backend.replay(&cached, &self.client, entry.has_credentials) else { return false };
        let at = backend.now();
        replay.head.write(self.service.next_id(), self.date.of(at), replay.varying, &mut self.head);
        let body = replay.body;
        // A client may read slowly: until the end, it is not late with its next request.
        self.parser.begin_replay();
        self.sending = Some(Sending { entry, cached, body, sent: 0, began: Instant::now(), at });
        true
    }

    /// Sends the rest of the current replay.
    pub(crate) fn poll_send<S: AsyncWrite + Unpin>(
        &mut self,
        cx: &mut Context<'_>,
        stream: &mut S,
    ) -> Poll<io::Result<()>> {
        let Some(sending) = &mut self.sending else { return Poll::Ready(Ok(())) };
        while let Some(slices) = sending.left(&self.head) {
            let sent = ready!(Pin::new(&mut *stream).poll_write_vectored(cx, &slices))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            sending.sent += sent;
        }
        ready!(Pin::new(stream).poll_flush(cx))?;
        let now = Instant::now();
        self.parser.end_replay(now);
        let (referer, agent) = (sending.entry.referer.as_ref(), sending.entry.agent.as_ref());
        let completed =
            CompletedReplay { client: &self.client, at: sending.at, took: now - sending.began, referer, agent };
        self.service.backend().completed(&sending.cached, completed);
        self.sending = None;
        Poll::Ready(Ok(()))
    }
}

impl<B: Backend> Sending<B> {
    /// Returns the bytes that are left to send.
    fn left<'s>(&'s self, head: &'s [u8]) -> Option<[IoSlice<'s>; 2]> {
        let (head_sent, body_sent) = (self.sent.min(head.len()), self.sent.saturating_sub(head.len()));
        let slices = [IoSlice::new(&head[head_sent..]), IoSlice::new(&self.body[body_sent..])];
        (self.sent < head.len() + self.body.len()).then_some(slices)
    }
}
