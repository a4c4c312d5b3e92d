//! The timer of the HTTP/1 parser. The parser starts a timer for each head, and timers of the runtime are expensive to
//! set. So a connection sets its timer once, and computes the current deadline only when the timer fires. Replays count
//! as responses of the parser.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use hyper::rt::{Sleep, Timer};

use crate::parser_state::ParserState;

/// The timer of one connection.
#[derive(Debug, Clone)]
pub(crate) struct HeadTimer {
    /// How long a head may take.
    timeout: Duration,
    turn: ParserState,
    /// The timer of the runtime, while no head is timed.
    idle: Arc<Mutex<Option<Clock>>>,
}

type Clock = Pin<Box<tokio::time::Sleep>>;

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(HeadSleep { deadline, clock: None, timer: self.clone() })
    }
}

/// Waits for a deadline. It reuses a runtime timer that was set for an earlier deadline.
struct HeadSleep {
    deadline: Instant,
    clock: Option<Clock>,
    timer: HeadTimer,
}

impl Sleep for HeadSleep {}

impl Future for HeadSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let deadline = this.deadline.into();
        let take = || this.timer.take().unwrap_or_else(|| Box::pin(tokio::time::sleep_until(deadline)));
        let clock = this.clock.get_or_insert_with(take);
        // Deadlines only move forward, so a reused timer never fires too late.
        loop {
            ready!(clock.as_mut().poll(context));
            let after_last = this.timer.turn.spoke().map(|spoke| spoke + this.timer.timeout);
            let due = after_last.map_or(deadline, |after_last| deadline.max(after_last.into()));
            if clock.deadline() >= due {
                return Poll::Ready(());
            }
            clock.as_mut().reset(due);
        }
    }
}

impl Drop for HeadSleep {
    fn drop(&mut self) {
        if let Some(clock) = self.clock.take() {
            *self.timer.idle.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock);
        }
    }
}

impl HeadTimer {
    /// Creates the timer of a connection.
    pub(crate) fn new(timeout: Duration, turn: ParserState) -> Self {
        Self { timeout, turn, idle: Arc::default() }
    }

    fn take(&self) -> Option<Clock> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_clock_that_was_set_for_an_earlier_head_goes_off_when_the_last_one_is_due() {
        let timer = HeadTimer::new(Duration::from_millis(40), ParserState::default());
        assert!(timer.sleep(Duration::from_millis(5)).now_or_never().is_none());
        assert!(timer.idle.lock().unwrap().is_some(), "the clock waits for the next head");
        let due = timer.now() + Duration::from_millis(30);
        timer.sleep_until(due).await;
        assert!(timer.now() >= due);
    }

    #[tokio::test]
    async fn an_answer_that_was_sent_past_the_parser_gives_more_time() {
        let timer = HeadTimer::new(Duration::from_millis(40), ParserState::default());
        let began = timer.now();
        let sleep = timer.sleep(Duration::from_millis(5));
        timer.turn.end_replay(began);
        sleep.await;
        assert!(began.elapsed() >= Duration::from_millis(40));
    }

    #[tokio::test]
    async fn a_head_is_not_due_while_an_answer_is_sent_past_the_parser() {
        let timer = HeadTimer::new(Duration::from_millis(20), ParserState::default());
        timer.turn.begin_replay();
        let mut sleep = timer.sleep(Duration::from_millis(5));
        let waited = tokio::time::timeout(Duration::from_millis(100), &mut sleep).await;
        assert!(waited.is_err(), "the client may be slow");
        let ended = timer.now();
        timer.turn.end_replay(ended);
        sleep.await;
        assert!(ended.elapsed() >= Duration::from_millis(20));
    }
}
