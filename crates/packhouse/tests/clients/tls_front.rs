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
        let upstream: SocketAddr = server.trim_start_matches("http://").parse().expect("an address");
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key);
        let acceptor = TlsAcceptor::from(Arc::new(config.expect("a configuration")));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("https://{}", listener.local_addr().expect("an address"));
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let Ok(mut client) = acceptor.accept(client).await else { return };
                    let mut server = TcpStream::connect(upstream).await.expect("the server listens");
                    drop(copy_bidirectional(&mut client, &mut server).await);
                });
            }
        });
        Self { base, certificate: cert.pem(), task }
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        self.task.abort();
    }
}
