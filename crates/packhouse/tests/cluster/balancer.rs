//! nginx, in front of the nodes and in front of the store.

use std::{
    fs,
    net::{SocketAddr, TcpStream},
    path::Path,
    time::{Duration, Instant},
};

use crate::{ports::free_address, program::Program};

const CONFIGURATION: &str = include_str!("nginx.conf");

/// How long nginx skips a server after one failure.
const SERVER: &str = "max_fails=1 fail_timeout=2s";

/// How long nginx may take to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// A running nginx.
pub(crate) struct Balancer {
    pub(crate) front: SocketAddr,
    pub(crate) store: SocketAddr,
    _server: Program,
}

impl Balancer {
    pub(crate) async fn start(folder: &Path, nodes: &[SocketAddr], stores: &[SocketAddr]) -> Self {
        let folder = folder.join("nginx");
        fs::create_dir_all(&folder).expect("a folder can be made");
        let (front, store) = (free_address(), free_address());
        let configuration = CONFIGURATION
            .replace("{FOLDER}", &folder.display().to_string())
            .replace("{NODES}", &servers(nodes))
            .replace("{STORE}", &servers(stores))
            .replace("{FRONT}", &front.to_string())
            .replace("{STORE_FRONT}", &store.to_string());
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration).expect("a file can be written");
        let mut command = Program::command("PACKHOUSE_TEST_NGINX");
        command.arg("-p").arg(&folder).arg("-c").arg(&file).args(["-e", "stderr"]);
        let server = Program::start(command, &folder.join("log"));
        let began = Instant::now();
        while TcpStream::connect(front).is_err() {
            assert!(began.elapsed() < PATIENCE, "nginx does not start: {:?}", fs::read_to_string(folder.join("log")));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Self { front, store, _server: server }
    }
}

fn servers(addresses: &[SocketAddr]) -> String {
    addresses.iter().map(|address| format!("        server {address} {SERVER};")).collect::<Vec<_>>().join("\n")
}
