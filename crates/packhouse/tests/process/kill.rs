//! SIGKILL during writes: acknowledged writes are stored, the others completely or not at all.

use std::time::{Duration, Instant};

use serde_json::json;
use suite::{Call, Person, Process, Stack, rounds};
use tokio::task::JoinSet;

use crate::{
    journal::{Journal, Ledger, Write},
    program::{command, run, start},
};

/// The maximum number of calls of one writer in one life of the server; no server lives that long.
const CALLS: usize = 10_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_during_account_and_key_writes_lose_nothing() {
    let stack = Stack::create().await;
    let began = Instant::now();
    let mut server = start(&stack).await;
    let mut ledger = Ledger::open(&server, &["founder", "guest", "turner", "spinner"]).await;
    let mut acknowledged = 0;

    let (kills, mut round) = (rounds(20, 200), 0);
    // On a busy machine fewer writes are acknowledged before each kill.
    while round < kills || acknowledged <= 10 * kills && round < 10 * kills {
        let writers = write(&server, &ledger, round);
        tokio::time::sleep(Duration::from_millis(30 + round * 37 % 271)).await;
        server.kill();
        let journals = writers.join_all().await;
        acknowledged += journals.iter().map(|journal| journal.acknowledged.len() as u64).sum::<u64>();
        server = start(&stack).await;
        ledger.verify(&server, journals).await;
        round += 1;
    }

    ledger.verify_all(&server).await;
    server.kill();
    assert_eq!(run(&stack, &["admin", "check"]).await.succeeds(), "no damage found");
    assert!(acknowledged > 10 * kills, "the kills hit something: {acknowledged}");
    println!("{acknowledged} writes were acknowledged, {} subjects, {:?}", ledger.len(), began.elapsed());
}

#[tokio::test]
async fn a_first_start_that_was_killed_is_made_good_by_the_next() {
    for killed_after_ms in (0..75).step_by(3) {
        let stack = Stack::create().await;
        let mut first = command(&stack);
        first.args(["serve", "--listen", "127.0.0.1:0"]).stdout(std::process::Stdio::null());
        let mut first = first.stderr(std::process::Stdio::null()).spawn().expect("it starts");
        tokio::time::sleep(Duration::from_millis(killed_after_ms)).await;
        first.kill().expect("it runs");
        first.wait().expect("it ends");

        let root = run(&stack, &["admin", "user", "create", "root", "--site-admin", "--init"]).await.succeeds();
        let server = start(&stack).await;
        server.person("root", &root).get("/audit").await.expect(200);
        assert_eq!(run(&stack, &["admin", "check"]).await.succeeds(), "no damage found");
    }
}

/// Runs five writers at once: two create users, two rotate keys, one creates organizations and adds members.
fn write(server: &Process, ledger: &Ledger, round: u64) -> JoinSet<Journal> {
    let mut writers = JoinSet::new();
    writers.spawn(make_users(server.admin(), format!("left-{round}")));
    writers.spawn(make_users(server.admin(), format!("right-{round}")));
    for user in ["turner", "spinner"] {
        writers.spawn(rotate_keys(server.people(), user, ledger.key(user).to_owned()));
    }
    writers.spawn(found_orgs(server.person("founder", ledger.key("founder")), round));
    writers
}

async fn make_users(admin: Person, prefix: String) -> Journal {
    let mut journal = Journal::default();
    for count in 0..CALLS {
        let name = format!("{prefix}-{count}");
        let call = admin.post("/users").json(json!({"name": name}));
        if !journal.send(Write::User { name }, call, 201).await {
            break;
        }
    }
    journal
}

async fn rotate_keys(people: impl Fn(&str, &str) -> Person, user: &str, mut key: String) -> Journal {
    let mut journal = Journal::default();
    for _ in 0..CALLS {
        let call = people(user, &key).post(&format!("/users/{user}/api_key"));
        if !journal.send(Write::Rotation { user: user.to_owned() }, call, 201).await {
            break;
        }
        key = journal.last_key().to_owned();
    }
    journal
}

async fn found_orgs(founder: Person, round: u64) -> Journal {
    let mut journal = Journal::default();
    for count in 0..CALLS {
        let name = format!("org-{round}-{count}");
        let call = founder.post("/orgs").json(json!({"name": name}));
        if !journal.send(Write::Org { name: name.clone(), owner: "founder".to_owned() }, call, 201).await {
            break;
        }
        let call = founder.put(&format!("/orgs/{name}/members/guest")).json(json!({"type": "member"}));
        if !journal.send(Write::Member { org: name, user: "guest".to_owned() }, call, 200).await {
            break;
        }
    }
    journal
}

impl Journal {
    /// Sends a call, records its result, and returns whether the server is still alive.
    async fn send(&mut self, write: Write, call: Call, success: u16) -> bool {
        match call.try_send().await {
            Ok(answer) => {
                let answer = answer.expect(success).json();
                self.acknowledged.push((write, answer["api_key"].as_str().map(str::to_owned)));
                true
            }
            Err(_) => {
                self.in_flight = Some(write);
                false
            }
        }
    }

    fn last_key(&self) -> &str {
        self.acknowledged.last().and_then(|(_, key)| key.as_deref()).expect("a rotation answers with a key")
    }
}
