//! The package managers that publish to a server and install from it in tests: PyPI and npm packages in folders of their
//! own, and a mail server among them. Cargo is that of the toolchain; gem, Bundler, composer, go and vagrant are those of the system.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dotnet;
use crate::failure::{Attempt, Result};
use crate::helm;
use crate::tools;

const PYTHON: [&str; 8] = [
    "pip==26.3",
    "twine==7.0.0",
    "uv==0.13.7",
    "poetry==2.5.1",
    "pypi-simple==1.8.0",
    "py-rattler==0.28.0",
    "aiosmtpd==1.4.6",
    "oras==0.2.43",
];
const CONAN: [&str; 1] = ["conan==2.34.0"];
/// The provider of single sign-on that tests sign in with.
const OIDC: [&str; 1] = ["oidc-provider@9.13.3"];
const NPM: [&str; 4] = ["npm@11.21.1", "pnpm@10.34.9", "yarn@1.22.22", "@yarnpkg/cli-dist@4.18.1"];

/// The generators of clients for the API, and what these clients need.
const OPENAPI_PYTHON: [&str; 1] = ["openapi-python-client==0.29.1"];
const OPENAPI_NPM: [&str; 3] = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3"];

/// Returns the version of a client that is downloaded.
pub(crate) fn pinned(client: &str) -> Option<&'static str> {
    let package = match client {
        "yarn 1" => "yarn",
        "yarn 4" => "@yarnpkg/cli-dist",
        "dotnet" => return Some(dotnet::VERSION),
        "helm" => return Some(helm::VERSION),
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
    let generator = ensure_folder("openapi-python", &OPENAPI_PYTHON, fetch_python)?;
    let types = ensure_folder("openapi-npm", &OPENAPI_NPM, fetch_npm)?;
    let oidc = ensure_folder("oidc-provider", &OIDC, fetch_npm)?;
    Ok(vec![
        ("PACKHOUSE_TEST_OPENAPI_PYTHON".into(), format!("{generator}/bin")),
        ("PACKHOUSE_TEST_OPENAPI_NPM".into(), format!("{types}/node_modules")),
        ("PACKHOUSE_TEST_PYTHON".into(), format!("{python}/bin")),
        ("PACKHOUSE_TEST_CONAN".into(), format!("{conan}/bin")),
        ("PACKHOUSE_TEST_NPM".into(), format!("{npm}/node_modules")),
        ("PACKHOUSE_TEST_OIDC_PROVIDER".into(), format!("{oidc}/node_modules")),
    ])
}

/// Finds or downloads verdaccio, a registry for npm to compare with. Returns the path of its program.
pub fn verdaccio() -> Result<PathBuf> {
    // The newest that runs with Node.js 20, with a version of node-fetch instead of the tag that it names.
    let folder = ensure_folder("verdaccio", &["verdaccio@6.5.2", "node-fetch@2.7.0"], fetch_pinned)?;
    Ok(Path::new(&folder).join("node_modules/.bin/verdaccio"))
}

/// Finds or downloads pypiserver, a package index for PyPI to compare with. Returns the path of its program.
pub fn pypiserver() -> Result<PathBuf> {
    let folder = ensure_folder("pypiserver", &["pypiserver[cache]==2.4.2"], fetch_python)?;
    Ok(Path::new(&folder).join("bin/pypi-server"))
}

/// Returns the folder with these packages. Its name does not change with their versions, so that old ones go. The last
/// file lists them and marks the folder as complete.
pub(crate) fn ensure_folder(name: &str, packages: &[&str], fetch: fn(&Path, &[&str]) -> Result<()>) -> Result<String> {
    let folder = tools::path_of(name)?;
    // Another checkout of this user has the same folder.
    let lock = File::create(folder.with_extension("lock")).attempt("cannot lock a folder of tools")?;
    lock.lock().attempt("cannot lock a folder of tools")?;
    let whole = folder.join("whole");
    let list = packages.join("\n");
    if fs::read_to_string(&whole).ok().as_deref() != Some(&list) {
        eprintln!("downloading {}", packages.join(", "));
        fetch(&folder, packages)?;
        fs::write(&whole, list).attempt("cannot store the clients")?;
    }
    Ok(folder.display().to_string())
}

pub(crate) fn fetch_python(folder: &Path, packages: &[&str]) -> Result<()> {
    tools::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let python = folder.join("bin/python");
    tools::run(Command::new(python).args(["-m", "pip", "install", "--quiet", "--only-binary=:all:"]).args(packages))
}

/// Downloads the first package. The others replace the versions that it would choose of its dependencies.
fn fetch_pinned(folder: &Path, packages: &[&str]) -> Result<()> {
    let (package, others) = packages.split_first().expect("there is a package");
    let pins: BTreeMap<_, _> = others.iter().filter_map(|other| other.rsplit_once('@')).collect();
    empty(folder)?;
    let document = serde_json::json!({ "overrides": pins }).to_string();
    fs::write(folder.join("package.json"), document).attempt("cannot store the clients")?;
    install_npm(folder, &[package])
}

pub(crate) fn fetch_npm(folder: &Path, packages: &[&str]) -> Result<()> {
    empty(folder)?;
    install_npm(folder, packages)
}

fn empty(folder: &Path) -> Result<()> {
    drop(fs::remove_dir_all(folder));
    fs::create_dir_all(folder).attempt("cannot create the folder of clients")
}

fn install_npm(folder: &Path, packages: &[&str]) -> Result<()> {
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
