//! The files of a version, for everybody and for its publisher, and whether they can be read.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};
use suite::{Answer, Person};

/// The files of a version: SHA-256 by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The published files.
    pub(crate) published: BTreeMap<String, String>,
    /// The newest uploads, which the publisher sees.
    pub(crate) newest: BTreeMap<String, String>,
}

impl Shown {
    /// Returns the files of a version of `ada/tools/package`; `None` if the version does not exist.
    pub(crate) async fn of(anyone: &Person, ada: &Person, package: &str, version: &str) -> Option<Self> {
        let address = format!("/packages/ada/tools/{package}/versions/{version}/files");
        let newest = files(ada.get(&format!("{address}?include_unpublished=1")).await)?;
        // Only the publisher sees a version before its first publish.
        let published = files(anyone.get(&address).await).unwrap_or_default();
        Some(Self { published, newest })
    }

    /// Reads every readable file: published ones anonymously, others as the publisher.
    pub(crate) async fn reads_back(&self, anyone: &Person, ada: &Person) {
        for (path, sum) in &self.published {
            assert_eq!(read(anyone, path).await, *sum, "{path}");
        }
        for (path, sum) in self.newest.iter().filter(|(path, _)| !self.published.contains_key(*path)) {
            assert_eq!(read(ada, path).await, *sum, "{path}, which is not published");
            let hidden = anyone.download(&format!("/ada/tools/{path}")).await;
            assert_eq!(hidden.status, 404, "{path} is not published");
        }
    }

    /// Returns the digests that the store must have for these files.
    pub(crate) fn digests(&self) -> BTreeSet<String> {
        self.published.values().chain(self.newest.values()).cloned().collect()
    }
}

/// Returns the SHA-256 of some bytes, in hexadecimal digits.
pub(crate) fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn read(who: &Person, path: &str) -> String {
    sum(&who.download(&format!("/ada/tools/{path}")).await.expect(200).body)
}

fn files(answer: Answer) -> Option<BTreeMap<String, String>> {
    if answer.status == 404 {
        return None;
    }
    let listed = answer.expect(200).json();
    let text = |file: &serde_json::Value, field: &str| file[field].as_str().expect("a text").to_owned();
    let listed = listed.as_array().expect("a list");
    assert!(listed.len() < 50, "a version of a test fits on one page");
    Some(listed.iter().map(|file| (text(file, "path"), text(file, "sha256"))).collect())
}
