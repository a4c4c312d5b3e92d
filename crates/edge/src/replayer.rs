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
    /// The head that is being sent; its room is used again.
    head: Vec<u8>,
    date: DateText,
}

/// The last request that was replayed, as it came: a client that asks for one file often asks for it again.
struct Last<B: Backend> {
    request: Box<[u8]>,
    entry: Arc<ReplayEntry<B::Cached>>,
}

struct Sending<B: Backend> {
    entry: Arc<ReplayEntry<B::Cached>>,
    cached: Arc<B::Cached>,
    body: Bytes,
    /// How much of the head and the body together has been sent.
    sent: usize,
    began: Instant,
    at: Timestamp,
}

impl<B: Backend> Replayer<B> {
    /// The replayer of a connection, unless it carries the requests of many clients.
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

    /// Takes bytes that came between two requests, if they are the last request again.
    pub(crate) fn take_again(&mut self, bytes: &[u8]) -> bool {
        let last = self.last.as_ref().filter(|last| *last.request == *bytes);
        last.map(|last| Arc::clone(&last.entry)).is_some_and(|entry| self.parser.is_free() && self.begin(entry))
    }

    /// Takes a whole request, if it was answered before; else it is for the parser, as one of `heads`.
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

    /// The parser gets bytes that are no whole request, or more than one.
    pub(crate) fn pass(&self, heads: u64) {
        self.parser.pass(heads, None);
    }

    /// The parser has nothing left to send.
    pub(crate) fn flush(&self) {
        self.parser.flush();
    }

    /// Begins to replay a response, if it is valid for the client now. Credentials over plain HTTP are left to the
    /// service, which refuses them.
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
        self.sending = Some(Sending { entry, cached, body, sent: 0, began: Instant::now(), at });
        true
    }

    /// Sends what was begun, to its end.
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
            if sending.left(&self.head).is_some() {
                // Slow, but on its way.
                self.parser.speak(Instant::now());
            }
        }
        ready!(Pin::new(stream).poll_flush(cx))?;
        let now = Instant::now();
        self.parser.speak(now);
        let (referer, agent) = (sending.entry.referer.as_ref(), sending.entry.agent.as_ref());
        let completed =
            CompletedReplay { client: &self.client, at: sending.at, took: now - sending.began, referer, agent };
        self.service.backend().completed(&sending.cached, completed);
        self.sending = None;
        Poll::Ready(Ok(()))
    }
}

impl<B: Backend> Sending<B> {
    /// What is left to send.
    fn left<'s>(&'s self, head: &'s [u8]) -> Option<[IoSlice<'s>; 2]> {
        let (head_sent, body_sent) = (self.sent.min(head.len()), self.sent.saturating_sub(head.len()));
        let slices = [IoSlice::new(&head[head_sent..]), IoSlice::new(&self.body[body_sent..])];
        (self.sent < head.len() + self.body.len()).then_some(slices)
    }
}
