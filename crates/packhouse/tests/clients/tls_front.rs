//! A server with TLS in front of the one under test, for clients that send credentials over TLS only.

use std::{net::SocketAddr, sync::Arc};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

/// Passes bytes on.
pub(crate) struct TlsFront {
    /// The URL to use instead of the server's.
    pub(crate) base: String,
    /// The certificate that clients must trust, as text.
    pub(crate) certificate: String,
    task: JoinHandle<()>,
}

impl TlsFront {
    /// Starts in front of a server.
    pub(crate) async fn start(server: &str) -> Self {
        ReservedFront::new().await.start(server)
    }
}

/// The port of one that has not started yet, for a server that has to know the URL of its clients.
pub(crate) struct ReservedFront {
    /// The URL to use instead of the server's.
    pub(crate) base: String,
    listener: TcpListener,
}

impl ReservedFront {
    pub(crate) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Self { base: format!("https://{}", listener.local_addr().expect("an address")), listener }
    }

    /// Starts in front of a server.
    pub(crate) fn start(self, server: &str) -> TlsFront {
        let upstream: SocketAddr = server.trim_start_matches("http://").parse().expect("an address");
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key);
        let acceptor = TlsAcceptor::from(Arc::new(config.expect("a configuration")));
        let task = tokio::spawn(forward(self.listener, acceptor, upstream));
        TlsFront { base: self.base, certificate: cert.pem(), task }
    }
}

async fn forward(listener: TcpListener, acceptor: TlsAcceptor, upstream: SocketAddr) {
    while let Ok((client, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let Ok(mut client) = acceptor.accept(client).await else { return };
            let mut server = TcpStream::connect(upstream).await.expect("the server listens");
            drop(copy_bidirectional(&mut client, &mut server).await);
        });
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        self.task.abort();
    }
}
