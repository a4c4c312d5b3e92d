//! Sends finished requests to a collector of traces, as OTLP in JSON over HTTP.
//!
//! Written by hand: one kind of span with a few fields needs no library for all signals and protocols.

use std::time::Duration;

use serde_json::{Value, json};
use server::Span;
use tokio::sync::mpsc::Receiver;

/// The most requests in one message.
const BATCH: usize = 256;

/// How long a message collects requests.
const PAUSE: Duration = Duration::from_secs(1);

/// The time limit for the collector.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends requests until the server ends. A message that fails is dropped.
pub(crate) async fn send(mut spans: Receiver<Span>, url: String, node: String) -> Result<(), String> {
    let client = reqwest::Client::builder().timeout(PATIENCE).build().map_err(|error| error.to_string())?;
    let mut is_broken = false;
    loop {
        let mut batch = Vec::with_capacity(BATCH);
        if spans.recv_many(&mut batch, BATCH).await == 0 {
            return Ok(());
        }
        let sent =
            client.post(&url).json(&message(&batch, &node)).send().await.and_then(|answer| answer.error_for_status());
        match sent {
            Ok(_) => is_broken = false,
            // Once, not for each message.
            Err(error) if !is_broken => {
                is_broken = true;
                tracing::warn!("sending traces failed; they are dropped until it works: {}", error.without_url());
            }
            Err(_) => {}
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn message(spans: &[Span], node: &str) -> Value {
    let resource = [
        text("service.name", "packhouse"),
        text("service.version", env!("CARGO_PKG_VERSION")),
        text("service.instance.id", node),
    ];
    let spans: Vec<Value> = spans.iter().map(span).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": resource},
        "scopeSpans": [{"scope": {"name": "packhouse"}, "spans": spans}],
    }]})
}

fn span(span: &Span) -> Value {
    let end = i128::from(span.ended) * 1_000_000;
    let start = end - i128::try_from(span.took.as_nanos()).unwrap_or_default();
    let attributes = [
        text("http.request.method", span.method),
        text("url.path", &span.path),
        text("packhouse.surface", span.surface),
        text("packhouse.request_id", &span.request_id),
        json!({"key": "http.response.status_code", "value": {"intValue": span.status.to_string()}}),
    ];
    json!({
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "parentSpanId": span.parent_id,
        "name": format!("{} {}", span.method, span.surface),
        // A server's part of a trace.
        "kind": 2,
        "startTimeUnixNano": start.to_string(),
        "endTimeUnixNano": end.to_string(),
        "attributes": attributes,
        "status": if span.status >= 500 { json!({"code": 2}) } else { json!({}) },
    })
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}
