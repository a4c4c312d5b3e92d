//! Tracks whether the HTTP parser is idle, so that a replay may use the connection.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::replay::HeadHash;

/// What the guard, the service, the bodies and the timer of one connection know of each other.
///
/// The parser is done when the bodies of all its answers have been dropped and it has flushed after that: it drops a body
/// when it has written the last of it, and flushes when it has nothing left to write.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParserState(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// Requests that the parser has got and that are not answered to the end.
    open: u64,
    /// Whether the parser has answered something, and has sent all of it.
    is_free: bool,
    /// Whether the parser is going to close the connection.
    is_last: bool,
    /// The head of the one request that is open.
    head: Option<HeadHash>,
    /// When an answer was last sent past the parser.
    spoke: Option<Instant>,
}

impl ParserState {
    /// The parser gets so many requests. When it is one and came whole, its head is known.
    pub(crate) fn pass(&self, heads: u64, head: Option<HeadHash>) {
        let mut state = self.state();
        state.head = head.filter(|_| heads == 1 && state.open == 0);
        state.open += heads;
        state.is_free = false;
    }

    /// The head of the request that the parser has asked the service for, if it is the only one.
    pub(crate) fn head(&self) -> Option<HeadHash> {
        self.state().head
    }

    /// The connection ends with the answer that is being made.
    pub(crate) fn end(&self) {
        self.state().is_last = true;
    }

    /// The parser has nothing left to send.
    pub(crate) fn flush(&self) {
        let mut state = self.state();
        state.is_free = state.open == 0;
    }

    /// Whether an answer may be sent past the parser.
    pub(crate) fn is_free(&self) -> bool {
        let state = self.state();
        state.is_free && !state.is_last
    }

    /// An answer, or a part of it, has been sent past the parser.
    pub(crate) fn speak(&self, now: Instant) {
        self.state().spoke = Some(now);
    }

    /// When that was.
    pub(crate) fn spoke(&self) -> Option<Instant> {
        self.state().spoke
    }

    /// What says that an answer has been written, when it is dropped.
    pub(crate) fn answering(&self) -> PendingResponse {
        PendingResponse(self.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer that the parser is writing.
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
