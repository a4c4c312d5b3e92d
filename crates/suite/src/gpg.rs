//! The real `gpg`, with a key ring of its own.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// When keys are made: an hour before every test begins.
const MADE: &str = "20260115T110000!";

/// When keys are changed: an hour after they were made.
const LATER: &str = "20260115T120000!";

/// When signatures are verified: some days after every test begins, and before any key ends.
const VERIFIED: &str = "20260201T000000!";

/// A key ring.
pub struct Gpg {
    home: TempDir,
}

/// What a key is to be like.
#[derive(Debug, Clone, Copy)]
pub struct NewKey<'k> {
    /// Its user's name.
    pub name: &'k str,
    /// `rsa2048`, `ed25519` and so on.
    pub algorithm: &'k str,
    /// What the primary key is for: `sign` or `cert`. With `cert`, a subkey signs.
    pub usage: &'k str,
    /// When it ends, as `gpg` writes it: `0` is never, `20d` twenty days after it was made.
    pub expires: &'k str,
    /// What protects it; nothing when it is empty.
    pub passphrase: &'k str,
}

impl Default for NewKey<'_> {
    fn default() -> Self {
        Self { name: "ada", algorithm: "ed25519", usage: "sign", expires: "0", passphrase: "" }
    }
}

impl Default for Gpg {
    fn default() -> Self {
        Self::new()
    }
}

impl Gpg {
    /// An empty key ring.
    pub fn new() -> Self {
        let for_owner = fs::Permissions::from_mode(0o700);
        let home = tempfile::Builder::new().prefix("gpg").permissions(for_owner).tempdir().expect("a folder");
        // Keys that take long to open are a matter of taste, and of patience.
        fs::write(home.path().join("gpg-agent.conf"), "s2k-count 65536\n").expect("written");
        Self { home }
    }

    /// Makes a key, and returns it as `gpg` exports private keys.
    pub fn private_key(&self, key: NewKey<'_>) -> String {
        self.make(key);
        self.export(key.name, key.passphrase, "--export-secret-keys")
    }

    /// The same without the private part of the primary key: a stub stands in its place.
    pub fn private_subkeys(&self, key: NewKey<'_>) -> String {
        self.make(key);
        self.export(key.name, key.passphrase, "--export-secret-subkeys")
    }

    fn make(&self, key: NewKey<'_>) {
        let NewKey { name, algorithm, usage, expires, passphrase } = key;
        let id = format!("{name} <{name}@example.org>");
        self.make_part(&["--passphrase", passphrase, "--quick-gen-key", &id, algorithm, usage, expires]);
        if usage == "cert" {
            let print = self.fingerprint(name);
            self.make_part(&["--passphrase", passphrase, "--quick-add-key", &print, algorithm, "sign", expires]);
        }
    }

    fn fingerprint(&self, name: &str) -> String {
        let listed = self.at(MADE, &["--with-colons", "--list-keys", name]);
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let print = listed.lines().find_map(|line| line.strip_prefix("fpr:::::::::")).expect("a fingerprint");
        print.trim_end_matches(':').to_owned()
    }

    /// Lets a key end so long after it was made; what it says about itself then is from that time.
    pub fn end_after(&self, name: &str, expires: &str) {
        self.at(LATER, &["--passphrase", "", "--quick-set-expire", &self.fingerprint(name), expires]);
    }

    /// Signs content with the key of this name, which needs no passphrase; armoured.
    pub fn sign(&self, name: &str, content: &[u8]) -> String {
        let file = self.file("to-sign", content);
        let arguments = ["--passphrase", "", "--local-user", name, "--armor", "--output", "-", "--detach-sign", &file];
        String::from_utf8(self.at(VERIFIED, &arguments).stdout).expect("armour is text")
    }

    /// Seldom, `gpg` cannot read the protected key that its agent has just written, and makes none.
    fn make_part(&self, arguments: &[&str]) {
        let is_unreadable = |output: &Output| String::from_utf8_lossy(&output.stderr).contains("Corrupted protection");
        for _ in 0..4 {
            let output = self.run(MADE, arguments);
            if !is_unreadable(&output) {
                assert!(output.status.success(), "gpg {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
                return;
            }
        }
        self.at(MADE, arguments);
    }

    fn export(&self, name: &str, passphrase: &str, what: &str) -> String {
        let exported = self.at(MADE, &["--passphrase", passphrase, "--armor", what, name]);
        String::from_utf8(exported.stdout).expect("armour is text")
    }

    /// The public key of this name, armoured.
    pub fn public_key(&self, name: &str) -> String {
        String::from_utf8(self.at(MADE, &["--armor", "--export", name]).stdout).expect("armour is text")
    }

    /// Takes a public key in; returns what the status lines say.
    pub fn import(&self, public_key: &str) -> String {
        let file = self.file("import", public_key.as_bytes());
        status(&self.at(VERIFIED, &["--status-fd", "1", "--import", &file]))
    }

    /// Whether an armoured signature is a good one of this content, by a key that is in the ring and valid.
    pub fn verifies(&self, signature: &[u8], content: &[u8]) -> bool {
        let (signature, content) = (self.file("signature", signature), self.file("content", content));
        let output = self.run(VERIFIED, &["--status-fd", "1", "--verify", &signature, &content]);
        let said = status(&output);
        output.status.success() && said.contains("] GOODSIG ") && said.contains("] VALIDSIG ")
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.home.path().join(name);
        fs::File::create(&path).and_then(|mut file| file.write_all(bytes)).expect("written");
        path.to_string_lossy().into_owned()
    }

    fn at(&self, time: &str, arguments: &[&str]) -> Output {
        let output = self.run(time, arguments);
        assert!(output.status.success(), "gpg {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn run(&self, time: &str, arguments: &[&str]) -> Output {
        let mut gpg = Command::new("gpg");
        gpg.arg("--homedir").arg(self.home.path()).args(["--batch", "--no-tty", "--pinentry-mode", "loopback"]);
        gpg.args(["--faked-system-time", time, "--trust-model", "always"]).args(arguments);
        gpg.stdin(Stdio::null()).output().expect("gpg is installed")
    }
}

impl Drop for Gpg {
    fn drop(&mut self) {
        let mut stop = Command::new("gpgconf");
        drop(stop.arg("--homedir").arg(self.home.path()).args(["--kill", "all"]).output());
    }
}

fn status(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
