//! The database becomes unavailable and returns; the server keeps running.
//!
//! A relay cuts or freezes the connections to PostgreSQL. SQLite cannot become unavailable, but another process may
//! hold its write lock.

use std::time::{Duration, Instant};

use serde_json::json;
use suite::{Answer, Process, Relay, Stack};
use tokio::{sync::watch, task::JoinSet};

use crate::program::start_with;

/// The time until a caller gets the error: 2 s, and a margin for a busy machine.
const ANSWERED: Duration = Duration::from_millis(3_000);

/// The time until everything works again.
const RECOVERED: Duration = Duration::from_secs(5);

/// How long another process holds the lock, and the time after which all waiting writes give up, no matter how many.
const LOCK_WAIT: Duration = Duration::from_secs(8);

#[tokio::test]
async fn a_database_that_is_away_is_503_until_it_is_back() {
    let stack = Stack::create().await;
    if stack.is_cluster() { is_503_while_cut(&stack).await } else { writes_are_503_while_locked(&stack).await }
}

#[tokio::test]
async fn a_database_that_hangs_is_503_until_it_goes_on() {
    let stack = Stack::create().await;
    if stack.is_cluster() { is_503_while_frozen(&stack).await } else { a_write_waits_for_a_short_lock(&stack).await }
}

#[tokio::test]
async fn no_caller_ever_sees_500_while_the_database_comes_and_goes() {
    let stack = Stack::create().await;
    if stack.is_cluster() { load_on_a_flapping_relay(&stack).await } else { load_on_a_flapping_lock(&stack).await }
}

async fn is_503_while_cut(stack: &Stack) {
    let (mut relay, server) = start_behind_relay(stack).await;
    let ada = server.user("ada").await;

    relay.cut().await;

    for _ in 0..3 {
        is_away(&server, &ada).await;
    }
    relay.restore();
    recovers(&server, &ada).await;
}

async fn is_503_while_frozen(stack: &Stack) {
    let (mut relay, server) = start_behind_relay(stack).await;
    let ada = server.user("ada").await;

    relay.freeze();

    is_away(&server, &ada).await;
    relay.restore();
    recovers(&server, &ada).await;
}

async fn start_behind_relay(stack: &Stack) -> (Relay, Process) {
    let upstream = stack.database_server().expect("PostgreSQL has an address");
    let relay = Relay::start(upstream);
    let url = stack.database_url().replace(&upstream.to_string(), &relay.address.to_string());
    let environment = [("PACKHOUSE_DATABASE_URL", url.as_str()), ("PACKHOUSE_DATABASE__TIMEOUT_SECS", "2")];
    let server = start_with(stack, &environment).await;
    (relay, server)
}

async fn is_away(server: &Process, ada: &suite::Person) {
    unavailable(ada.get("/users/ada")).await;
    unavailable(server.admin().post("/users").json(json!({"name": "bob"}))).await;
    unavailable(server.admin().post("/users/ada/api_key")).await;
    unavailable(server.anyone().get("//readyz")).await;
    let (alive, took) = timed(server.anyone().get("//livez")).await;
    alive.expect(200);
    assert!(took < Duration::from_secs(1), "/livez took {took:?}");
    // The key cannot be verified now, so a wrong one is not rejected as wrong.
    unavailable(server.person("ada", "wrong").get("/users/ada")).await;
}

async fn unavailable(call: suite::Call) {
    let (answer, took) = timed(call).await;
    let answer = answer.expect(503);
    assert!(took < ANSWERED, "the answer took {took:?}");
    let wait: u32 = answer.header("retry-after").parse().expect("Retry-After is a number");
    assert!((1..=60).contains(&wait), "Retry-After is {wait}");
    assert_eq!(answer.message(), "The service is not available right now; please try again");
}

