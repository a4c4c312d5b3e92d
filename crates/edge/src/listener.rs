//! The accept loop and the graceful stop of the server.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use hyper_util::{
    rt::TokioExecutor,
    server::{conn::auto, graceful::GracefulShutdown},
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
};
use tokio_rustls::server::TlsStream;

use crate::{
    Backend, Draining, Options, TlsFiles,
    client::Peer,
    connections::{Connections, From},
    http_connection::{HttpConnection, http},
    service::Service,
    tls::Tls,
};

/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// The pause after the system has run out of sockets, so that the loop does not spin.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(50);

/// How long a stopping server still accepts: closing the socket resets connections that only the kernel has accepted.
const LAST_CALLS: Duration = Duration::from_millis(20);

/// How long the server then waits for requests on its open connections.
const LAST_REQUESTS: Duration = Duration::from_millis(500);

/// A bound socket that does not serve yet.
pub struct Listener {
    socket: TcpListener,
    tls: Option<(Tls, TlsFiles)>,
}

impl Listener {
    /// Binds the address, and reads the certificate if one is configured.
    pub async fn bind(address: SocketAddr, tls: Option<TlsFiles>) -> Result<Self, String> {
        let tls = tls.map(|files| Tls::open(&files).map(|tls| (tls, files))).transpose()?;
        let socket = TcpListener::bind(address).await.map_err(|error| cannot_listen(address, &error))?;
        Ok(Self { socket, tls })
    }

    /// Returns the bound address, with the actual port even if port 0 was requested.
    pub fn address(&self) -> SocketAddr {
        self.socket.local_addr().unwrap_or_else(|_| SocketAddr::from(([0, 0, 0, 0], 0)))
    }
}

/// Says why an address cannot be bound, and what to do.
fn cannot_listen(address: SocketAddr, error: &io::Error) -> String {
    let way_out = match error.kind() {
        io::ErrorKind::AddrInUse => "; another program has this port: stop it, or choose another one with --listen",
        io::ErrorKind::AddrNotAvailable => {
            "; this machine does not have this address: choose one that it has with --listen"
        }
        io::ErrorKind::PermissionDenied => "; ports below 1024 need a privilege: choose another one with --listen",
        _ => "",
    };
    format!("cannot listen on {address}: {error}{way_out}")
}

/// The server: a service behind its edge.
pub struct Server<B: Backend> {
    service: Service<B>,
    connections: Connections,
    http: auto::Builder<TokioExecutor>,
    options: Options,
    draining: Draining,
    graceful: GracefulShutdown,
    /// Signals the stop to connections that are still in their handshake.
    stopping: watch::Sender<bool>,
}

impl<B: Backend> Server<B> {
    /// Creates a server with these limits; `draining` begins when the server is asked to stop.
    pub fn new(backend: B, options: Options, draining: Draining) -> Self {
        let (connections, percent) = (options.connections, options.anonymous_percent);
        Self {
            service: Service::new(backend, &options, draining.clone()),
            connections: Connections::new(connections, percent, options.connections_per_address),
            http: http(options.head_timeout),
            options,
            draining,
            graceful: GracefulShutdown::new(),
            stopping: watch::Sender::new(false),
        }
    }

    /// Serves until `stop` is ready, then lets running requests finish within the drain time of the options.
    pub async fn serve(self, listener: Listener, stop: impl Future<Output = ()>) {
        let tls = listener.tls.as_ref().map(|(tls, _)| tls.clone());
        let watch = listener.tls.clone().map(|(tls, files)| tokio::spawn(tls.watch(files)));
        self.accept_until(&listener.socket, tls.as_ref(), stop).await;
        // From now on, each response ends its connection.
        self.draining.begin();
        self.accept_until(&listener.socket, tls.as_ref(), tokio::time::sleep(LAST_CALLS)).await;
        drop(listener);
        self.hear_last_requests().await;
        self.stopping.send_replace(true);
        watch.iter().for_each(tokio::task::JoinHandle::abort);
        let patience = self.options.drain;
        if tokio::time::timeout(patience, self.graceful.shutdown()).await.is_err() {
            tracing::warn!("some requests were still running after {} s and were cut off", patience.as_secs());
        }
    }

