//! Servers in this process, with a clock that only tests move and reproducible randomness.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use operations::Clock;
use server::{App, ServerState, TlsFiles};

use crate::{
    ADMIN_KEY, Browser, Person, Relay, Stack,
    balancer::{Balancer, Forwarded, ReservedAddress},
    local_client,
    node::{Node, NodeSlot},
};

/// A house under test, served on a loopback port by one node, or by `PACKHOUSE_TEST_NODES` nodes behind nginx.
pub struct TestHouse {
    /// The address that clients use.
    pub address: SocketAddr,
    /// Its clock, which only tests move.
    pub clock: Clock,
    nodes: Vec<Node>,
    _balancer: Option<Balancer>,
    stack: Arc<Stack>,
    /// Settings that differ from the defaults.
    changes: Vec<(String, String)>,
    client: reqwest::Client,
    /// The number of other servers it has started.
    others: AtomicU64,
}

impl TestHouse {
    /// Starts a house with the default settings.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a house with some settings changed, given as dotted key and value.
    pub async fn start_with(changes: &[(&str, &str)]) -> Self {
        Self::start_on(Stack::with_schema().await, changes).await
    }

    /// Starts a house that serves TLS, without a balancer.
    pub async fn start_tls(files: TlsFiles) -> Self {
        Self::alone(NodeSlot::first(Stack::with_schema().await, &[]), Some(files)).await
    }

    /// Starts another server on the same stores, with the same clock and settings; `None` if the stores allow only one
    /// server.
    pub async fn start_another(&self) -> Option<Self> {
        if !self.stack.is_cluster() {
            return None;
        }
        let (stack, clock, ids) = (self.stack.clone(), self.clock.clone(), self.app().house().ids.clone());
        let seed = self.stack.nodes() + 1 + self.others.fetch_add(1, Ordering::Relaxed);
        let slot = NodeSlot { stack, clock, ids, seed, changes: self.changes.clone(), front: None };
        Some(Self::alone(slot, None).await)
    }

    /// Stops the house, and starts one node on the same stores with other settings and the same clock.
    pub async fn restart_with(mut self, changes: &[(&str, &str)]) -> Self {
        for node in &mut self.nodes {
            node.stop().await;
        }
        let (stack, clock, ids) = (self.stack.clone(), self.clock.clone(), self.app().house().ids.clone());
        let seed = 1_000 + self.stack.nodes() + self.others.fetch_add(1, Ordering::Relaxed);
        let changes = changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Self::alone(NodeSlot { stack, clock, ids, seed, changes, front: None }, None).await
    }

    /// Starts a house that connects to PostgreSQL through a relay; an embedded database has no relay.
    pub async fn start_behind_relay() -> (Self, Option<Relay>) {
        let stack = Stack::with_schema().await;
        let Some(server) = stack.database_server() else { return (Self::start_on(stack, &[]).await, None) };
        let relay = Relay::start(server);
        let url = stack.database_url().replace(&server.to_string(), &relay.address.to_string());
        (Self::start_on(stack, &[("database_url", &url)]).await, Some(relay))
    }

    async fn start_on(stack: Stack, changes: &[(&str, &str)]) -> Self {
        let slot = NodeSlot::first(stack, changes);
        match slot.stack.nodes() {
            1 => Self::alone(slot, None).await,
            count => Self::balanced(slot, count).await,
        }
    }

    async fn alone(slot: NodeSlot, tls: Option<TlsFiles>) -> Self {
        let node = Node::start(slot.clone(), tls).await;
        Self::of(node.address, slot, vec![node], None)
    }

    async fn balanced(slot: NodeSlot, count: u64) -> Self {
        let settings = slot.settings();
        let front = ReservedAddress::reserve(settings.listen);
        let address = front.address;
        let mut nodes = Vec::new();
        for seed in 1..=count {
            nodes.push(Node::start(NodeSlot { seed, front: Some(address), ..slot.clone() }, None).await);
        }
        // A test that sets trusted proxies acts as one.
        let is_proxy = !settings.trusted_proxies.is_empty();
        let forwarded = if is_proxy { Forwarded::ByTheTest } else { Forwarded::ByNginx };
        let addresses: Vec<_> = nodes.iter().map(|node| node.address).collect();
        let balancer = Balancer::start(front, &addresses, forwarded).await;
        Self::of(address, slot, nodes, Some(balancer))
    }

    fn of(address: SocketAddr, slot: NodeSlot, nodes: Vec<Node>, balancer: Option<Balancer>) -> Self {
        let NodeSlot { stack, clock, changes, .. } = slot;
        // Tests check redirects instead of following them.
        let client = local_client::builder().redirect(reqwest::redirect::Policy::none());
        let client = client.timeout(Duration::from_secs(60)).build().expect("a client");
        Self { address, clock, nodes, _balancer: balancer, stack, changes, client, others: AtomicU64::new(0) }
    }

    /// Returns its stores.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// Returns the state of the server: of the first node, where there are several.
    pub fn state(&self) -> &ServerState {
        &self.nodes[0].state
    }

    /// The service behind the edge, of the first node if it has several.
    pub fn app(&self) -> &App {
        self.state().app()
    }

    /// Returns the service of every node.
    pub fn apps(&self) -> impl Iterator<Item = &App> {
        self.nodes.iter().map(|node| node.state.app())
    }

    /// Flushes the recorded downloads and logins of every node, as each node does every second.
    pub async fn flush(&self) {
        for house in self.apps().map(App::house) {
            house.counter.flush(house).await.expect("written");
            operations::jobs::run_once(house, "token_uses").await.expect("written");
        }
    }

    /// Returns a caller without credentials.
    pub fn anyone(&self) -> Person {
        Person::new(self.client.clone(), self.base(), None)
    }

    /// Returns a browser that is not signed in.
    pub fn browser(&self) -> Browser {
        Browser::new(self.anyone(), self.base())
    }

    /// Returns the site administrator.
    pub fn admin(&self) -> Person {
        self.person("admin", ADMIN_KEY)
    }

    /// Returns a caller with these credentials.
    pub fn person(&self, name: &str, key: &str) -> Person {
        Person::new(self.client.clone(), self.base(), Some((name.to_owned(), key.to_owned())))
    }

    /// Creates a user with this name.
    pub async fn user(&self, name: &str) -> Person {
        let body = serde_json::json!({ "name": name, "email": format!("{name}@example.org") });
        let created = self.admin().post("/users").json(body).await.expect(201).json();
        self.person(name, created["api_key"].as_str().expect("a new user has a key"))
    }

    /// Asks the server to stop and waits until it has stopped.
    pub async fn stop(mut self) {
        for node in &mut self.nodes {
            node.stop().await;
        }
    }

    fn base(&self) -> String {
        format!("http://{}", self.address)
    }
}
