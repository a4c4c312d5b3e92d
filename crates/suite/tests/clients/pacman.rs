//! pacman reads an Arch repository, with its own folders.

use std::fs;

use serde_json::json;
use suite::{Person, TestHouse};
use tempfile::TempDir;

use crate::folders::{folder, run, succeeds};

/// A pacman that reads `ada/repo`.
struct Pacman {
    folder: TempDir,
}

impl Pacman {
    /// Creates a pacman whose reader trusts this key.
    async fn new(house: &TestHouse, who: &Person, key: &[u8]) -> Self {
        let pacman = Self { folder: folder(&["root", "db", "cache", "gpg", "hooks"]) };
        let root = pacman.folder.path();
        fs::write(root.join("key.asc"), key).expect("writable");
        let gpg = ["--homedir", "gpg", "--batch", "--quiet"];
        succeeds("gpg", &[&gpg[..], &["--import", "key.asc"]].concat(), root).await;
        let listed = succeeds("gpg", &[&gpg[..], &["--with-colons", "--list-keys"]].concat(), root).await;
        let print = listed.lines().find_map(|line| line.strip_prefix("fpr:::::::::")).expect("a fingerprint");
        fs::write(root.join("trust"), format!("{}:6:\n", print.trim_end_matches(':'))).expect("writable");
        succeeds("gpg", &[&gpg[..], &["--import-ownertrust", "trust"]].concat(), root).await;
        let login = match who.name() {
            "" => String::new(),
            name => format!("{}:{}@", name.replace('@', "%40"), who.key()),
        };
        let url = format!("http://{login}{}/dl/ada/repo/$arch", house.address);
        let at = root.display();
        let text = format!(
            "[options]\nRootDir = {at}/root\nDBPath = {at}/db\nCacheDir = {at}/cache\nGPGDir = {at}/gpg\n\
             LogFile = {at}/log\nHookDir = {at}/hooks\nArchitecture = x86_64\n\
             [repo]\nSigLevel = PackageOptional DatabaseRequired\nServer = {url}\n"
        );
        fs::write(root.join("pacman.conf"), text).expect("writable");
        pacman
    }

    async fn run(&self, arguments: &[&str]) -> (bool, String) {
        let all = [&["--config", "pacman.conf", "--noconfirm", "--color", "never"], arguments].concat();
        run("pacman", &all, self.folder.path()).await
    }

    /// Updates, and returns the names and versions of all packages that pacman finds.
    async fn packages(&self) -> Vec<String> {
        let (is_ok, text) = self.run(&["-Syy"]).await;
        assert!(is_ok, "{text}");
        let (is_ok, text) = self.run(&["-Sl", "repo"]).await;
        assert!(is_ok, "{text}");
        let found = text.lines().filter_map(|line| line.strip_prefix("repo "));
        found.map(|line| line.split(" [").next().unwrap_or(line).to_owned()).collect()
    }
}

/// A package with one file.
fn package(name: &str, version: &str, architecture: &str) -> Vec<u8> {
    let info = format!(
        "pkgname = {name}\npkgbase = {name}\npkgver = {version}\npkgdesc = of ada\nbuilddate = 1763287200\n\
         packager = Ada\nsize = 5\narch = {architecture}\nlicense = MIT\n"
    );
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in [(".PKGINFO", info.as_bytes()), (&format!("usr/share/{name}"), b"hello")] {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content).expect("memory takes everything");
    }
    let tar = archive.into_inner().expect("memory takes everything");
    zstd::encode_all(&tar[..], 1).expect("memory takes everything")
}

async fn publish(ada: &Person, name: &str, version: &str, architecture: &str) {
    let path = format!("//dl/ada/repo/upload/{name}-{version}-{architecture}.pkg.tar.zst");
    ada.put(&path).body(package(name, version, architecture)).await.expect(201);
}

async fn repo(is_private: bool) -> (TestHouse, Person, Vec<u8>) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let repo = json!({"type": "arch", "gpg_sign_metadata": true, "gpg_use_owner_key": true, "private": is_private});
    ada.post("/repos/ada/repo").json(repo).await.expect(201);
    ada.post("/users/ada/keys/gpg/generate").await.expect(201);
    publish(&ada, "hello", "1.9-1", "x86_64").await;
    let key = ada.download("/ada/repo/ada.asc").await.expect(200).body;
    (house, ada, key)
}

#[tokio::test]
async fn pacman_finds_and_installs_what_is_published() {
    let _shown = suite::shows("pacman", "publish, install");
    let (house, ada, key) = repo(false).await;
    let pacman = Pacman::new(&house, &house.anyone(), &key).await;
    assert_eq!(pacman.packages().await, ["hello 1.9-1"]);
    publish(&ada, "hello", "1.10-1", "x86_64").await;
    publish(&ada, "pure", "1.0-1", "any").await;
    assert_eq!(pacman.packages().await, ["hello 1.10-1", "pure 1.0-1"]);
    let (is_ok, text) = pacman.run(&["-S", "hello", "pure"]).await;
    assert!(is_ok, "{text}");
    let file = |name: &str| fs::read_to_string(pacman.folder.path().join("root/usr/share").join(name)).ok();
    assert_eq!((file("hello").as_deref(), file("pure").as_deref()), (Some("hello"), Some("hello")));
    let (is_ok, text) = pacman.run(&["-Fy"]).await;
    assert!(is_ok, "{text}");
    let (_, text) = pacman.run(&["-Fl", "hello"]).await;
    assert!(text.contains("hello usr/share/hello"), "{text}");
    ada.delete("/content/ada/repo/x86_64/hello-1.10-1-x86_64.pkg.tar.zst").await.expect(200);
    assert_eq!(pacman.packages().await, ["hello 1.9-1", "pure 1.0-1"]);
}

#[tokio::test]
async fn pacman_trusts_no_other_key_and_needs_credentials() {
    let _shown = suite::shows("pacman", "private, signed");
    let (house, ada, key) = repo(true).await;
    assert_eq!(Pacman::new(&house, &ada, &key).await.packages().await, ["hello 1.9-1"]);
    let (is_ok, text) = Pacman::new(&house, &house.anyone(), &key).await.run(&["-Syy"]).await;
    assert!(!is_ok && text.contains("401"), "{text}");
    let other = house.anyone().get("/keys/gpg/public.key").await.expect(200).body;
    let (is_ok, text) = Pacman::new(&house, &ada, &other).await.run(&["-Syy"]).await;
    assert!(!is_ok && text.contains("signature"), "{text}");
}
