//! An address at which clients reach the house: the balancer, or one of the nodes.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use suite::{ADMIN_KEY, Person};

/// The promised time for a full recovery.
const SOON: Duration = Duration::from_secs(5);

/// The client's time-out before it tries again: a node that hangs does not answer in time.
const TRY: Duration = Duration::from_secs(2);

/// How long a test waits before it gives up.
const PATIENCE: Duration = Duration::from_secs(60);

static PROBES: AtomicU64 = AtomicU64::new(0);

/// An address, and a client for it.
#[derive(Clone)]
pub(crate) struct Door {
    pub(crate) base: String,
    client: reqwest::Client,
}

impl Door {
    pub(crate) fn at(address: SocketAddr) -> Self {
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30));
        Self { base: format!("http://{address}"), client: client.build().expect("a client") }
    }

    /// Returns a caller with these credentials.
    pub(crate) fn person(&self, name: &str, key: &str) -> Person {
        Person::new(self.client.clone(), self.base.clone(), Some((name.to_owned(), key.to_owned())))
    }

    /// Returns the site administrator.
    pub(crate) fn admin(&self) -> Person {
        self.person("admin", ADMIN_KEY)
    }

    /// Returns a caller without credentials.
    pub(crate) fn anyone(&self) -> Person {
        Person::new(self.client.clone(), self.base.clone(), None)
    }

    /// Creates a user with this name.
    pub(crate) async fn user(&self, name: &str) -> Person {
        let created = self.admin().post("/users").json(serde_json::json!({ "name": name })).await.expect(201).json();
        self.person(name, created["api_key"].as_str().expect("a new user has a key"))
    }

    /// Waits until a file can be published and read here, and asserts that this took no longer than promised.
    pub(crate) async fn recovers(&self, after: &str, key: &str) {
        let began = Instant::now();
        let mut last = String::new();
        while let Err(reason) = self.try_once(key).await {
            assert!(began.elapsed() < PATIENCE, "after {after}, {} does not work: {reason}", self.base);
            last = reason;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let took = began.elapsed();
        println!("  after {after}: works after {} ms {last}", took.as_millis());
        assert!(took < SOON, "after {after}, {} works only after {took:?}; before that: {last}", self.base);
    }

    async fn try_once(&self, key: &str) -> Result<(), String> {
        let tried = tokio::time::timeout(TRY, self.publish_and_read(key)).await;
        tried.unwrap_or_else(|_| Err("(no answer)".to_owned()))
    }

    async fn publish_and_read(&self, key: &str) -> Result<(), String> {
        let number = PROBES.fetch_add(1, Ordering::Relaxed);
        let (path, content) = (format!("probe/{number}.bin"), format!("probe {number}"));
        let url = format!("/content/ada/tools/probe/1.0/{path}?publish=1");
        let sent = self.person("ada", key).put(&url).body(content.clone()).try_send().await;
        let sent = sent.map_err(|error| format!("(PUT: {error})"))?;
        if sent.status != 201 {
            return Err(format!("(PUT: {} {})", sent.status, sent.text()));
        }
        let read = self.anyone().download(&format!("/ada/tools/{path}")).try_send().await;
        let read = read.map_err(|error| format!("(GET: {error})"))?;
        if read.status == 200 && read.text() == content {
            Ok(())
        } else {
            Err(format!("(GET: {} {})", read.status, read.text()))
        }
    }
}
