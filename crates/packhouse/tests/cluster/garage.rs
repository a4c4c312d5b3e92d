//! An object store of three nodes, each with a full copy.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{ports::free_address, program::Program};

/// The bucket that nodes use, and its access key.
pub(crate) const BUCKET: &str = "packhouse";
pub(crate) const ACCESS_KEY: &str = "GK0123456789abcdef01234567";
pub(crate) const SECRET_KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

const NODES: usize = 3;

/// How long nodes may take to find each other.
const PATIENCE: Duration = Duration::from_secs(60);

/// The running store.
pub(crate) struct Garage {
    nodes: Vec<Node>,
}

struct Node {
    folder: PathBuf,
    s3: SocketAddr,
    server: Program,
}

impl Garage {
    /// Starts three nodes, joins them to one store, and creates a bucket.
    pub(crate) async fn start(folder: &Path) -> Self {
        let nodes = (1..=NODES).map(|number| Node::create(folder.join(format!("garage-{number}")))).collect();
        let garage = Self { nodes };
        let mut ids = Vec::new();
        for node in &garage.nodes {
            node.manage_soon(&["status"]).await;
            ids.push(node.manage_soon(&["node", "id", "-q"]).await.trim().to_owned());
        }
        let first = &garage.nodes[0];
        for id in &ids[1..] {
            first.manage_soon(&["node", "connect", id]).await;
        }
        for id in &ids {
            let name = id.split('@').next().expect("an id has a name");
            first.manage_soon(&["layout", "assign", name, "-z", "here", "-c", "1GB"]).await;
        }
        first.manage_soon(&["layout", "apply", "--version", "1"]).await;
        first.manage_soon(&["bucket", "create", BUCKET]).await;
        first.manage_soon(&["key", "import", "--yes", "-n", "packhouse", ACCESS_KEY, SECRET_KEY]).await;
        first.manage_soon(&["bucket", "allow", "--read", "--write", "--key", ACCESS_KEY, BUCKET]).await;
        garage
    }

    /// Returns the S3 addresses of the nodes.
    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.s3).collect()
    }

    /// Kills a node.
    pub(crate) fn kill(&mut self, node: usize) {
        self.nodes[node].server.kill();
    }

    /// Starts a killed node again.
    pub(crate) fn restart(&mut self, node: usize) {
        let node = &mut self.nodes[node];
        node.server = serve(&node.folder);
    }

    /// Waits until every node sees all others. The others find a restarted node only after a while.
    pub(crate) async fn heals(&self) {
        let began = Instant::now();
        for node in &self.nodes {
            while !node.is_healthy().await {
                assert!(began.elapsed() < PATIENCE, "the store is not whole again");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
        println!("  the store is whole again after {} ms", began.elapsed().as_millis());
    }

    /// Freezes a node in the middle of its work.
    pub(crate) fn freeze(&self, node: usize) {
        self.nodes[node].server.freeze();
    }

    /// Lets a frozen node continue.
    pub(crate) fn thaw(&self, node: usize) {
        self.nodes[node].server.thaw();
    }
}

impl Node {
    fn create(folder: PathBuf) -> Self {
        fs::create_dir_all(&folder).expect("a folder can be made");
        let (s3, rpc) = (free_address(), free_address());
        let place = folder.display();
        let settings = format!(
            r#"
            metadata_dir = "{place}/metadata"
            data_dir = "{place}/data"
            db_engine = "lmdb"
            replication_factor = {NODES}
            rpc_bind_addr = "{rpc}"
            rpc_public_addr = "{rpc}"
            rpc_secret = "{SECRET_KEY}"
            # A node that hangs is given up soon; the others are enough.
            rpc_timeout_msec = 700
            rpc_ping_timeout_msec = 1000

            [s3_api]
            api_bind_addr = "{s3}"
            s3_region = "us-east-1"
            root_domain = ".s3.localhost"
            "#
        );
        fs::write(folder.join("garage.toml"), settings).expect("a file can be written");
        let server = serve(&folder);
        Self { folder, s3, server }
    }

    /// Runs an admin command until it succeeds: nodes need time to find each other.
    async fn manage_soon(&self, arguments: &[&str]) -> String {
        let began = Instant::now();
        loop {
            let output = self.manage(arguments).await;
            if output.status.success() {
                return String::from_utf8_lossy(&output.stdout).into_owned();
            }
            let reason = String::from_utf8_lossy(&output.stderr);
            assert!(began.elapsed() < PATIENCE, "garage {arguments:?}: {reason}");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn is_healthy(&self) -> bool {
        let told = self.manage(&["json-api", "GetClusterHealth"]).await.stdout;
        serde_json::from_slice::<Value>(&told).is_ok_and(|health| health["status"] == "healthy")
    }

    async fn manage(&self, arguments: &[&str]) -> Output {
        let mut command = tokio::process::Command::from(command(&self.folder));
        command.args(arguments).output().await.expect("Garage starts")
    }
}

fn serve(folder: &Path) -> Program {
    let mut command = command(folder);
    command.arg("server").env("RUST_LOG", "garage=info");
    Program::start(command, &folder.join("log"))
}

fn command(folder: &Path) -> Command {
    let mut command = Program::command("PACKHOUSE_TEST_GARAGE");
    command.arg("-c").arg(folder.join("garage.toml"));
    command
}
