//! All parts of a cluster, started in the order of their dependencies.

use std::{fs::Permissions, os::unix::fs::PermissionsExt, path::Path, process::Command, time::Duration};

use suite::Ended;
use tempfile::TempDir;

use crate::{
    balancer::Balancer,
    door::Door,
    garage::Garage,
    node::{Node, NodeFolder, path},
    ports::free_address,
    postgres::Postgres,
};

const NODES: usize = 3;

/// A running cluster. The fields are dropped from first to last, so each part stops before those it depends on.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<Node>,
    pub(crate) balancer: Balancer,
    pub(crate) garage: Garage,
    pub(crate) postgres: Postgres,
    pub(crate) folder: TempDir,
}

impl Cluster {
    pub(crate) async fn start() -> Self {
        // Root gives PostgreSQL's folder to another user, who needs access through this folder.
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
            let place = NodeFolder {
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

    /// Returns the balancer.
    pub(crate) fn front(&self) -> Door {
        Door::at(self.balancer.front)
    }

    /// Returns one of the nodes.
    pub(crate) fn node(&self, number: usize) -> Door {
        Door::at(self.nodes[number].place.address)
    }

    /// Returns all nodes.
    pub(crate) fn doors(&self) -> Vec<Door> {
        (0..self.nodes.len()).map(|number| self.node(number)).collect()
    }

    /// Returns a command with the settings of a node.
    pub(crate) fn command(&self, program: &Path) -> Command {
        self.nodes[0].place.command(program, self.postgres.address)
    }

    /// Runs an admin command while the nodes run, and returns its output.
    pub(crate) async fn administer(&self, arguments: &[&str]) -> String {
        let mut command = self.command(path());
        command.arg("admin").args(arguments);
        Ended::run(command).await.succeeds()
    }
}

/// Waits for some seconds.
pub(crate) async fn pass(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}
