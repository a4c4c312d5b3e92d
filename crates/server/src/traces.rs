//! Finished requests, for a collector of traces. The program sends them.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::http::HeaderMap;
use operations::House;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The most requests that wait to be sent. Others are dropped: a request never waits for the collector.
const WAITING: usize = 2_048;

/// A finished request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The id of the trace, in hexadecimal: that of the client, or a new one.
    pub trace_id: String,
    /// The id of the request in the trace.
    pub span_id: String,
    /// The id of the client's part of the trace; empty without one.
    pub parent_id: String,
    /// The part of the server that answered.
    pub surface: &'static str,
    /// The method.
    pub method: &'static str,
    /// The path, without the query.
    pub path: String,
    /// The status of the response.
    pub status: u16,
    /// The id of the request in the log.
    pub request_id: String,
    /// The end, in milliseconds since 1970.
    pub ended: i64,
    /// The time from the head of the request to the head of the response.
    pub took: Duration,
}

/// The ids of a client's trace, from its header `traceparent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TraceParent {
    trace_id: String,
    parent_id: String,
}

impl TraceParent {
    /// The ids of a request; `None` if it has none, or invalid ones.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let text = headers.get("traceparent")?.to_str().ok()?;
        let mut parts = text.split('-');
        let (version, trace, parent) = (parts.next()?, parts.next()?, parts.next()?);
        let is_id = |id: &str, length: usize| {
            let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            id.len() == length && id.bytes().all(is_hex) && id.bytes().any(|byte| byte != b'0')
        };
        let is_valid = version.len() == 2 && version != "ff" && is_id(trace, 32) && is_id(parent, 16);
        is_valid.then(|| Self { trace_id: trace.to_owned(), parent_id: parent.to_owned() })
    }
}

/// The queue of finished requests.
#[derive(Debug)]
pub(crate) struct TraceQueue {
    sender: Sender<Span>,
    receiver: Mutex<Option<Receiver<Span>>>,
}

impl TraceQueue {
    pub(crate) fn new() -> Self {
        let (sender, receiver) = channel(WAITING);
        Self { sender, receiver: Mutex::new(Some(receiver)) }
    }

    /// The end of the queue, once.
    pub(crate) fn take(&self) -> Option<Receiver<Span>> {
        self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Adds a request; fills in its ids and its end.
    pub(crate) fn add(&self, house: &House, parent: Option<TraceParent>, span: Span) {
        let random = house.entropy.bytes();
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let (trace_id, parent_id) = match parent {
            Some(parent) => (parent.trace_id, parent.parent_id),
            None => (hex(&random[..16]), String::new()),
        };
        let (span_id, ended) = (hex(&random[16..24]), house.clock.now().millis());
        drop(self.sender.try_send(Span { trace_id, span_id, parent_id, ended, ..span }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_ids_of_a_trace_are_taken() {
        let of = |text: &str| {
            let headers = HeaderMap::from_iter([("traceparent".parse().expect("a name"), text.parse().expect("text"))]);
            TraceParent::of(&headers).map(|parent| parent.parent_id)
        };
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(of(&format!("00-{trace}-00f067aa0ba902b7-01")).as_deref(), Some("00f067aa0ba902b7"));
        for wrong in [
            "".to_owned(),
            format!("ff-{trace}-00f067aa0ba902b7-01"),
            format!("00-{trace}-0000000000000000-01"),
            format!("00-{}-00f067aa0ba902b7-01", trace.to_uppercase()),
            format!("00-{trace}-00f067aa-01"),
        ] {
            assert_eq!(of(&wrong), None, "{wrong}");
        }
    }
}
