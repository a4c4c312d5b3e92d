//! Clients that follow the links of a folder listing.

use std::{path::Path, process::Stdio};

use suite::{Person, TestHouse};
use tempfile::TempDir;
use tokio::process::Command;

use crate::{
    catalogue::{new_package, new_repo, segment},
    content::upload_published,
};

/// Names that a link has to escape.
const FILES: [&str; 4] = ["README", "lib/cat.bin", "lib/deep/a b#c+.txt", "lib/http:/x&amp;.txt"];

/// Starts a house that also has a host for downloads.
async fn filled() -> (TestHouse, Person) {
    let house = TestHouse::start_with(&[("download_host", "localhost")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    for path in FILES {
        let encoded: Vec<String> = path.split('/').map(segment).collect();
        upload_published(&ada, &format!("ada/tools/cat/1.0/{}", encoded.join("/")), path).await;
    }
    (house, ada)
}

/// Returns everything that `wget` finds below a URL, with its content.
async fn fetched(url: &str) -> Vec<(String, String)> {
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new("wget");
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LC_ALL", "C.UTF-8");
    command.args(["--no-config", "-q", "-4", "-r", "-np", "-nH", "--restrict-file-names=unix", "-e", "robots=off"]);
    command.arg("-P").arg(folder.path()).arg(url);
    let ended = command.stdin(Stdio::null()).kill_on_drop(true).status().await;
    assert!(ended.expect("`cargo xtask test` installs wget").success(), "{url}");
    let mut found = Vec::new();
    collect(folder.path(), &mut found);
    // The listings themselves, which are downloaded for their links.
    found.retain(|(name, _)| name != "index.html");
    found.sort_unstable();
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            collect(&entry, found);
        } else {
            let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
            found.push((name, std::fs::read_to_string(&entry).expect("text")));
        }
    }
}

/// Returns the name of each file, and its content.
fn all() -> Vec<(String, String)> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut all: Vec<_> = FILES.iter().map(|path| (name(path), (*path).to_owned())).collect();
    all.sort_unstable();
    all
}

#[tokio::test]
async fn wget_finds_every_file_below_the_prefix_and_on_the_host() {
    let (house, _) = filled().await;
    let port = house.address.port();
    for url in [format!("http://127.0.0.1:{port}/dl/ada/tools/"), format!("http://localhost:{port}/ada/tools/")] {
        assert_eq!(fetched(&url).await, all(), "{url}");
    }
}

#[tokio::test]
async fn links_lead_from_where_the_client_is() {
    let (house, _) = filled().await;
    let page = async |path: &str| house.anyone().download(path).header("accept", "text/html").await.expect(200).text();
    let below = page("/ada/tools/lib/").await;
    assert!(below.contains("href=\"./cat.bin\"") && below.contains("href=\"./deep/\""), "{below}");
    assert!(below.contains("href=\"./http%3A/\"") || below.contains("href=\"./http:/\""), "{below}");
    assert!(below.contains("href=\"../\""), "{below}");
    let beside = page("/ada/tools/lib").await;
    assert!(beside.contains("href=\"./lib/cat.bin\"") && beside.contains("href=\"./\""), "{beside}");
    assert!(!page("/ada/tools/").await.contains("href=\"../\""), "a repository has nothing above it");
}
