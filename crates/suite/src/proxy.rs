//! A relay on loopback that simulates network faults.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::{JoinHandle, JoinSet},
};

/// The maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 128;

/// The message of a PostgreSQL client that ends a transaction.
const COMMIT: &[u8] = b"Q\0\0\0\x0bCOMMIT\0";

/// The delay per chunk on a slow network: a megabyte takes about a second.
const SLOW: Duration = Duration::from_millis(8);

/// Forwards bytes to another address, until it is cut or frozen.
pub struct Relay {
    /// The address to use instead of the other one.
    pub address: SocketAddr,
    upstream: SocketAddr,
    is_flowing: watch::Sender<bool>,
    is_slow: Arc<AtomicBool>,
    loses_commit: Arc<AtomicBool>,
    /// The number of bytes that clients have sent.
    sent: watch::Sender<usize>,
    task: Option<JoinHandle<()>>,
    /// Reserves the port for this relay while it is cut.
    _reservation: TcpSocket,
}

impl Relay {
    /// Starts a relay in front of this address.
    pub fn start(upstream: SocketAddr) -> Self {
        let reservation = socket(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let address = reservation.local_addr().expect("a bound socket has an address");
        let is_flowing = watch::Sender::new(true);
        let mut relay = Self {
            address,
            upstream,
            is_flowing,
            is_slow: Arc::default(),
            loses_commit: Arc::default(),
            sent: watch::Sender::default(),
            task: None,
            _reservation: reservation,
        };
        relay.restore();
        relay
    }

    /// Closes all connections and refuses new ones.
    pub async fn cut(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            drop(task.await);
        }
    }

    /// Keeps all connections and accepts new ones, but forwards nothing.
    pub fn freeze(&self) {
        self.is_flowing.send_replace(false);
    }

    /// Forwards everything, but slowly.
    pub fn slow_down(&self) {
        self.is_slow.store(true, Ordering::Relaxed);
    }

    /// Returns the number of bytes that clients have sent.
    pub fn passed(&self) -> usize {
        *self.sent.borrow()
    }

    /// Waits until clients have sent at least this many bytes.
    pub async fn passes(&self, bytes: usize) {
        let mut sent = self.sent.subscribe();
        sent.wait_for(|sent| *sent >= bytes).await.expect("the relay is there");
    }

    /// Forwards the next commit and closes its connection instead of forwarding the response.
    pub fn lose_next_commit(&self) {
        self.loses_commit.store(true, Ordering::Relaxed);
    }

    /// Forwards everything again.
    pub fn restore(&mut self) {
        self.is_flowing.send_replace(true);
        self.is_slow.store(false, Ordering::Relaxed);
        if self.task.is_none() {
            let listener = socket(self.address).listen(BACKLOG).expect("the port is reserved");
            let network = Network {
                is_flowing: self.is_flowing.subscribe(),
                is_slow: self.is_slow.clone(),
                loses_commit: self.loses_commit.clone(),
                sent: self.sent.clone(),
            };
            self.task = Some(tokio::spawn(accept(listener, self.upstream, network)));
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.iter().for_each(JoinHandle::abort);
    }
}

fn socket(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket can be made");
    socket.set_reuseport(true).expect("ports can be shared");
    socket.set_reuseaddr(true).expect("ports can be used again");
    socket.bind(address).expect("the port is free");
    socket
}

/// The faults that apply to forwarded bytes.
#[derive(Clone)]
struct Network {
    is_flowing: watch::Receiver<bool>,
    is_slow: Arc<AtomicBool>,
    loses_commit: Arc<AtomicBool>,
    sent: watch::Sender<usize>,
}

/// Accepts and forwards connections. Dropping the future closes the port and all connections.
async fn accept(listener: TcpListener, upstream: SocketAddr, network: Network) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        connections.spawn(pass(client, upstream, network.clone()));
        while connections.try_join_next().is_some() {}
    }
}

async fn pass(client: TcpStream, upstream: SocketAddr, mut network: Network) {
    if network.is_flowing.wait_for(|is_flowing| *is_flowing).await.is_err() {
        return;
    }
    let Ok(server) = TcpStream::connect(upstream).await else { return };
    // Both ends send without delay, so the relay does, too.
    if client.set_nodelay(true).and(server.set_nodelay(true)).is_err() {
        return;
    }
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let is_lost = AtomicBool::new(false);
    // Set before the commit is forwarded, so that the response cannot arrive first.
    let watch = |bytes: &[u8]| {
        let is_lost_now = bytes == COMMIT && network.loses_commit.swap(false, Ordering::Relaxed);
        is_lost.fetch_or(is_lost_now, Ordering::Relaxed);
        network.sent.send_modify(|sent| *sent += bytes.len());
        true
    };
    let answers = |_: &[u8]| !is_lost.load(Ordering::Relaxed);
    tokio::join!(
        copy(from_client, to_server, network.clone(), watch),
        copy(from_server, to_client, network.clone(), answers)
    );
}

/// Copies until one side closes or `is_passed` rejects a chunk. Dropping `to` closes the other side.
async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut network: Network,
    is_passed: impl Fn(&[u8]) -> bool,
) {
    let mut chunk = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut chunk).await {
        if network.is_slow.load(Ordering::Relaxed) {
            tokio::time::sleep(SLOW).await;
        }
        let flows = network.is_flowing.wait_for(|is_flowing| *is_flowing).await.is_ok();
        if !flows || !is_passed(&chunk[..count]) || to.write_all(&chunk[..count]).await.is_err() {
            return;
        }
    }
}
