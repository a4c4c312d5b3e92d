//! Files that a registry has received, and its rules about them.

use std::collections::BTreeMap;

use md5::Md5;
use sha1::{Digest, Sha1};

use super::Gpg;

/// The extensions of files that accompany another file.
const BESIDE: [&str; 3] = [".asc", ".sha1", ".md5"];

/// Files by their path.
#[derive(Debug, Clone, Default)]
pub(super) struct Received(pub(super) BTreeMap<String, Vec<u8>>);

impl Received {
    /// Returns the problems with the files: each must have its checksums and its signature.
    pub(super) fn failures(&self, gpg: &Gpg) -> Vec<String> {
        let mut failures = Vec::new();
        for (path, content) in self.0.iter().filter(|(path, _)| !BESIDE.iter().any(|ending| path.ends_with(ending))) {
            let beside = |ending: &str| self.0.get(&format!("{path}{ending}")).cloned().unwrap_or_default();
            if beside(".sha1") != hex(&Sha1::digest(content)) || beside(".md5") != hex(&Md5::digest(content)) {
                failures.push(format!("Invalid checksums of '{path}'"));
            }
            if !gpg.verifies(content, &beside(".asc")) {
                failures.push(format!("Invalid signature of '{path}'"));
            }
        }
        if self.0.keys().any(|path| path.ends_with(".pom")) {
            failures
        } else {
            [failures, vec!["No POM".to_owned()]].concat()
        }
    }
}

fn hex(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
}
