//! Parallel calls.

use suite::{Answer, Call};

/// Sends all calls at once, and returns the responses in the order of the calls.
pub(crate) async fn together(calls: impl IntoIterator<Item = Call>) -> Vec<Answer> {
    let running: Vec<_> = calls.into_iter().map(|call| tokio::spawn(call.into_future())).collect();
    let mut answers = Vec::with_capacity(running.len());
    for call in running {
        answers.push(call.await.expect("the call ends"));
    }
    answers
}

/// Returns the statuses of responses in ascending order.
pub(crate) fn statuses(answers: &[Answer]) -> Vec<u16> {
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    statuses
}
