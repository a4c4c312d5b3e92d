//! One server in this process, with its own address, caches and folder.

use std::{net::SocketAddr, sync::Arc};

use model::timestamp::Timestamp;
use operations::{Caller, Clock, Entropy, Ids, maintenance::site};
use server::{Listener, OpenHouse, Purpose, ServerState, TlsFiles, open_house, serve};
use settings::{Settings, Sources};
use tokio::{sync::oneshot, task::JoinHandle};

use crate::{ADMIN_KEY, Stack};

/// The time at which every test begins.
const START: &str = "2026-01-15T12:00:00.000Z";

/// The number of database connections of a node in a cluster.
const CONNECTIONS: usize = 16;

/// The stores, clock, ids and settings of a node. No two nodes on the same stores may generate the same ids.
#[derive(Clone)]
pub(crate) struct NodeSlot {
    pub(crate) stack: Arc<Stack>,
    pub(crate) clock: Clock,
    /// Ids are unique by their time, which does not advance here, so a restarted node continues the sequence.
    pub(crate) ids: Ids,
    pub(crate) seed: u64,
    /// Settings that differ from the defaults.
    pub(crate) changes: Vec<(String, String)>,
    /// The address that clients use, if it is not the node's own.
    pub(crate) front: Option<SocketAddr>,
}

/// A running server. Dropping it stops it.
pub(crate) struct Node {
    pub(crate) address: SocketAddr,
    pub(crate) state: ServerState,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
    /// The task that receives invalidations from other servers on the same stores.
    listening: Option<JoinHandle<()>>,
}

impl NodeSlot {
    /// Returns the slot of the first node on these stores, with some settings changed.
    pub(crate) fn first(stack: Stack, changes: &[(&str, &str)]) -> Self {
        let clock = Clock::frozen(Timestamp::parse(START).expect("a moment"));
        let changes = changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Self { stack: Arc::new(stack), clock, ids: Ids::default(), seed: 1, changes, front: None }
    }

    /// Returns the settings of the node, before it has a port.
    pub(crate) fn settings(&self) -> Settings {
        let flags = [self.stack.settings(), self.changes.clone()].concat();
        let sources = Sources { file: None, environment: std::iter::empty(), flags };
        let mut settings = Settings::load(sources).expect("the test's settings are right");
        settings.listen.set_port(0);
        settings
    }
}

impl Node {
    pub(crate) async fn start(slot: NodeSlot, tls: Option<TlsFiles>) -> Self {
        let mut settings = slot.settings();
        if slot.front.is_some() {
            // Nodes share only the stores and the key. Only nginx connects to them, from this machine.
            settings.master_key_file = Some(settings.master_key_path());
            settings.data.push(format!("node-{}", slot.seed));
            settings.listen.set_ip([127, 0, 0, 1].into());
            // Waiting for a row that all nodes write occupies a connection, and waiting for a connection ends after two
            // seconds.
            settings.database.connections = CONNECTIONS;
        }
        let listener = Listener::bind(settings.listen, tls).await.expect("a port is free");
        let address = listener.address();
        settings.listen = address;
        let opened = open_house(&settings, slot.clock, Entropy::seeded(slot.seed), Purpose::Serve).await;
        let OpenHouse { mut house, lock } = opened.expect("the house opens");
        house.ids = slot.ids;
        let created = site::create_first_admin(&house, &Caller::operator(), "admin", Some(ADMIN_KEY)).await;
        created.expect("the administrator is made");
        // Set after the house is open: behind a proxy, outbound requests to servers of the test on this machine stay
        // allowed.
        slot.front.iter().for_each(|front| stand_behind(*front, &mut settings));
        let state = ServerState::new(house, settings);
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = state.clone();
        let server = tokio::spawn(async move {
            let _lock = lock;
            serve(serving, listener, async move { drop(stopped.await) }).await;
        });
        // The program does the same. Only the server writes to the embedded database of a test.
        let db = state.app().house().db.clone();
        let listening = slot.stack.is_cluster().then(|| tokio::spawn(async move { db.listen().await }));
        Self { address, state, stop: Some(stop), server, listening }
    }

    /// Asks the server to stop and waits until it has stopped.
    pub(crate) async fn stop(&mut self) {
        drop(self.stop.take());
        (&mut self.server).await.expect("the server ends well");
    }
}

/// Trusts the balancer, unless the test sets trusted proxies, and makes links that lead to it.
fn stand_behind(front: SocketAddr, settings: &mut Settings) {
    settings.public_url.get_or_insert_with(|| format!("http://{front}"));
    if settings.trusted_proxies.is_empty() {
        settings.trusted_proxies.push("127.0.0.1/32".parse().expect("a network"));
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.server.abort();
        self.listening.iter().for_each(JoinHandle::abort);
    }
}
