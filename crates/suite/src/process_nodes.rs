//! Several processes of one house behind nginx.

use std::{net::SocketAddr, path::Path};

use crate::{
    Process, Stack,
    balancer::{Balancer, Forwarded, ReservedAddress},
    process::ADMIN_KEY,
};

/// The processes besides the first, and nginx in front of all. Dropping this stops them.
#[derive(Default)]
pub struct ProcessNodes {
    _others: Vec<Process>,
    _ports: Vec<ReservedAddress>,
    _balancer: Option<Balancer>,
}

impl ProcessNodes {
    /// Starts one process, or `PACKHOUSE_TEST_NODES` of them on the same stores. The base of the first one is the URL
    /// that clients use.
    pub async fn start(program: &Path, stack: &Stack) -> (Process, Self) {
        if stack.nodes() == 1 {
            return (Process::start(program, stack).await, Self::default());
        }
        let reserve = || ReservedAddress::reserve(SocketAddr::from(([127, 0, 0, 1], 0)));
        let front = reserve();
        let base = format!("http://{}", front.address);
        let key_file = stack.data.path().join("master.key");
        let (mut nodes, mut ports) = (Vec::new(), Vec::new());
        for number in 0..stack.nodes() {
            // Nodes share only the stores and the key.
            let data = stack.data.path().join(format!("node-{number}"));
            let mut command = Process::command(program, stack);
            command
                .env("PACKHOUSE_ADMIN_KEY", ADMIN_KEY)
                .env("PACKHOUSE_DATA", &data)
                .env("PACKHOUSE_MASTER_KEY_FILE", &key_file)
                .env("PACKHOUSE_PUBLIC_URL", &base)
                .env("PACKHOUSE_TRUSTED_PROXIES", "127.0.0.1/32");
            // A node prints the URL that clients use, not its own.
            let port = reserve();
            nodes.push(Process::launch_at(command, &port.address.to_string()).await);
            ports.push(port);
        }
        let addresses: Vec<SocketAddr> = ports.iter().map(|port| port.address).collect();
        let balancer = Balancer::start(front, &addresses, Forwarded::ByNginx).await;
        let first = nodes.remove(0);
        (first, Self { _others: nodes, _ports: ports, _balancer: Some(balancer) })
    }
}