    async fn accept_until(&self, socket: &TcpListener, tls: Option<&Tls>, end: impl Future<Output = ()>) {
        tokio::pin!(end);
        loop {
            tokio::select! {
                () = &mut end => return,
                accepted = socket.accept() => match accepted {
                    Ok((socket, address)) => self.accept(socket, address.ip().to_canonical(), tls.cloned()),
                    Err(error) => {
                        tracing::warn!("accepting a connection failed: {error}");
                        tokio::time::sleep(OUT_OF_SOCKETS).await;
                    }
                },
            }
        }
    }

    /// Waits briefly for requests that are on their way: a connection without one is closed without a response.
    async fn hear_last_requests(&self) {
        let nobody = async {
            while !self.connections.are_none() {
                tokio::time::sleep(LAST_CALLS).await;
            }
        };
        drop(tokio::time::timeout(LAST_REQUESTS, nobody).await);
    }

    /// Sets the options of a socket. Errors are ignored: if the socket is already closed, the next read or write fails.
    fn prepare(&self, socket: &TcpStream) {
        // Small responses are sent at once instead of waiting for more data.
        drop(socket.set_nodelay(true));
        // The kernel closes the connection of a client that reads nothing of a response for too long.
        #[cfg(target_os = "linux")]
        {
            let gap = u32::try_from(self.options.body_gap.as_millis()).unwrap_or(u32::MAX);
            let _ = rustix::net::sockopt::set_tcp_user_timeout(socket, gap);
        }
    }

    fn accept(&self, socket: TcpStream, address: IpAddr, tls: Option<Tls>) {
        let peer = Peer { address, is_tls: tls.is_some() };
        let from = match (self.service.is_proxy(&peer), address.is_loopback()) {
            (true, _) => From::Proxy,
            (false, true) => From::Loopback,
            (false, false) => From::Client,
        };
        let Some(place) = self.connections.enter(address, from) else {
            tracing::debug!("connection from {address} refused: over the limit");
            return;
        };
        self.prepare(&socket);
        let (service, standing) = (self.service.clone(), place.standing().clone());
        let connection = HttpConnection::new(service, peer, self.http.clone(), self.options.head_timeout, standing);
        let (watcher, stopping) = (self.graceful.watcher(), self.stopping.subscribe());
        tokio::spawn(async move {
            let _place = place;
            match tls {
                None => connection.serve(plain::<B>(socket), watcher).await,
                Some(tls) => {
                    if let Some(stream) = shake_hands(&tls, socket, stopping).await {
                        connection.serve(stream, watcher).await;
                    }
                }
            }
        });
    }
}

/// Wraps an unencrypted connection, on which the kernel can send files directly.
#[cfg(target_os = "linux")]
fn plain<B: Backend>(socket: TcpStream) -> crate::file_sender::FileSender {
    crate::file_sender::FileSender::new(socket, B::locate)
}

/// Returns an unencrypted connection.
#[cfg(not(target_os = "linux"))]
fn plain<B: Backend>(socket: TcpStream) -> TcpStream {
    socket
}

/// Returns the stream if the TLS handshake completes in time and before the server stops.
async fn shake_hands(
    tls: &Tls,
    socket: TcpStream,
    mut stopping: watch::Receiver<bool>,
) -> Option<TlsStream<TcpStream>> {
    tokio::select! {
        shaken = tokio::time::timeout(HANDSHAKE, tls.acceptor().accept(socket)) => match shaken {
            Ok(Ok(stream)) => return Some(stream),
            Ok(Err(error)) => tracing::debug!("TLS handshake failed: {error}"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        },
        _ = stopping.wait_for(|stops| *stops) => {}
    }
    None
}
