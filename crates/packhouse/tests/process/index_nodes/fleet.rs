//! Three servers on the same stores, which are killed and stopped.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use suite::{Person, Process, Stack};

use super::client::{packages, update};
use crate::{program::start, tools::change};

/// The number of servers.
pub(super) const NODES: usize = 3;

/// As if half a minute had passed: all leases have ended, also those of builders that work.
const LEASES_END: &str = "UPDATE index_heads SET leased_until = 0";

/// Callers at each server that answers.
#[derive(Clone)]
pub(super) struct Nodes(Arc<Mutex<Vec<Option<Person>>>>);

impl Nodes {
    /// Ada at this server.
    pub(super) fn author(&self, number: usize) -> Option<Person> {
        self.0.lock().expect("no panic")[number].clone()
    }

    /// Ada at the first server that answers, from this one on.
    pub(super) fn any(&self, from: usize) -> Option<Person> {
        (from..from + NODES).find_map(|number| self.author(number % NODES))
    }

    fn set(&self, number: usize, ada: Option<Person>) {
        self.0.lock().expect("no panic")[number] = ada;
    }
}

/// The servers.
pub(super) struct Fleet<'s> {
    stack: &'s Stack,
    servers: Vec<Process>,
    key: String,
    pub(super) nodes: Nodes,
}

impl<'s> Fleet<'s> {
    pub(super) async fn start(stack: &'s Stack) -> Self {
        let mut servers = vec![start(stack).await];
        let key = servers[0].user("ada").await.key().to_owned();
        while servers.len() < NODES {
            servers.push(start(stack).await);
        }
        let people = servers.iter().map(|server| Some(server.person("ada", &key))).collect();
        Self { stack, servers, key, nodes: Nodes(Arc::new(Mutex::new(people))) }
    }

    /// Kills a server and starts another in its place.
    pub(super) async fn kill(&mut self, number: usize) {
        self.servers[number].kill();
        self.nodes.set(number, None);
        change(self.stack, LEASES_END).await;
        self.servers[number] = start(self.stack).await;
        self.nodes.set(number, Some(self.servers[number].person("ada", &self.key)));
    }

    /// Stops a server in the middle of its work; it goes on after its leases have ended.
    pub(super) async fn hang(&mut self, number: usize, millis: u64) {
        let id = Pid::from_raw(i32::try_from(self.servers[number].id()).expect("a process has a number"));
        self.nodes.set(number, None);
        kill(id, Signal::SIGSTOP).expect("it runs");
        // It may hang in a transaction that has the row.
        let ended = tokio::time::timeout(Duration::from_millis(millis), change(self.stack, LEASES_END)).await;
        if ended.is_ok() {
            tokio::time::sleep(Duration::from_millis(millis)).await;
        }
        kill(id, Signal::SIGCONT).expect("it hangs");
        self.nodes.set(number, Some(self.servers[number].person("ada", &self.key)));
    }

    /// Waits until the index of every server lists all these packages.
    pub(super) async fn list_all(&self, published: &BTreeSet<String>) {
        change(self.stack, LEASES_END).await;
        for number in 0..NODES {
            let ada = self.nodes.author(number).expect("it runs");
            let listed = async {
                loop {
                    let found = packages(&update(&ada, &ada).await.expect("it answers"));
                    if published.is_subset(&found) {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            };
            tokio::time::timeout(Duration::from_secs(30), listed).await.expect("no change is lost");
        }
    }
}
