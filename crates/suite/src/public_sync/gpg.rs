//! The real `gpg`, with its own keys.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

use tempfile::TempDir;

/// A key ring with one key. Clones share it.
#[derive(Clone)]
pub struct Gpg(Arc<Ring>);

struct Ring(TempDir);

impl Gpg {
    /// Creates a key.
    pub fn create() -> Self {
        let folder = tempfile::Builder::new().prefix("gpg").tempdir().expect("the temporary folder is writable");
        let gpg = Self(Arc::new(Ring(folder)));
        let mut command = gpg.0.command("gpg");
        command.args(["--quick-gen-key", "Ada <ada@example.org>", "ed25519", "sign", "never"]);
        let made = command.output().expect("gpg is installed");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        gpg
    }

    /// Returns the armored signature of some bytes.
    pub fn sign(&self, content: &[u8]) -> Vec<u8> {
        let mut command = self.0.command("gpg");
        command.args(["--armor", "--detach-sign"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut signing = command.spawn().expect("gpg is installed");
        signing.stdin.take().expect("a pipe").write_all(content).expect("gpg reads");
        let signed = signing.wait_with_output().expect("gpg ends");
        assert!(signed.status.success());
        signed.stdout
    }

    /// Returns whether this is the signature of these bytes by the key.
    pub fn verifies(&self, content: &[u8], signature: &[u8]) -> bool {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let (file, beside) = (folder.path().join("file"), folder.path().join("file.asc"));
        fs::write(&file, content).and_then(|()| fs::write(&beside, signature)).expect("written");
        let mut command = self.0.command("gpg");
        command.arg("--verify").args([beside, file]).output().expect("gpg is installed").status.success()
    }
}

impl Ring {
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("GNUPGHOME", self.0.path() as &Path);
        if program == "gpg" {
            command.args(["--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]);
        }
        command
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // The agent of this ring keeps its folder in use.
        let _ = self.command("gpgconf").args(["--kill", "gpg-agent"]).output();
    }
}
