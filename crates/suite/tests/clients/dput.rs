//! dput sends the files of a `.changes` to a Debian repository, and apt installs them.

use std::{fs, path::PathBuf, process::Stdio, time::Duration};

use md5::{Digest as _, Md5};
use sha2::Sha256;
use suite::{Person, TestHouse};
use tempfile::TempDir;
use tokio::{io::AsyncWriteExt, process::Command};

use crate::apt::{Apt, deb, repo};

/// The time limit of a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An upload in a folder: a package and its `.changes`, and the configuration of dput.
struct Upload {
    folder: TempDir,
    changes: PathBuf,
}

impl Upload {
    async fn new(house: &TestHouse, login: &str, version: &str) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let name = format!("hello_{version}_amd64");
        let (file, bytes) = (format!("{name}.deb"), deb("hello", version, "amd64").await);
        fs::write(folder.path().join(&file), &bytes).expect("writable");
        let hex = |digest: &[u8]| digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let (md5, sha256, size) = (hex(&Md5::digest(&bytes)), hex(&Sha256::digest(&bytes)), bytes.len());
        let text = format!(
            "Format: 1.8\nDate: Mon, 16 Nov 2026 10:00:00 +0000\nSource: hello\nBinary: hello\nArchitecture: amd64\n\
             Version: {version}\nDistribution: stable\nUrgency: medium\nMaintainer: Ada <ada@example.com>\n\
             Changed-By: Ada <ada@example.com>\nDescription:\n hello - of ada\nChanges:\n hello ({version}) stable;\n \
             .\n   * It greets.\nChecksums-Sha256:\n {sha256} {size} {file}\nFiles:\n {md5} {size} misc optional {file}\n"
        );
        let changes = folder.path().join(format!("{name}.changes"));
        fs::write(&changes, text).expect("writable");
        let configuration = format!(
            "[DEFAULT]\ndefault_host_main = ada\nallow_unsigned_uploads = 1\nrun_dinstall = 0\nrun_lintian = 0\n\
             check_version = 0\n\n[ada]\nmethod = http\nfqdn = {}\nincoming = /dl/ada/repo/upload/stable/main\n\
             login = {login}\n",
            house.address
        );
        fs::write(folder.path().join("dput.cf"), configuration).expect("writable");
        Self { folder, changes }
    }

    /// Runs dput without a terminal, so that it reads the password from its input.
    async fn send(&self, password: &str) -> (bool, String) {
        let mut command = Command::new("setsid");
        command.args(["--wait", "dput", "-u", "-c"]).arg(self.folder.path().join("dput.cf"));
        command.arg("ada").arg(&self.changes).env("LC_ALL", "C.UTF-8").env("HOME", self.folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut running = command.spawn().expect("dput is installed");
        let mut input = running.stdin.take().expect("it has an input");
        input.write_all(format!("{password}\n").as_bytes()).await.expect("dput takes it");
        drop(input);
        let ran = tokio::time::timeout(PATIENCE, running.wait_with_output()).await.expect("dput ends");
        let ran = ran.expect("dput ends");
        let text = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (ran.status.success(), text)
    }
}

async fn send(house: &TestHouse, by: &Person, version: &str) {
    let (is_ok, text) = Upload::new(house, by.name(), version).await.send(by.key()).await;
    assert!(is_ok && text.contains("Successfully uploaded packages."), "{text}");
}

#[tokio::test]
async fn dput_publishes_what_apt_installs() {
    let _shown = suite::shows("dput", "publish");
    let (house, ada) = repo(false).await;
    send(&house, &ada, "1.0-1").await;
    let apt = Apt::new(&house, &house.anyone()).await;
    assert_eq!(apt.versions().await, ["1.0-1"]);
    send(&house, &ada, "1.0-2").await;
    assert_eq!(apt.versions().await, ["1.0-2", "1.0-1"]);
    let (is_ok, text) = apt.run("apt-get", &["download", "hello"]).await;
    assert!(is_ok, "{text}");
    let (is_ok, text) = Upload::new(&house, "ada", "1.0-3").await.send("wrong").await;
    assert!(!is_ok && text.contains("Upload failed"), "{text}");
    let stranger = house.user("bea").await;
    let (is_ok, text) = Upload::new(&house, "bea", "1.0-3").await.send(stranger.key()).await;
    assert!(!is_ok && text.contains("Upload failed"), "{text}");
    assert_eq!(apt.versions().await, ["1.0-2", "1.0-1"]);
}
