//! The accept loop: sockets become connections, and a stop lets them finish.

use std::{
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

use super::{
    client::Peer,
    connections::{Connections, From},
    conversation::{HttpConnection, http},
    service::Service,
    tls::{Tls, TlsFiles},
};
use crate::App;

/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// A pause when the system has no more sockets to give, so that the loop does not spin.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(50);

/// How long a server that stops still accepts: what the kernel has connected by then would be reset with the socket.
const LAST_CALLS: Duration = Duration::from_millis(20);

/// How long it then waits for requests on connections that it has.
const LAST_REQUESTS: Duration = Duration::from_millis(500);

/// A bound socket, before anything is served.
pub struct Listener {
    socket: TcpListener,
    tls: Option<(Tls, TlsFiles)>,
}

impl Listener {
    /// Binds the address, and reads the certificate when there is one.
    pub async fn bind(address: SocketAddr, tls: Option<TlsFiles>) -> Result<Self, String> {
        let tls = tls.map(|files| Tls::open(&files).map(|tls| (tls, files))).transpose()?;
        let socket =
            TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))?;
        Ok(Self { socket, tls })
    }

    /// The address that was bound; its port is real even when port 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.socket.local_addr().unwrap_or_else(|_| SocketAddr::from(([0, 0, 0, 0], 0)))
    }
}

/// The server: an app behind its edge.
pub struct Server {
    app: App,
    service: Service,
    connections: Connections,
    http: auto::Builder<TokioExecutor>,
    head_timeout: Duration,
    #[cfg(target_os = "linux")]
    send_gap_ms: u32,
    graceful: GracefulShutdown,
    /// Says when the server stops, to those who are not conversing yet.
    stopping: watch::Sender<bool>,
}

impl Server {
    /// A server with the limits of the app's settings.
    pub fn new(app: App) -> Self {
        let limits = &app.settings().limits;
        let head_timeout = Duration::from_secs(limits.header_timeout_secs);
        Self {
            service: Service::new(&app),
            connections: Connections::new(
                limits.connections,
                limits.anonymous_connections_percent,
                limits.connections_per_address,
            ),
            http: http(head_timeout),
            head_timeout,
            #[cfg(target_os = "linux")]
            send_gap_ms: u32::try_from(limits.body_gap_secs.saturating_mul(1_000)).unwrap_or(u32::MAX),
            graceful: GracefulShutdown::new(),
            stopping: watch::Sender::new(false),
            app,
        }
    }

    /// Serves until `stop` is ready, then lets running requests finish within the time the settings give.
    pub async fn serve(self, listener: Listener, stop: impl Future<Output = ()>) {
        let tls = listener.tls.as_ref().map(|(tls, _)| tls.clone());
        let watch = listener.tls.clone().map(|(tls, files)| tokio::spawn(tls.watch(files)));
        self.accept_until(&listener.socket, tls.as_ref(), stop).await;
        // From now on, each answer ends its connection.
        self.app.drain();
        self.accept_until(&listener.socket, tls.as_ref(), tokio::time::sleep(LAST_CALLS)).await;
        drop(listener);
        self.hear_last_requests().await;
        self.stopping.send_replace(true);
        watch.iter().for_each(tokio::task::JoinHandle::abort);
        let patience = Duration::from_secs(self.app.settings().limits.drain_secs);
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
                        tracing::warn!("a connection could not be accepted: {error}");
                        tokio::time::sleep(OUT_OF_SOCKETS).await;
                    }
                },
            }
        }
    }

    /// Gives those a moment whose request is on its way: a connection without one is closed without an answer.
    async fn hear_last_requests(&self) {
        let nobody = async {
            while !self.connections.are_none() {
                tokio::time::sleep(LAST_CALLS).await;
            }
        };
        drop(tokio::time::timeout(LAST_REQUESTS, nobody).await);
    }

    /// What is set on every socket; one that has gone already is found out soon enough.
    fn prepare(&self, socket: &TcpStream) {
        // Small answers leave at once instead of waiting for more to send.
        drop(socket.set_nodelay(true));
        // Who takes nothing of an answer for too long is cut off by the kernel.
        #[cfg(target_os = "linux")]
        let _ = rustix::net::sockopt::set_tcp_user_timeout(socket, self.send_gap_ms);
    }

    fn accept(&self, socket: TcpStream, address: IpAddr, tls: Option<Tls>) {
        let peer = Peer { address, is_tls: tls.is_some() };
        let from = match (self.service.is_proxy(&peer), address.is_loopback()) {
            (true, _) => From::Proxy,
            (false, true) => From::Loopback,
            (false, false) => From::Client,
        };
        let Some(place) = self.connections.enter(address, from) else {
            tracing::debug!("a connection from {address} was over the limit");
            return;
        };
        self.prepare(&socket);
        let (service, standing) = (self.service.clone(), place.standing().clone());
        let conversation = HttpConnection::new(service, peer, self.http.clone(), self.head_timeout, standing);
        let (watcher, stopping) = (self.graceful.watcher(), self.stopping.subscribe());
        tokio::spawn(async move {
            let _place = place;
            match tls {
                None => conversation.hold(plain(socket), watcher).await,
                Some(tls) => {
                    if let Some(stream) = shake_hands(&tls, socket, stopping).await {
                        conversation.hold(stream, watcher).await;
                    }
                }
            }
        });
    }
}

/// A connection that is not encrypted, and so can send files as they are.
#[cfg(target_os = "linux")]
pub(super) fn plain(socket: TcpStream) -> super::file_sender::FileSender {
    super::file_sender::FileSender::new(socket)
}

/// A connection that is not encrypted.
#[cfg(not(target_os = "linux"))]
pub(super) fn plain(socket: TcpStream) -> TcpStream {
    socket
}

/// A handshake that is over in time, and before the server stops.
async fn shake_hands(
    tls: &Tls,
    socket: TcpStream,
    mut stopping: watch::Receiver<bool>,
) -> Option<TlsStream<TcpStream>> {
    tokio::select! {
        shaken = tokio::time::timeout(HANDSHAKE, tls.acceptor().accept(socket)) => match shaken {
            Ok(Ok(stream)) => return Some(stream),
            Ok(Err(error)) => tracing::debug!("a TLS handshake failed: {error}"),
            Err(_) => tracing::debug!("a TLS handshake took too long"),
        },
        _ = stopping.wait_for(|stops| *stops) => {}
    }
    None
}
