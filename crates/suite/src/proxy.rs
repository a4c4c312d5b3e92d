//! A relay on loopback, for what networks do to connections.

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

/// Connections that wait to be accepted.
const BACKLOG: u32 = 128;

/// What a client of PostgreSQL sends to end a transaction.
const COMMIT: &[u8] = b"Q\0\0\0\x0bCOMMIT\0";

/// How long a slow network takes for each chunk: a megabyte takes about a second.
const SLOW: Duration = Duration::from_millis(8);

/// Passes bytes to another address, until it is cut or frozen.
pub struct Relay {
    /// The address to use in place of the other.
    pub address: SocketAddr,
    upstream: SocketAddr,
    is_flowing: watch::Sender<bool>,
    is_slow: Arc<AtomicBool>,
    loses_commit: Arc<AtomicBool>,
    /// How many bytes clients have sent.
    sent: watch::Sender<usize>,
    task: Option<JoinHandle<()>>,
    /// Keeps the port for this relay while it is cut.
    _reservation: TcpSocket,
}

impl Relay {
    /// Starts one in front of this address.
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

    /// Ends all connections and refuses new ones.
    pub async fn cut(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            drop(task.await);
        }
    }

    /// Keeps all connections and takes new ones, and passes nothing on.
    pub fn freeze(&self) {
        self.is_flowing.send_replace(false);
    }

    /// Passes everything on, but slowly.
    pub fn slow_down(&self) {
        self.is_slow.store(true, Ordering::Relaxed);
    }

    /// How many bytes clients have sent so far.
    pub fn passed(&self) -> usize {
        *self.sent.borrow()
    }

    /// Waits until clients have sent so many bytes.
    pub async fn passes(&self, bytes: usize) {
        let mut sent = self.sent.subscribe();
        sent.wait_for(|sent| *sent >= bytes).await.expect("the relay is there");
    }

    /// Passes the next commit on, and ends its connection in place of the answer.
    pub fn lose_next_commit(&self) {
        self.loses_commit.store(true, Ordering::Relaxed);
    }

    /// Lets everything through again.
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

/// What happens to bytes on their way.
#[derive(Clone)]
struct Network {
    is_flowing: watch::Receiver<bool>,
    is_slow: Arc<AtomicBool>,
    loses_commit: Arc<AtomicBool>,
    sent: watch::Sender<usize>,
}

/// Dropped, it closes the port and all connections.
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
    // Both ends send without delay, and so does a network.
    if client.set_nodelay(true).and(server.set_nodelay(true)).is_err() {
        return;
    }
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let is_lost = AtomicBool::new(false);
    // Marked before it is passed on, so that no answer is faster.
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

/// Copies until one side ends, or what comes is not to be passed on; dropping `to` tells the other.
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
