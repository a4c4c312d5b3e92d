//! Callbacks of a running server: in time, after crashes, despite receivers that hang, and without a secret in the log.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use suite::{Person, Process, Receiver, ReceiverBehaviour, Stack};

use crate::{
    fault_points::CALLBACK,
    program::start_with,
    tools::{cat, change, sessions_end, upload},
};

const HOOKS: &str = "/webhooks/ada/tools/cat";

/// Receivers run on this machine.
const INSIDE: (&str, &str) = ("PACKHOUSE_OUTGOING__ALLOW_PRIVATE", "true");

/// How late a callback may arrive on an idle machine.
const SOON: Duration = Duration::from_secs(1);

/// Starts a server that calls a receiver for releases of `ada/tools/cat`.
async fn hooked(stack: &Stack, receiver: &Receiver) -> (Process, Person) {
    let server = start_with(stack, &[INSIDE]).await;
    let ada = cat(&server).await;
    register(&ada, receiver).await;
    (server, ada)
}

async fn register(ada: &Person, receiver: &Receiver) -> Value {
    ada.post(HOOKS).json(json!({ "url": receiver.url("/hook?token=CANARY") })).await.expect(201).json()
}

async fn release(ada: &Person, version: &str) {
    upload(ada, &format!("{version}/{version}.bin"), "meow").await;
}

/// Returns the number of events that callbacks were about.
fn events(receiver: &Receiver) -> usize {
    receiver.callbacks().iter().map(|told| told.header("webhook-id").to_owned()).collect::<BTreeSet<_>>().len()
}

#[tokio::test]
async fn a_release_is_told_within_a_second() {
    let (stack, receiver) = (Stack::create().await, Receiver::start().await);
    let (_server, ada) = hooked(&stack, &receiver).await;
    let mut waits = Vec::new();
    for number in 1..=5 {
        release(&ada, &format!("{number}.0")).await;
        let published = Instant::now();
        receiver.wait_for(number).await;
        waits.push(published.elapsed());
    }
    waits.sort_unstable();
    // Other tests use the same processors, so the median counts.
    assert!(waits[2] < SOON, "{waits:?}");
}

#[tokio::test]
async fn a_receiver_that_hangs_delays_no_other() {
    let (stack, good, hanging) = (Stack::create().await, Receiver::start().await, Receiver::start().await);
    let (_server, ada) = hooked(&stack, &good).await;
    hanging.behave(ReceiverBehaviour::Hang);
    register(&ada, &hanging).await;
    let began = Instant::now();
    for number in 1..=4 {
        release(&ada, &format!("{number}.0")).await;
        good.wait_for(number).await;
    }
    let waited = began.elapsed();
    assert!(waited < Duration::from_secs(9), "{waited:?}");
    assert_eq!(hanging.wait_for(1).await.len(), 1);
}

#[tokio::test]
async fn a_release_is_told_when_the_server_dies_before_it_could() {
    let (stack, receiver) = (Stack::create().await, Receiver::start().await);
    let (mut server, ada) = hooked(&stack, &receiver).await;
    ada.put("/content/ada/tools/cat/1.0/cat.bin").body("meow").await.expect(201);
    server.kill();

    let mut server = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", "publish: committed"), INSIDE]).await;
    let there = server.person("ada", ada.key());
    there.post("/content/ada/tools/cat/1.0/publish").try_send().await.expect_err("it dies");
    assert!(!server.wait(), "it ended well");
    sessions_end(&stack).await;
    assert_eq!(change(&stack, "UPDATE webhook_deliveries SET attempts = 0").await, 1);

    let server = start_with(&stack, &[INSIDE]).await;
    let told = receiver.wait_for(1).await;
    assert!(told[0].body.contains(r#""version":"1.0""#), "{told:?}");
    assert_eq!(events(&receiver), 1);
    server.person("ada", ada.key()).get(HOOKS.rsplit_once('/').expect("a path").0).await.expect(200);
}

#[tokio::test]
async fn a_callback_whose_outcome_is_lost_is_sent_again() {
    let (stack, receiver) = (Stack::create().await, Receiver::start().await);
    let (mut server, ada) = hooked(&stack, &receiver).await;
    server.kill();

    let mut server = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", CALLBACK), INSIDE]).await;
    release(&server.person("ada", ada.key()), "1.0").await;
    receiver.wait_for(1).await;
    assert!(!server.wait(), "it ended well");
    sessions_end(&stack).await;
    // As if half a minute had passed.
    assert_eq!(change(&stack, "UPDATE webhooks SET claimed_until = 0").await, 1);

    let server = start_with(&stack, &[INSIDE]).await;
    receiver.wait_for(2).await;
    assert_eq!(events(&receiver), 1);
    let ada = server.person("ada", ada.key());
    let listed = async {
        loop {
            let listed = ada.get(&format!("{HOOKS}/deliveries")).await.expect(200).json();
            if listed[0]["status"] == 200 {
                return listed.as_array().map(Vec::len);
            }
        }
    };
    // The server died before it recorded the first attempt.
    assert_eq!(tokio::time::timeout(Duration::from_secs(10), listed).await.expect("it is listed"), Some(1));
}

#[tokio::test]
async fn no_secret_of_a_hook_is_written_at_trace() {
    let (stack, receiver) = (Stack::create().await, Receiver::start().await);
    let trace = [("PACKHOUSE_LOG__FORMAT", "json"), ("PACKHOUSE_LOG__LEVEL", "trace"), INSIDE];
    let server = start_with(&stack, &trace).await;
    let ada = cat(&server).await;
    let registered = register(&ada, &receiver).await;
    release(&ada, "1.0").await;
    receiver.wait_for(1).await;
    receiver.behave(ReceiverBehaviour::Status(500));
    let test = json!({ "url": receiver.url("/hook?token=CANARY") });
    ada.post(&format!("{HOOKS}/1.0")).json(test).await.expect(200);
    ada.post(HOOKS).json(json!({"url": "http://169.254.1.1/?token=CANARY"})).await.expect(400);
    ada.post(HOOKS).body("{\"url\": \"https://example.org/CANARY").await.expect(400);
    let told = &receiver.callbacks()[0];
    let secret = registered["secret"].as_str().expect("a secret");
    let written = format!("{}\n{}", server.printed(), server.log());
    assert!(written.contains("answered POST /api/webhooks/ada/tools/cat with 201"), "the log has the requests");
    for secret in [secret, told.header("x-service-webhook-hmac"), told.header("webhook-signature"), "CANARY"] {
        assert_eq!(written.lines().find(|line| line.contains(secret)), None, "`{secret}` is in the log");
    }
}
