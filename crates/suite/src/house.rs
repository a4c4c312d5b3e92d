//! A server in this process, with a clock that stands still and randomness that repeats.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use model::timestamp::Timestamp;
use operations::{Clock, Entropy, site};
use server::{
    App, Listener, OpenHouse, Server, TlsFiles, Use, open_house,
    settings::{Settings, Sources},
};
use tokio::{sync::oneshot, task::JoinHandle};

use crate::{Browser, Person, Relay, Stack};

/// The administrator's key in every test.
const ADMIN_KEY: &str = "the-key-of-the-administrator-in-tests";

/// When every test begins.
const START: &str = "2026-01-15T12:00:00.000Z";

/// A house under test, served on a loopback port.
pub struct TestHouse {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its time, which only tests move.
    pub clock: Clock,
    app: App,
    stack: Arc<Stack>,
    client: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
    /// Hears of what other servers on the same stores do.
    hearing: Option<JoinHandle<()>>,
    /// How many others it has started.
    others: AtomicU64,
}

/// Where a server stands, and what its ids begin with: no two on the same stores may make the same.
struct Place {
    stack: Arc<Stack>,
    clock: Clock,
    seed: u64,
}

impl Place {
    async fn first() -> Self {
        let clock = Clock::frozen(Timestamp::parse(START).expect("a moment"));
        Self { stack: Arc::new(Stack::create().await), clock, seed: 1 }
    }
}

impl TestHouse {
    /// Starts one with the default settings.
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts one with some settings changed, given as dotted key and value.
    pub async fn start_with(changes: &[(&str, &str)]) -> Self {
        Self::start_at(Place::first().await, changes, None).await
    }

    /// Starts one that speaks TLS.
    pub async fn start_tls(files: TlsFiles) -> Self {
        Self::start_at(Place::first().await, &[], Some(files)).await
    }

    /// Starts another server on the same stores and with the same time; `None` where the stores are for one server.
    pub async fn start_another(&self) -> Option<Self> {
        if !self.stack.is_cluster() {
            return None;
        }
        let seed = 2 + self.others.fetch_add(1, Ordering::Relaxed);
        let place = Place { stack: self.stack.clone(), clock: self.clock.clone(), seed };
        let mut other = Self::start_at(place, &[], None).await;
        // As the program does.
        let db = other.app.house().db.clone();
        other.hearing = Some(tokio::spawn(async move { db.listen().await }));
        Some(other)
    }

    /// Starts one whose way to PostgreSQL leads over a relay. An embedded database has no way.
    pub async fn start_behind_relay() -> (Self, Option<Relay>) {
        let place = Place::first().await;
        let Some(server) = place.stack.database_server() else { return (Self::start_at(place, &[], None).await, None) };
        let relay = Relay::start(server);
        let url = place.stack.database_url().replace(&server.to_string(), &relay.address.to_string());
        (Self::start_at(place, &[("database_url", &url)], None).await, Some(relay))
    }

    async fn start_at(place: Place, changes: &[(&str, &str)], tls: Option<TlsFiles>) -> Self {
        let Place { stack, clock, seed } = place;
        let mut flags = stack.settings();
        flags.extend(changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        let sources = Sources { file: None, environment: std::iter::empty(), flags };
        let mut settings = Settings::load(sources).expect("the test's settings are right");
        settings.listen.set_port(0);
        let listener = Listener::bind(settings.listen, tls).await.expect("a port is free");
        settings.listen = listener.address();
        let address = listener.address();
        let opened = open_house(&settings, clock.clone(), Entropy::seeded(seed), Use::Serve).await;
        let OpenHouse { house, lock } = opened.expect("the house opens");
        site::create_first_admin(&house, "admin", Some(ADMIN_KEY)).await.expect("the administrator is made");
        let app = App::new(house, settings);
        let (stop, stopped) = oneshot::channel::<()>();
        let server = Server::new(app.clone());
        let server = tokio::spawn(async move {
            let _lock = lock;
            server.serve(listener, async move { drop(stopped.await) }).await;
        });
        // A redirect is an answer to look at, not to follow.
        let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        let client = client.timeout(Duration::from_secs(60)).build().expect("a client");
        Self { address, clock, app, stack, client, stop: Some(stop), server, hearing: None, others: AtomicU64::new(0) }
    }

    /// The stores it stands on.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The service behind the edge.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Someone without credentials.
    pub fn anyone(&self) -> Person {
        Person::new(self.client.clone(), self.base(), None)
    }

    /// Someone who reads pages and has not signed in.
    pub fn browser(&self) -> Browser {
        Browser::new(self.anyone(), self.base())
    }

    /// The site administrator.
    pub fn admin(&self) -> Person {
        self.person("admin", ADMIN_KEY)
    }

    /// Someone who presents these credentials.
    pub fn person(&self, name: &str, key: &str) -> Person {
        Person::new(self.client.clone(), self.base(), Some((name.to_owned(), key.to_owned())))
    }

    /// A new user of this name.
    pub async fn user(&self, name: &str) -> Person {
        let body = serde_json::json!({ "name": name, "email": format!("{name}@example.org") });
        let created = self.admin().post("/users").json(body).await.expect(201).json();
        self.person(name, created["api_key"].as_str().expect("a new user has a key"))
    }

    /// Asks the server to stop, and waits until it has.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        (&mut self.server).await.expect("the server ends well");
    }

    fn base(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for TestHouse {
    fn drop(&mut self) {
        self.server.abort();
        self.hearing.iter().for_each(JoinHandle::abort);
    }
}
