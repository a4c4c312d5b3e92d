//! nginx in front of the nodes of one test.

use std::{
    fs,
    net::SocketAddr,
    process::Stdio,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tokio::{
    net::{TcpSocket, TcpStream},
    process::{Child, Command},
};

const CONFIGURATION: &str = include_str!("nginx.conf");

/// How long nginx may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often to check whether it has started.
const POLL: Duration = Duration::from_millis(2);

/// An address that is reserved for nginx, before and while it listens.
pub(crate) struct ReservedAddress {
    pub(crate) address: SocketAddr,
    _reservation: TcpSocket,
}

/// Who sets the client address of a request.
#[derive(Clone, Copy)]
pub(crate) enum Forwarded {
    /// nginx, which ignores the client's headers.
    ByNginx,
    /// The test, which acts as a proxy; nginx is a second proxy.
    ByTheTest,
}

/// A running nginx. Dropping it kills it.
pub(crate) struct Balancer {
    _reserved: ReservedAddress,
    _server: Child,
    folder: TempDir,
}

impl ReservedAddress {
    /// Reserves a free port on this address.
    pub(crate) fn reserve(mut at: SocketAddr) -> Self {
        at.set_port(0);
        let socket = if at.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }.expect("a socket");
        // A socket that never listens lets another one listen on the same port.
        socket.set_reuseaddr(true).expect("an option of every socket");
        socket.bind(at).expect("a port is free");
        Self { address: socket.local_addr().expect("a bound socket has an address"), _reservation: socket }
    }
}

impl Balancer {
    pub(crate) async fn start(reserved: ReservedAddress, nodes: &[SocketAddr], forwarded: Forwarded) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let file = folder.path().join("nginx.conf");
        let text = configuration(&folder.path().display().to_string(), reserved.address, nodes, forwarded);
        fs::write(&file, text).expect("a file can be written");
        let nginx = std::env::var_os("PACKHOUSE_TEST_NGINX").expect("`cargo xtask test-cluster` sets it");
        // nginx exits with this process, no matter how the process dies.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig=KILL", "--"]).arg(nginx).arg("-p").arg(folder.path()).arg("-c").arg(&file);
        command.arg("-e").arg(folder.path().join("error.log")).stdin(Stdio::null()).kill_on_drop(true);
        let server = command.spawn().expect("nginx starts");
        let balancer = Self { _reserved: reserved, _server: server, folder };
        let began = Instant::now();
        while TcpStream::connect(balancer._reserved.address).await.is_err() {
            assert!(began.elapsed() < PATIENCE, "nginx does not start: {}", balancer.errors());
            tokio::time::sleep(POLL).await;
        }
        balancer
    }

    fn errors(&self) -> String {
        fs::read_to_string(self.folder.path().join("error.log")).unwrap_or_default()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let access_log = fs::read_to_string(self.folder.path().join("access.log")).unwrap_or_default();
            eprintln!("nginx answered\n{access_log}{}", self.errors());
        }
    }
}

fn configuration(folder: &str, reserved: SocketAddr, nodes: &[SocketAddr], forwarded: Forwarded) -> String {
    let servers: Vec<_> = nodes.iter().map(|node| format!("        server {node} max_fails=0;")).collect();
    let listen = if reserved.is_ipv4() { reserved.to_string() } else { format!("{reserved} ipv6only=off") };
    let (address, scheme) = match forwarded {
        Forwarded::ByNginx => ("$remote_addr", "https"),
        Forwarded::ByTheTest => ("$proxy_add_x_forwarded_for", "$scheme_told"),
    };
    CONFIGURATION
        .replace("{FOLDER}", folder)
        .replace("{NODES}", &servers.join("\n"))
        .replace("{FRONT}", &listen)
        .replace("{FORWARDED_FOR}", address)
        .replace("{FORWARDED_PROTO}", scheme)
}
