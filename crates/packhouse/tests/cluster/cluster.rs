//! All parts of a cluster, started in the order in which they need each other.

use std::{fs::Permissions, os::unix::fs::PermissionsExt, path::Path, process::Command, time::Duration};

use suite::Ended;
use tempfile::TempDir;

use crate::{
    balancer::Balancer,
    door::Door,
    garage::Garage,
    node::{Node, Place, path},
    ports::free_address,
    postgres::Postgres,
};

const NODES: usize = 3;

/// A cluster while it runs. Dropped from the first field to the last: who needs something goes before it.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<Node>,
    pub(crate) balancer: Balancer,
    pub(crate) garage: Garage,
    pub(crate) postgres: Postgres,
    pub(crate) folder: TempDir,
}

impl Cluster {
    pub(crate) async fn start() -> Self {
        // Root gives PostgreSQL's folder to another user, who has to get through this one.
        let folder = tempfile::Builder::new()
            .prefix("packhouse-cluster-")
            .permissions(Permissions::from_mode(0o711))
            .tempdir()
            .expect("the temporary folder is writable");
        let postgres = Postgres::start(folder.path());
        let garage = Garage::start(folder.path()).await;
        let addresses: Vec<_> = (0..NODES).map(|_| free_address()).collect();
        let balancer = Balancer::start(folder.path(), &addresses, &garage.addresses()).await;
        let mut nodes = Vec::new();
        for (number, address) in addresses.into_iter().enumerate() {
            let place = Place {
                address,
                front: balancer.front,
                store: balancer.store,
                data: folder.path().join(format!("node-{number}")),
                master_key: folder.path().join("master.key"),
            };
            nodes.push(Node::start(place, postgres.address).await);
        }
        Self { nodes, balancer, garage, postgres, folder }
    }

    /// The balancer.
    pub(crate) fn front(&self) -> Door {
        Door::at(self.balancer.front)
    }

    /// One of the nodes.
    pub(crate) fn node(&self, number: usize) -> Door {
        Door::at(self.nodes[number].place.address)
    }

    /// All nodes.
    pub(crate) fn doors(&self) -> Vec<Door> {
        (0..self.nodes.len()).map(|number| self.node(number)).collect()
    }

    /// A command with the settings of a node.
    pub(crate) fn command(&self, program: &Path) -> Command {
        self.nodes[0].place.command(program, self.postgres.address)
    }

    /// Runs a command of the administrator beside the nodes, and returns what it prints.
    pub(crate) async fn administer(&self, arguments: &[&str]) -> String {
        let mut command = self.command(path());
        command.arg("admin").args(arguments);
        Ended::run(command).await.succeeds()
    }
}

/// Lets some time pass.
pub(crate) async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}
