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
    repeats::{HeadHash, Repeat},
    service::Service,
    turn::Turn,
};
use crate::download::Answer;

/// What sends answers past the parser of one connection.
pub(crate) struct Repeater {
    service: Service,
    /// The same for all requests: connections of proxies have no repeater.
    client: Client,
    turn: Turn,
    sending: Option<Sending>,
    /// The head that is being sent; its room is used again.
    head: Vec<u8>,
}

struct Sending {
    repeat: Arc<Repeat>,
    answer: Arc<Answer>,
    body: Bytes,
    /// How much of the head and the body together has been sent.
    sent: usize,
    began: Instant,
    at: Timestamp,
}

impl Repeater {
    /// That of a connection, unless it carries the requests of many clients.
    pub(super) fn new(service: &Service, peer: Peer, turn: &Turn) -> Option<Self> {
        let client = service.find_client(peer)?;
        Some(Self { service: service.clone(), client, turn: turn.clone(), sending: None, head: Vec::new() })
    }

    /// Takes a whole request, if it is one that was answered before; else it is for the parser, with so many others.
    pub(super) fn take(&mut self, request: &[u8], heads: u64) -> bool {
        let head = if heads == 1 { HeadHash::of(request) } else { None };
        if self.turn.is_free() && head.is_some_and(|head| self.begin(head)) {
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

    fn begin(&mut self, head: HeadHash) -> bool {
        let Some((repeat, answer)) = self.service.find_repeat(&self.client, &head) else { return false };
        let Some(body) = answer.source.whole(answer.size) else { return false };
        let (id, at) = (self.service.next_id(), self.service.app().house().clock.now());
        answer.head().write(id, at, &mut self.head);
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