async fn recovers(server: &Process, ada: &suite::Person) {
    let began = Instant::now();
    while server.anyone().get("//readyz").await.status != 200 {
        assert!(began.elapsed() < RECOVERED, "the server is not ready again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    ada.get("/users/ada").await.expect(200);
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    server.admin().post("/users").json(json!({"name": "carol"})).await.expect(201);
    server.admin().post("/users/carol/api_key").await.expect(201);
    assert!(began.elapsed() < RECOVERED, "recovery took {:?}", began.elapsed());
}

async fn writes_are_503_while_locked(stack: &Stack) {
    let server = start_with(stack, &[]).await;
    let ada = server.user("ada").await;
    let lock = WriteLock::take(stack);

    let write = |name| timed(server.admin().post("/users").json(json!({"name": name})));
    let (one, other) = tokio::join!(write("bob"), write("eve"));

    for (write, took) in [one, other] {
        let write = write.expect(503);
        assert!(took < LOCK_WAIT, "the answer took {took:?}");
        assert_eq!(write.header("retry-after"), "2");
    }
    ada.get("/users/ada").await.expect(200);
    server.anyone().get("//livez").await.expect(200);
    server.anyone().get("//readyz").await.expect(200);
    lock.release();
    recovers(&server, &ada).await;
    server.admin().get("/users/bob").await.expect(404);
}

async fn a_write_waits_for_a_short_lock(stack: &Stack) {
    let server = start_with(stack, &[]).await;
    let ada = server.user("ada").await;
    let lock = WriteLock::take(stack);
    let write = tokio::spawn(server.admin().post("/users").json(json!({"name": "bob"})).into_future());

    let (read, took) = timed(ada.get("/users/ada")).await;
    read.expect(200);
    assert!(took < Duration::from_secs(1), "reads wait for writers: {took:?}");
    lock.release();

    write.await.expect("it is answered").expect(201);
    server.admin().get("/users/bob").await.expect(200);
    recovers(&server, &ada).await;
}

/// Another process with a long write transaction.
struct WriteLock(rusqlite::Connection);

impl WriteLock {
    fn take(stack: &Stack) -> Self {
        let file = stack.database_file().expect("an embedded database");
        let connection = rusqlite::Connection::open(file).expect("it opens");
        connection.busy_timeout(Duration::from_secs(5)).expect("it can wait");
        connection.execute_batch("BEGIN IMMEDIATE").expect("the lock is free");
        Self(connection)
    }

    fn release(self) {
        self.0.execute_batch("ROLLBACK").expect("the lock is held");
    }
}

async fn load_on_a_flapping_relay(stack: &Stack) {
    let (mut relay, server) = start_behind_relay(stack).await;
    let load = Load::start(&server).await;
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        relay.cut().await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        relay.restore();
        tokio::time::sleep(Duration::from_millis(300)).await;
        relay.freeze();
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        relay.restore();
    }
    load.stop().await;
    let ada = server.user("ada").await;
    recovers(&server, &ada).await;
}

async fn load_on_a_flapping_lock(stack: &Stack) {
    let server = start_with(stack, &[]).await;
    let load = Load::start(&server).await;
    for held_ms in [50, 500, 6_000] {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let lock = WriteLock::take(stack);
        tokio::time::sleep(Duration::from_millis(held_ms)).await;
        lock.release();
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    load.stop().await;
    let ada = server.user("ada").await;
    recovers(&server, &ada).await;
}

/// Callers that continue after any response.
struct Load {
    callers: JoinSet<Vec<u16>>,
    stop: watch::Sender<bool>,
}

impl Load {
    async fn start(server: &Process) -> Self {
        let stop = watch::Sender::new(false);
        let mut callers = JoinSet::new();
        for caller in 0..6 {
            let (admin, stop) = (server.admin(), stop.subscribe());
            callers.spawn(async move {
                let mut statuses = Vec::new();
                for count in 0..100_000 {
                    if *stop.borrow() {
                        break;
                    }
                    let name = format!("load-{caller}-{count}");
                    statuses.push(admin.post("/users").json(json!({"name": name})).await.status);
                    statuses.push(admin.get("/users/admin").await.status);
                }
                statuses
            });
        }
        Self { callers, stop }
    }

    /// Asserts that every response was a success or 503, and that both occurred.
    async fn stop(self) {
        self.stop.send_replace(true);
        let mut statuses = self.callers.join_all().await.concat();
        let count = statuses.len();
        statuses.sort_unstable();
        statuses.dedup();
        assert_eq!(statuses, [200, 201, 503], "of {count} answers");
    }
}

async fn timed(call: suite::Call) -> (Answer, Duration) {
    let began = Instant::now();
    (call.await, began.elapsed())
}
