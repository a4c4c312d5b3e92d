//! apt reads a Debian repository: with its own folders, and without touching those of the machine.

use std::{fs, path::Path, process::Stdio, time::Duration};

use serde_json::json;
use suite::{Person, TestHouse};
use tempfile::TempDir;
use tokio::process::Command;

/// The time limit of a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An apt with its own empty folders.
pub(crate) struct Apt {
    folder: TempDir,
}

impl Apt {
    /// Creates an apt that reads `stable main` of `ada/repo`, whose key it takes from the repository.
    pub(crate) async fn new(house: &TestHouse, who: &Person) -> Self {
        let apt = Self { folder: tempfile::tempdir().expect("the temporary folder is writable") };
        let root = apt.folder.path();
        for folder in [
            "state/lists/partial",
            "cache/archives/partial",
            "etc/auth.conf.d",
            "etc/apt.conf.d",
            "etc/preferences.d",
            "log",
            "dpkg",
        ] {
            fs::create_dir_all(root.join(folder)).expect("writable");
        }
        fs::write(root.join("dpkg/status"), "").expect("writable");
        let key = who.download("/ada/repo/ada.asc").await.expect(200).body;
        fs::write(root.join("etc/ada.asc"), key).expect("writable");
        let url = format!("http://{}/dl/ada/repo", house.address);
        let source = format!("deb [arch=amd64 signed-by={}] {url} stable main\n", root.join("etc/ada.asc").display());
        fs::write(root.join("etc/sources.list"), source).expect("writable");
        if !who.name().is_empty() {
            let login = format!("machine {url}/\nlogin {}\npassword {}\n", who.name(), who.key());
            fs::write(root.join("etc/auth.conf.d/ada.conf"), login).expect("writable");
        }
        fs::write(root.join("apt.conf"), configuration(root)).expect("writable");
        apt
    }

    /// Adds lines to its configuration.
    pub(crate) fn configure(&self, lines: &str) {
        let path = self.folder.path().join("apt.conf");
        let before = fs::read_to_string(&path).expect("it was written");
        fs::write(path, format!("{before}{lines}")).expect("writable");
    }

    pub(crate) async fn run(&self, program: &str, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new(program);
        command.args(arguments).env("APT_CONFIG", self.folder.path().join("apt.conf")).env("LC_ALL", "C");
        command.current_dir(self.folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        let ran = tokio::time::timeout(PATIENCE, command.output()).await.expect("apt ends").expect("apt is installed");
        let text = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (ran.status.success(), text)
    }

    /// Updates, and returns the versions of `hello` that apt knows.
    pub(crate) async fn versions(&self) -> Vec<String> {
        let (is_ok, text) = self.run("apt-get", &["update"]).await;
        assert!(is_ok && !text.contains("\nW: ") && !text.contains("\nE: "), "{text}");
        let (_, text) = self.run("apt-cache", &["madison", "hello"]).await;
        let version = |line: &str| line.split('|').nth(1).map(|version| version.trim().to_owned());
        text.lines().filter_map(version).collect()
    }
}

fn configuration(root: &Path) -> String {
    let root = root.display();
    format!(
        "Dir \"{root}\";\nDir::State \"{root}/state\";\nDir::State::status \"{root}/dpkg/status\";\n\
         Dir::Cache \"{root}/cache\";\nDir::Etc \"{root}/etc\";\nDir::Etc::sourcelist \"{root}/etc/sources.list\";\n\
         Dir::Etc::sourceparts \"/dev/null\";\nDir::Etc::netrcparts \"{root}/etc/auth.conf.d\";\n\
         Dir::Etc::trusted \"/dev/null\";\nDir::Etc::trustedparts \"/dev/null\";\nDir::Log \"{root}/log\";\n\
         APT::Architecture \"amd64\";\nAPT::Architectures \"amd64\";\nAPT::Sandbox::User \"root\";\n\
         Acquire::Languages \"none\";\nAcquire::Check-Date \"false\";\nAcquire::http::Proxy \"DIRECT\";\n"
    )
}

/// A package: an `ar` of three members, made by Debian's own tool.
pub(crate) async fn deb(name: &str, version: &str, architecture: &str) -> Vec<u8> {
    deb_of_files(name, version, architecture, &[]).await
}

/// The same with files at these paths.
pub(crate) async fn deb_of_files(name: &str, version: &str, architecture: &str, files: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("writable");
    let control = format!(
        "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: Ada <ada@example.com>\n\
         Description: {name} of ada\n"
    );
    let tree = folder.path().join("tree");
    fs::create_dir_all(tree.join("DEBIAN")).expect("writable");
    fs::write(tree.join("DEBIAN/control"), control).expect("writable");
    for file in files {
        let path = tree.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, name).expect("writable");
    }
    let made = folder.path().join("made.deb");
    let built = Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&tree).arg(&made).output().await;
    let built = built.expect("dpkg-deb is installed");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    fs::read(made).expect("it is made")
}

