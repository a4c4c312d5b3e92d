//! TLS with certificates that are reloaded when their files change.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime},
};

use arc_swap::ArcSwap;
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio_rustls::TlsAcceptor;

/// How often the server checks the files for changes.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The paths of the certificate and its key.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate with its chain, in PEM.
    pub certificate: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
}

impl TlsFiles {
    /// Reads the files as a start does, and says what is wrong with them.
    pub fn check(&self) -> Result<(), String> {
        read(self).map(drop)
    }
}

/// The certificate in use.
#[derive(Clone)]
pub(crate) struct Tls(Arc<ArcSwap<ServerConfig>>);

impl Tls {
    /// Reads the files. At the start, they must be valid.
    pub(crate) fn open(files: &TlsFiles) -> Result<Self, String> {
        Ok(Self(Arc::new(ArcSwap::new(read(files)?))))
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.0.load_full())
    }

    /// Reloads the files when they change, as long as the server runs. Invalid files are logged and ignored.
    pub(crate) async fn watch(self, files: TlsFiles) {
        let mut seen = stamps(&files);
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let now = stamps(&files);
            if now == seen {
                continue;
            }
            seen = now;
            match read(&files) {
                Ok(config) => {
                    self.0.store(config);
                    tracing::info!("TLS certificate reloaded");
                }
                Err(error) => tracing::error!("reloading the TLS certificate failed; the old one stays: {error}"),
            }
        }
    }
}

fn stamps(files: &TlsFiles) -> [Option<(SystemTime, u64)>; 2] {
    [&files.certificate, &files.key].map(|path| {
        let about = std::fs::metadata(path).ok()?;
        Some((about.modified().ok()?, about.len()))
    })
}

fn read(files: &TlsFiles) -> Result<Arc<ServerConfig>, String> {
    let (certificate, key) = (files.certificate.display(), files.key.display());
    let chain: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(&files.certificate).and_then(|certificates| certificates.collect());
    let chain = chain.map_err(|error| format!("{certificate}: {error}"))?;
    let private = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| format!("{key}: {error}"))?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?.with_no_client_auth();
    let mut config =
        builder.with_single_cert(chain, private).map_err(|error| format!("{certificate} with {key}: {error}"))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
