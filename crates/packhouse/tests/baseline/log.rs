//! The log of a server from its start to its stop.

use std::time::Duration;

use serde_json::{Value, json};
use suite::{Process, Receiver, ReceiverBehaviour, Stack};

use crate::{assert_recorded, program};

/// How long a stop may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts a server, sends various requests, publishes a release with a webhook, and stops it. Returns its output and
/// its log.
async fn run(format: &str) -> (String, String) {
    let (stack, receiver) = (Stack::create().await, Receiver::start().await);
    let environment = [("PACKHOUSE_LOG__FORMAT", format), ("PACKHOUSE_OUTGOING__ALLOW_PRIVATE", "true")];
    let mut server = Process::start_with(program(), &stack, &environment).await;
    let ada = server.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    ada.post("/webhooks/ada/tools/cat").json(json!({ "url": receiver.url("/hook") })).await.expect(201);
    ada.put("/content/ada/tools/cat/1.0/cat.tar?publish=1").body("meow").await.expect(201);
    receiver.wait_for(1).await;
    receiver.behave(ReceiverBehaviour::Status(500));
    ada.put("/content/ada/tools/cat/2.0/cat-2.0.tar?publish=1").body("purr").await.expect(201);
    receiver.wait_for(2).await;
    server.anyone().download("/ada/tools/cat.tar").await.expect(200);
    ada.get("/repos/ada/absent?passphrase=secret").await.expect(404);
    server.anyone().post("/repos/ada/other").await.expect(401);
    ada.post("/repos/ada/other").body("{").await.expect(400);
    let id = i32::try_from(server.id()).expect("a process number");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGTERM).expect("it runs");
    assert_eq!(server.ends_within(PATIENCE).await, Some(0));
    let port = server.base.rsplit_once(':').expect("an address has a port").1;
    (server.printed().replace(port, "PORT"), server.log())
}

/// Returns a line with the names of its fields, and the values that are the same in every run.
fn masked(line: &str) -> String {
    let mut line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let fields = line.as_object_mut().expect("an object");
    // Modules may move; the message and the other fields must not change.
    for name in ["timestamp", "target", "ms"] {
        if let Some(value) = fields.get_mut(name) {
            *value = json!("(some)");
        }
    }
    if let Some(id) = fields.get_mut("span").and_then(|span| span.get_mut("id")) {
        *id = json!("(some)");
    }
    line.to_string()
}

/// Returns whether the line is the same in every run: the scrub reports at unpredictable times.
fn is_compared(line: &str) -> bool {
    !line.contains("scrub pass read ")
}

#[tokio::test]
async fn a_run_is_logged_for_machines_as_before() {
    let (printed, log) = run("json").await;
    let lines: Vec<String> = log.lines().filter(|line| is_compared(line)).map(masked).collect();
    assert_recorded("log_json", &format!("{printed}\n{}", lines.join("\n")));
}

#[tokio::test]
async fn a_run_is_logged_for_people_as_before() {
    let (_, log) = run("text").await;
    // Drops the time at the start; at the end, drops a request's duration and id.
    let line = |line: &str| {
        let (_, text) = line.split_once(' ').expect("a line begins with a time");
        let (text, rest) = text.split_once(" ms=").unwrap_or((text, ""));
        if rest.is_empty() { text.to_owned() } else { format!("{text} ms=(some) id=(some)") }
    };
    let lines: Vec<String> = log.lines().filter(|line| is_compared(line)).map(line).collect();
    assert_recorded("log_text", &lines.join("\n"));
}
