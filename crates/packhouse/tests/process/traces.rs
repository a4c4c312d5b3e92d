//! Traces for an OpenTelemetry collector.

use serde_json::Value;
use suite::{Receiver, Stack};

use crate::program::start_with;

#[tokio::test]
async fn requests_are_reported_to_the_collector_as_a_part_of_the_clients_trace() {
    let stack = Stack::create().await;
    let collector = Receiver::start().await;
    let url = collector.url("/v1/traces");
    let server = start_with(&stack, &[("PACKHOUSE_TRACES__URL", url.as_str())]).await;
    let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");

    let call = server.anyone().get("/repos/nobody?secret=1").header("traceparent", &format!("00-{trace}-{parent}-01"));
    call.await.expect(404);

    let received = collector.wait_for(1).await.remove(0);
    assert_eq!((received.method.as_str(), received.target.as_str()), ("POST", "/v1/traces"));
    let message: Value = serde_json::from_str(&received.body).expect("JSON");
    let span = &message["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!((&span["traceId"], &span["parentSpanId"]), (&Value::from(trace), &Value::from(parent)));
    assert_eq!((&span["name"], &span["kind"]), (&Value::from("GET api"), &Value::from(2)));
    let nanos = |field: &str| span[field].as_str().and_then(|text| text.parse::<u64>().ok()).expect("a number");
    assert!(nanos("startTimeUnixNano") <= nanos("endTimeUnixNano"));
    assert!(received.body.contains("/api/repos/nobody") && !received.body.contains("secret"), "{}", received.body);
}
