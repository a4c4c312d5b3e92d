//! The package managers that publish to a server and install from it in tests: PyPI and npm packages in folders of their
//! own. Cargo is that of the toolchain; gem, Bundler, composer, go and vagrant are those of the system.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::{Attempt, Result};
use crate::tools;

const PYTHON: [&str; 6] =
    ["pip==26.3", "twine==7.0.0", "uv==0.13.7", "poetry==2.5.1", "pypi-simple==1.8.0", "py-rattler==0.28.0"];
const CONAN: [&str; 1] = ["conan==2.34.0"];
const NPM: [&str; 4] = ["npm@11.21.1", "pnpm@10.34.9", "yarn@1.22.22", "@yarnpkg/cli-dist@4.18.1"];

/// Returns the version of a client that is downloaded.
pub(crate) fn pinned(client: &str) -> Option<&'static str> {
    let package = match client {
        "yarn 1" => "yarn",
        "yarn 4" => "@yarnpkg/cli-dist",
        other => other,
    };
    let of = |entry: &'static str, between: &str| entry.strip_prefix(package)?.strip_prefix(between);
    let python = PYTHON.iter().chain(&CONAN).find_map(|entry| of(entry, "=="));
    python.or_else(|| NPM.iter().find_map(|entry| of(entry, "@")))
}

/// Finds or downloads them. Returns the environment variables that tell tests where they are.
pub(crate) fn ensure() -> Result<Vec<(String, String)>> {
    let python = ensure_folder("python-clients", &PYTHON, fetch_python)?;
    let conan = ensure_folder("conan-clients", &CONAN, fetch_python)?;
    let npm = ensure_folder("npm-clients", &NPM, fetch_npm)?;
    Ok(vec![
        ("PACKHOUSE_TEST_PYTHON".into(), format!("{python}/bin")),
        ("PACKHOUSE_TEST_CONAN".into(), format!("{conan}/bin")),
        ("PACKHOUSE_TEST_NPM".into(), format!("{npm}/node_modules")),
    ])
}

/// Returns the folder with these packages. Its name does not change with their versions, so that old ones go. The last
/// file lists them and marks the folder as complete.
fn ensure_folder(name: &str, packages: &[&str], fetch: fn(&Path, &[&str]) -> Result<()>) -> Result<String> {
    let folder = tools::path_of(name)?;
    let whole = folder.join("whole");
    let list = packages.join("\n");
    if fs::read_to_string(&whole).ok().as_deref() != Some(&list) {
        eprintln!("downloading {}", packages.join(", "));
        fetch(&folder, packages)?;
        fs::write(&whole, list).attempt("cannot store the clients")?;
    }
    Ok(folder.display().to_string())
}

fn fetch_python(folder: &Path, packages: &[&str]) -> Result<()> {
    tools::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let python = folder.join("bin/python");
    tools::run(Command::new(python).args(["-m", "pip", "install", "--quiet", "--only-binary=:all:"]).args(packages))
}

fn fetch_npm(folder: &Path, packages: &[&str]) -> Result<()> {
    drop(fs::remove_dir_all(folder));
    fs::create_dir_all(folder).attempt("cannot create the folder of clients")?;
    let arguments = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
    tools::run(Command::new("npm").args(arguments).arg(folder).args(packages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downloaded_clients_have_a_version() {
        for client in ["pip", "twine", "uv", "poetry", "npm", "pnpm", "yarn 1", "yarn 4"] {
            let version = pinned(client).expect(client);
            assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{client} {version}");
        }
        assert_ne!(pinned("yarn 1"), pinned("yarn 4"));
        assert_eq!(pinned("cargo"), None);
    }
}
