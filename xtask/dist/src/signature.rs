//! The detached OpenPGP signature of the checksums.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::failure::{Attempt, Failure, Result};

/// Signs a file with a key of gpg's keyring, or of one in another folder. Returns the path of the signature, which ends
/// in `.asc`.
pub fn sign(path: &Path, key: &str, keyring: Option<&Path>) -> Result<PathBuf> {
    let signature = PathBuf::from(format!("{}.asc", path.display()));
    let mut gpg = Command::new("gpg");
    if let Some(folder) = keyring {
        gpg.arg("--homedir").arg(folder);
    }
    gpg.args(["--batch", "--yes", "--armor", "--detach-sign", "--local-user", key, "--output"]);
    let status = gpg.arg(&signature).arg(path).status().attempt("cannot start `gpg`; install GnuPG")?;
    if status.success() {
        return Ok(signature);
    }
    Err(Failure::new(format!("`gpg` cannot sign with the key `{key}`, see above")))
}
