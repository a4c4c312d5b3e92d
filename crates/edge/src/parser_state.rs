//! Tracks whether the HTTP parser is idle, so that a replay may use the connection.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::replay::HeadHash;

/// The state that the guard, the service, the bodies and the timer of one connection share.
///
/// The parser is idle when the bodies of all its responses have been dropped and it has flushed after that: it drops a
/// body when it has written the last byte, and flushes when it has nothing left to write.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParserState(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The number of requests that were passed to the parser and are not completely answered.
    open: u64,
    /// Whether the parser has sent all its responses and is idle.
    is_free: bool,
    /// Whether the parser is going to close the connection.
    is_last: bool,
    /// The hash of the head of the only open request.
    head: Option<HeadHash>,
    /// Whether a replay is being sent.
    is_replaying: bool,
    /// When a replay was last sent.
    spoke: Option<Instant>,
}

impl ParserState {
    /// Records that the parser gets `heads` requests. `head` is known if it is a single request that arrived whole.
    pub(crate) fn pass(&self, heads: u64, head: Option<HeadHash>) {
        let mut state = self.state();
        state.head = head.filter(|_| heads == 1 && state.open == 0);
        state.open += heads;
        state.is_free = false;
    }

    /// Returns the hash of the head of the request that the service is answering, if it is the only open one.
    pub(crate) fn head(&self) -> Option<HeadHash> {
        self.state().head
    }

    /// Records that the connection ends with the current response.
    pub(crate) fn end(&self) {
        self.state().is_last = true;
    }

    /// Records that the parser has flushed and has nothing left to send.
    pub(crate) fn flush(&self) {
        let mut state = self.state();
        state.is_free = state.open == 0;
    }

    /// Returns whether the parser is idle, so that a replay may be sent.
    pub(crate) fn is_free(&self) -> bool {
        let state = self.state();
        state.is_free && !state.is_last
    }

    /// Records that a replay is being sent.
    pub(crate) fn begin_replay(&self) {
        self.state().is_replaying = true;
    }

    /// Records that the replay was sent.
    pub(crate) fn end_replay(&self, now: Instant) {
        let mut state = self.state();
        (state.is_replaying, state.spoke) = (false, Some(now));
    }

    /// Returns when a replay was last sent: now, if one is being sent.
    pub(crate) fn spoke(&self) -> Option<Instant> {
        let state = self.state();
        if state.is_replaying { Some(Instant::now()) } else { state.spoke }
    }

    /// Returns a guard for a response. Dropping it records that the response has been written.
    pub(crate) fn answering(&self) -> PendingResponse {
        PendingResponse(self.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A response that the parser is writing.
#[derive(Debug)]
pub(crate) struct PendingResponse(ParserState);

impl Drop for PendingResponse {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.open = state.open.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> HeadHash {
        HeadHash::of(b"GET / HTTP/1.1\r\n\r\n").expect("a head")
    }

    #[test]
    fn it_is_free_when_everything_is_answered_and_flushed() {
        let turn = ParserState::default();
        turn.flush();
        assert!(turn.is_free());
        turn.pass(1, Some(head()));
        assert_eq!(turn.head(), Some(head()));
        let answering = turn.answering();
        turn.flush();
        assert!(!turn.is_free(), "the body is not written yet");
        drop(answering);
        assert!(!turn.is_free(), "what is written is not sent yet");
        turn.flush();
        assert!(turn.is_free());
        turn.end();
        assert!(!turn.is_free());
    }

    #[test]
    fn requests_that_do_not_wait_for_answers_have_no_known_head() {
        let turn = ParserState::default();
        turn.pass(2, Some(head()));
        assert_eq!(turn.head(), None);
        drop(turn.answering());
        turn.flush();
        assert!(!turn.is_free(), "one is still open");
        turn.pass(1, Some(head()));
        assert_eq!(turn.head(), None);
    }
}
