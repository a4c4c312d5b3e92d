//! Certificates for a test, in files that can be replaced.

use server::TlsFiles;
use tempfile::TempDir;

/// A folder with a certificate and its key.
pub(crate) struct Certificates {
    folder: TempDir,
}

/// A certificate with its key.
pub(crate) struct Pair {
    pub(crate) certificate_pem: String,
    pub(crate) key_pem: String,
    /// The certificate as DER.
    pub(crate) der: Vec<u8>,
}

impl Pair {
    pub(crate) fn generate() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate can be made");
        let (certificate_pem, key_pem) = (made.cert.pem(), made.signing_key.serialize_pem());
        Self { certificate_pem, key_pem, der: made.cert.der().to_vec() }
    }
}

impl Certificates {
    pub(crate) fn with(pair: &Pair) -> Self {
        let certificates = Self { folder: tempfile::tempdir().expect("the temporary folder is writable") };
        certificates.replace(pair);
        certificates
    }

    pub(crate) fn files(&self) -> TlsFiles {
        TlsFiles { certificate: self.folder.path().join("certificate.pem"), key: self.folder.path().join("key.pem") }
    }

    pub(crate) fn replace(&self, pair: &Pair) {
        self.write_certificate(&pair.certificate_pem);
        self.write_key(&pair.key_pem);
    }

    pub(crate) fn write_certificate(&self, text: &str) {
        std::fs::write(self.files().certificate, text).expect("the file is writable");
    }

    pub(crate) fn write_key(&self, text: &str) {
        std::fs::write(self.files().key, text).expect("the file is writable");
    }
}
