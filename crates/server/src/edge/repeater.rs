//! Sends answers to repeated requests, past the parser.

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

use super::{
    client::{Client, Peer},
    repeats::{HeadHash, ReplayEntry},
    service::Service,
    turn::ParserState,
};
use crate::download::{CachedDownload, DateText, Ready, Way};

/// What sends answers past the parser of one connection.
pub(crate) struct Replayer {
    service: Service,
    /// The same for all requests: connections of proxies have no repeater.
    client: Client,
    turn: ParserState,
    last: Option<Last>,
    sending: Option<Sending>,
    /// The head that is being sent; its room is used again.
    head: Vec<u8>,
    date: DateText,
}

/// The last request that was answered past the parser, as it came: who asks for one file often asks for it again.
struct Last {
    request: Box<[u8]>,
    repeat: Arc<ReplayEntry>,
}

struct Sending {
    repeat: Arc<ReplayEntry>,
    answer: Arc<CachedDownload>,
    body: Bytes,
    /// How much of the head and the body together has been sent.
    sent: usize,
    began: Instant,
    at: Timestamp,
}

impl Replayer {
    /// That of a connection, unless it carries the requests of many clients.
    pub(super) fn new(service: &Service, peer: Peer, turn: &ParserState) -> Option<Self> {
        let client = service.find_client(peer)?;
        Some(Self {
            service: service.clone(),
            client,
            turn: turn.clone(),
            last: None,
            sending: None,
            head: Vec::new(),
            date: DateText::default(),
        })
    }

    /// Takes what has come between two requests, if it is the last one to the byte.
    pub(super) fn take_again(&mut self, bytes: &[u8]) -> bool {
        let last = self.last.as_ref().filter(|last| *last.request == *bytes);
        last.map(|last| Arc::clone(&last.repeat)).is_some_and(|repeat| self.turn.is_free() && self.begin(repeat))
    }

    /// Takes a whole request, if it is one that was answered before; else it is for the parser, with so many others.
    pub(super) fn take(&mut self, request: &[u8], heads: u64) -> bool {
        let head = if heads == 1 { HeadHash::of(request) } else { None };
        if self.turn.is_free()
            && let Some(repeat) = head.and_then(|head| self.service.find_repeat(&head))
            && self.begin(Arc::clone(&repeat))
        {
            self.last = Some(Last { request: request.into(), repeat });
            return true;
        }
        self.turn.pass(heads, head);
        false
    }

    /// The parser gets bytes that are no whole request, or more than one.
    pub(super) fn pass(&self, heads: u64) {
        self.turn.pass(heads, None);
    }

    /// The parser has nothing left to send.
    pub(super) fn flush(&self) {
        self.turn.flush();
    }

    fn begin(&mut self, repeat: Arc<ReplayEntry>) -> bool {
        let Some(ready) = self.service.find_answer(&self.client, &repeat) else { return false };
        let Ready { answer, allowance } = ready;
        let Some(body) = answer.source.whole(answer.size, Way::Read) else { return false };
        let (id, at) = (self.service.next_id(), self.service.app().house().clock.now());
        let remaining = allowance.map(|allowance| allowance.remaining);
        answer.head().write(id, self.date.of(at), remaining, &mut self.head);
        self.sending = Some(Sending { repeat, answer, body, sent: 0, began: Instant::now(), at });
        true
    }

    /// Sends what was begun, to its end.
    pub(super) fn poll_send<S: AsyncWrite + Unpin>(
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
                self.turn.speak(Instant::now());
            }
        }
        ready!(Pin::new(stream).poll_flush(cx))?;
        let now = Instant::now();
        let Sending { repeat, answer, began, at, .. } = sending;
        answer.count(self.service.app(), &self.client, *at, repeat.referer.clone(), repeat.agent.clone());
        self.turn.speak(now);
        self.service.tell_repeat(now - *began);
        self.sending = None;
        Poll::Ready(Ok(()))
    }
}

impl Sending {
    /// What is left to send.
    fn left<'s>(&'s self, head: &'s [u8]) -> Option<[IoSlice<'s>; 2]> {
        let (head_sent, body_sent) = (self.sent.min(head.len()), self.sent.saturating_sub(head.len()));
        let slices = [IoSlice::new(&head[head_sent..]), IoSlice::new(&self.body[body_sent..])];
        (self.sent < head.len() + self.body.len()).then_some(slices)
    }
}
