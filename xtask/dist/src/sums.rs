//! The checksums of a release, as `sha256sum --check` reads them.

use sha2::{Digest, Sha256};

use crate::Artifact;

/// The name of the file.
pub(crate) const NAME: &str = "SHA256SUMS";

/// Lists the checksums of these artifacts.
pub(crate) fn make(artifacts: &[Artifact]) -> Artifact {
    let lines = artifacts.iter().map(|artifact| format!("{}  {}\n", sha256(&artifact.bytes), artifact.name));
    Artifact { name: NAME.to_owned(), bytes: lines.collect::<String>().into_bytes() }
}

/// Returns the SHA-256 of bytes in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