async fn publish(ada: &Person, name: &str, version: &str, architecture: &str) {
    let place = "deb_distribution=stable;deb_component=main";
    let path = format!("/content/ada/repo/hello/{version}/pool/{name}_{version}_{architecture}.deb;{place};publish=1");
    ada.put(&path).body(deb(name, version, architecture).await).await.expect(201);
}

pub(crate) async fn repo(is_private: bool) -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let repo = json!({"type": "debian", "gpg_sign_metadata": true, "gpg_use_owner_key": true, "private": is_private});
    ada.post("/repos/ada/repo").json(repo).await.expect(201);
    ada.post("/packages/ada/repo").json(json!({"name": "hello"})).await.expect(201);
    ada.post("/users/ada/keys/gpg/generate").await.expect(201);
    (house, ada)
}

#[tokio::test]
async fn apt_finds_and_downloads_what_is_published() {
    let _shown = suite::shows("apt", "publish, install");
    let (house, ada) = repo(false).await;
    publish(&ada, "hello", "1.0-1", "amd64").await;
    let apt = Apt::new(&house, &house.anyone()).await;
    assert_eq!(apt.versions().await, ["1.0-1"]);
    publish(&ada, "hello", "1.0-2", "amd64").await;
    publish(&ada, "hello-doc", "1.0-2", "all").await;
    assert_eq!(apt.versions().await, ["1.0-2", "1.0-1"]);
    for package in ["hello=1.0-1", "hello-doc"] {
        let (is_ok, text) = apt.run("apt-get", &["download", package]).await;
        assert!(is_ok, "{text}");
    }
    assert_eq!(
        fs::read(apt.folder.path().join("hello-doc_1.0-2_all.deb")).expect("it is fetched"),
        deb_of(&house).await
    );
    ada.delete("/packages/ada/repo/hello/versions/1.0-1").await.expect(200);
    assert_eq!(apt.versions().await, ["1.0-2"]);
}

async fn deb_of(house: &TestHouse) -> Vec<u8> {
    house.anyone().download("/ada/repo/pool/hello-doc_1.0-2_all.deb").await.expect(200).body
}

#[tokio::test]
async fn apt_reads_a_private_repository_with_credentials_only_and_trusts_no_other_key() {
    let _shown = suite::shows("apt", "private, signed");
    let (house, ada) = repo(true).await;
    publish(&ada, "hello", "1.0-1", "amd64").await;
    let apt = Apt::new(&house, &ada).await;
    assert_eq!(apt.versions().await, ["1.0-1"]);
    fs::remove_file(apt.folder.path().join("etc/auth.conf.d/ada.conf")).expect("it is there");
    let (_, text) = apt.run("apt-get", &["update"]).await;
    assert!(text.contains("401"), "{text}");
    let other = Apt::new(&house, &ada).await;
    let key = house.anyone().get("/keys/gpg/public.key").await.expect(200).body;
    fs::write(other.folder.path().join("etc/ada.asc"), key).expect("writable");
    let (_, text) = other.run("apt-get", &["update"]).await;
    assert!(text.contains("NO_PUBKEY") || text.contains("not signed"), "{text}");
}

#[tokio::test]
async fn apt_with_a_key_for_one_package_sees_only_it() {
    let _shown = suite::shows("apt", "key holder");
    let (house, ada) = repo(true).await;
    publish(&ada, "hello", "1.0-1", "amd64").await;
    ada.post("/packages/ada/repo").json(json!({"name": "secret"})).await.expect(201);
    let path = "/content/ada/repo/secret/1/secret_1_amd64.deb;deb_distribution=stable;deb_component=main;publish=1";
    ada.put(path).body(deb("secret", "1", "amd64").await).await.expect(201);
    let client = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/repo/hello/entitlements").json(terms).await.expect(201);
    for (who, expected) in [(&client, "hello"), (&ada, "hello secret")] {
        let apt = Apt::new(&house, who).await;
        assert_eq!(apt.versions().await, ["1.0-1"]);
        let (_, text) = apt.run("apt-cache", &["pkgnames"]).await;
        let mut names: Vec<&str> = text.split_whitespace().collect();
        names.sort_unstable();
        assert_eq!(names.join(" "), expected);
        let (is_ok, text) = apt.run("apt-get", &["download", "hello"]).await;
        assert!(is_ok, "{text}");
    }
}
