//! One server in this process, with an address, caches and a folder of its own.

use std::{net::SocketAddr, sync::Arc};

use model::timestamp::Timestamp;
use operations::{Caller, Clock, Entropy, Ids, maintenance::site};
use server::{App, Listener, OpenHouse, Purpose, TlsFiles, open_house, serve};
use settings::{Settings, Sources};
use tokio::{sync::oneshot, task::JoinHandle};

use crate::{ADMIN_KEY, Stack};

/// When every test begins.
const START: &str = "2026-01-15T12:00:00.000Z";

/// Connections to the database that a node has beside others.
const CONNECTIONS: usize = 16;

/// Where a node stands, and what its ids begin with: no two on the same stores may make the same.
#[derive(Clone)]
pub(crate) struct NodeSlot {
    pub(crate) stack: Arc<Stack>,
    pub(crate) clock: Clock,
    /// Ids are told apart by time, which stands still here: nodes go on where the one before has ended.
    pub(crate) ids: Ids,
    pub(crate) seed: u64,
    /// Settings that differ from the defaults.
    pub(crate) changes: Vec<(String, String)>,
    /// The address that clients use, where it is not the node's own.
    pub(crate) front: Option<SocketAddr>,
}

/// A server that runs; dropped is ended.
pub(crate) struct Node {
    pub(crate) address: SocketAddr,
    pub(crate) app: App,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
    /// Hears of what other servers on the same stores do.
    hearing: Option<JoinHandle<()>>,
}

impl NodeSlot {
    /// That of the first node on these stores, with some settings changed.
    pub(crate) fn first(stack: Stack, changes: &[(&str, &str)]) -> Self {
        let clock = Clock::frozen(Timestamp::parse(START).expect("a moment"));
        let changes = changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Self { stack: Arc::new(stack), clock, ids: Ids::default(), seed: 1, changes, front: None }
    }

    /// The settings of the node, before it knows its port.
    pub(crate) fn settings(&self) -> Settings {
        let flags = [self.stack.settings(), self.changes.clone()].concat();
        let sources = Sources { file: None, environment: std::iter::empty(), flags };
        let mut settings = Settings::load(sources).expect("the test's settings are right");
        settings.listen.set_port(0);
        settings
    }
}

impl Node {
    pub(crate) async fn start(place: NodeSlot, tls: Option<TlsFiles>) -> Self {
        let mut settings = place.settings();
        if place.front.is_some() {
            // Nodes share nothing but the stores and the key; only nginx knows them, and it is on this machine.
            settings.master_key_file = Some(settings.master_key_path());
            settings.data.push(format!("node-{}", place.seed));
            settings.listen.set_ip([127, 0, 0, 1].into());
            // Rows that all nodes write to are waited for with a connection, and for one only two seconds.
            settings.database.connections = CONNECTIONS;
        }
        let listener = Listener::bind(settings.listen, tls).await.expect("a port is free");
        let address = listener.address();
        settings.listen = address;
        let opened = open_house(&settings, place.clock, Entropy::seeded(place.seed), Purpose::Serve).await;
        let OpenHouse { mut house, lock } = opened.expect("the house opens");
        house.ids = place.ids;
        let created = site::create_first_admin(&house, &Caller::operator(), "admin", Some(ADMIN_KEY)).await;
        created.expect("the administrator is made");
        // After the house is open: what tests talk to is on this machine, and stays allowed behind a proxy.
        place.front.iter().for_each(|front| stand_behind(*front, &mut settings));
        let app = App::new(house, settings);
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = app.clone();
        let server = tokio::spawn(async move {
            let _lock = lock;
            serve(serving, listener, async move { drop(stopped.await) }).await;
        });
        // As the program does. Nobody writes to a test's embedded database beside the server.
        let db = app.house().db.clone();
        let hearing = place.stack.is_cluster().then(|| tokio::spawn(async move { db.listen().await }));
        Self { address, app, stop: Some(stop), server, hearing }
    }

    /// Asks the server to stop, and waits until it has.
    pub(crate) async fn stop(&mut self) {
        drop(self.stop.take());
        (&mut self.server).await.expect("the server ends well");
    }
}

/// Believes the balancer, unless the test says whom to believe, and makes links that lead to it.
fn stand_behind(front: SocketAddr, settings: &mut Settings) {
    settings.public_url.get_or_insert_with(|| format!("http://{front}"));
    if settings.trusted_proxies.is_empty() {
        settings.trusted_proxies.push("127.0.0.1/32".parse().expect("a network"));
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.server.abort();
        self.hearing.iter().for_each(JoinHandle::abort);
    }
}
