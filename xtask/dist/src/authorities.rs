//! The certificate authorities that the image trusts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

/// The length of a line of a certificate.
const LINE: usize = 64;

/// Returns Mozilla's authorities as a file of PEM.
pub(crate) fn pem() -> String {
    TLS_SERVER_ROOT_CERTS.iter().map(|certificate| certificate_pem(certificate)).collect()
}

fn certificate_pem(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines = text.as_bytes().chunks(LINE).map(|line| String::from_utf8_lossy(line) + "\n");
    format!("-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n", lines.collect::<String>())
}
