//! The real `gpg`, with its own key ring.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// The creation time of keys: an hour before every test begins.
const MADE: &str = "20260115T110000!";

/// The time at which keys are changed: an hour after their creation.
const LATER: &str = "20260115T120000!";

/// The time at which signatures are verified: some days after every test begins, and before any key expires.
const VERIFIED: &str = "20260201T000000!";

/// A key ring.
pub struct Gpg {
    home: TempDir,
}

/// The properties of a new key.
#[derive(Debug, Clone, Copy)]
pub struct NewKey<'k> {
    /// The name in its user id.
    pub name: &'k str,
    /// `rsa2048`, `ed25519` and so on.
    pub algorithm: &'k str,
    /// The usage of the primary key: `sign` or `cert`. With `cert`, a subkey signs.
    pub usage: &'k str,
    /// Its expiry in the notation of `gpg`: `0` is never, `20d` is twenty days after its creation.
    pub expires: &'k str,
    /// Its passphrase; empty for an unprotected key.
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
    /// Creates an empty key ring.
    pub fn new() -> Self {
        let for_owner = fs::Permissions::from_mode(0o700);
        let home = tempfile::Builder::new().prefix("gpg").permissions(for_owner).tempdir().expect("a folder");
        // Slow key derivation would only slow the tests down.
        fs::write(home.path().join("gpg-agent.conf"), "s2k-count 65536\n").expect("written");
        Self { home }
    }

    /// Creates a key and returns the private key as `gpg` exports it.
    pub fn private_key(&self, key: NewKey<'_>) -> String {
        self.make(key);
        self.export(key.name, key.passphrase, "--export-secret-keys")
    }

    /// Creates a key and returns it without the private part of the primary key, which is replaced by a stub.
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

    /// Sets the expiry of a key, relative to its creation. The new self-signature has the time `LATER`.
    pub fn end_after(&self, name: &str, expires: &str) {
        self.at(LATER, &["--passphrase", "", "--quick-set-expire", &self.fingerprint(name), expires]);
    }

    /// Signs content with the key of this name, which needs no passphrase. The signature is armored.
    pub fn sign(&self, name: &str, content: &[u8]) -> String {
        let file = self.file("to-sign", content);
        let arguments = ["--passphrase", "", "--local-user", name, "--armor", "--output", "-", "--detach-sign", &file];
        String::from_utf8(self.at(VERIFIED, &arguments).stdout).expect("armour is text")
    }

    /// Retries, because `gpg` sometimes cannot read the protected key that its agent has just written.
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

    /// Returns the armored public key of this name.
    pub fn public_key(&self, name: &str) -> String {
        String::from_utf8(self.at(MADE, &["--armor", "--export", name]).stdout).expect("armour is text")
    }

    /// Imports a public key and returns the status lines.
    pub fn import(&self, public_key: &str) -> String {
        let file = self.file("import", public_key.as_bytes());
        status(&self.at(VERIFIED, &["--status-fd", "1", "--import", &file]))
    }

    /// Returns whether an armored signature of this content is good, by a valid key in the ring.
    pub fn verifies(&self, signature: &[u8], content: &[u8]) -> bool {
        let (signature, content) = (self.file("signature", signature), self.file("content", content));
        let output = self.run(VERIFIED, &["--status-fd", "1", "--verify", &signature, &content]);
        let said = status(&output);
        output.status.success() && said.contains("] GOODSIG ") && said.contains("] VALIDSIG ")
    }

    /// Returns the text inside a good cleartext signature by a key in the ring.
    pub fn signed_text(&self, signed: &str) -> Option<Vec<u8>> {
        let signed = self.file("signed", signed.as_bytes());
        let output = self.run(VERIFIED, &["--output", "-", "--decrypt", &signed]);
        output.status.success().then_some(output.stdout)
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
