//! A client that updates as apt does: the signed list, then the index that it names by its digest.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use sha2::{Digest, Sha256};
use suite::Person;

use super::fleet::{NODES, Nodes};

const SUITE: &str = "/ada/repo/dists/stable";

/// The path of the index in its suite, as `InRelease` has it.
const INDEX: &str = " main/binary-amd64/Packages";

/// Updates until the end, with the list from one server and the index from another. Panics if an update fails.
pub(super) async fn update_until(nodes: Nodes, is_over: Arc<AtomicBool>, updates: Arc<AtomicU64>) {
    let mut turn = 0;
    while !is_over.load(Ordering::Relaxed) {
        turn += 1;
        let (Some(first), Some(second)) = (nodes.any(turn % NODES), nodes.any((turn / NODES) % NODES)) else {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        // A server that was killed or stopped a moment ago does not answer.
        let updated = tokio::time::timeout(Duration::from_secs(5), update(&first, &second)).await;
        if let Ok(Some(_)) = updated {
            updates.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads the list and the index that it names, and checks both; `None` if a server does not answer.
pub(super) async fn update(first: &Person, second: &Person) -> Option<String> {
    let release = first.download(&format!("{SUITE}/InRelease")).try_send().await.ok()?.expect(200).text();
    let key = first.download("/ada/repo/ada.gpg").try_send().await.ok()?.expect(200).body;
    let release = signed_text(&key, &release);
    let listed = release.lines().find_map(|line| line.trim().strip_suffix(INDEX));
    let (digest, size) = listed.and_then(|line| line.split_once(' ')).expect("the index is listed");
    let path = format!("{SUITE}/main/binary-amd64/by-hash/SHA256/{digest}");
    let index = second.download(&path).try_send().await.ok()?.expect(200).body;
    let found: String = Sha256::digest(&index).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((found.as_str(), index.len().to_string().as_str()), (digest, size));
    Some(String::from_utf8(index).expect("text"))
}

/// The names of the packages in an index.
pub(super) fn packages(index: &str) -> BTreeSet<String> {
    index.lines().filter_map(|line| line.strip_prefix("Package: ")).map(str::to_owned).collect()
}

/// The text of a document with a good signature by this key.
fn signed_text(key: &[u8], signed: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("key.gpg"), key).expect("writable");
    std::fs::write(folder.path().join("InRelease"), signed).expect("writable");
    let mut gpgv = Command::new("gpgv");
    gpgv.args(["--keyring", "./key.gpg", "--output", "-", "InRelease"]).current_dir(folder.path());
    let ran = gpgv.stdin(Stdio::null()).output().expect("gpgv is installed");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("text")
}
