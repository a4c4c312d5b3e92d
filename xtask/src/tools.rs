//! Finds or installs the programs that the suite and the benchmarks need from the system.

mod install;
mod list;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::install::{by_hand, provide};
use self::list::{IP, NGINX, POSTGRES, TOOLS, UNSHARE, nginx_program, postgres_folder};
#[cfg(target_os = "linux")]
use self::list::{MMDEBSTRAP, REGISTRY, WRK};
use crate::cargo;
use crate::failure::{Attempt, Failure, Result};

/// Finds or installs the tools that the suite needs. Returns the folder of PostgreSQL's programs.
pub fn ensure() -> Result<PathBuf> {
    provide(&TOOLS)?;
    postgres_folder().ok_or_else(|| by_hand(&[POSTGRES]))
}

/// Finds or installs the tools that the content benchmark needs. Returns the path of nginx.
#[cfg(target_os = "linux")]
pub fn ensure_bench() -> Result<PathBuf> {
    provide(&[NGINX, WRK])?;
    nginx_program().ok_or_else(|| by_hand(&[NGINX]))
}

/// Finds or installs Docker's registry. Returns its path.
#[cfg(target_os = "linux")]
pub fn ensure_registry() -> Result<PathBuf> {
    provide(&[REGISTRY])?;
    Ok(PathBuf::from("docker-registry"))
}

/// Finds or installs the tools that create a network namespace.
pub fn ensure_namespaces() -> Result<()> {
    provide(&[IP, UNSHARE])
}

/// Finds or installs the tools that install packages into roots of their own.
#[cfg(target_os = "linux")]
pub fn ensure_roots() -> Result<()> {
    ensure()?;
    provide(&[MMDEBSTRAP])
}

/// Finds or installs the load balancer of a cluster. Returns the path of nginx.
#[cfg(target_os = "linux")]
pub fn ensure_balancer() -> Result<PathBuf> {
    provide(&[NGINX])?;
    nginx_program().ok_or_else(|| by_hand(&[NGINX]))
}

/// Returns the path of a tool that no package manager has: in the user's cache, so that a clean checkout downloads nothing
/// again.
pub fn path_of(name: &str) -> Result<PathBuf> {
    let cache = match env::var_os("XDG_CACHE_HOME").filter(|folder| Path::new(folder).is_absolute()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => env::home_dir().map(|home| home.join(".cache")),
    };
    let folder = match cache {
        Some(folder) => folder.join("packhouse/tools"),
        None => cargo::target_folder()?.join("tools"),
    };
    fs::create_dir_all(&folder).attempt("cannot create the folder of tools")?;
    Ok(folder.join(name))
}

/// Runs a command that downloads a tool. It is silent unless it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    if status.attempt(format!("cannot start `{name}`"))?.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("`{name}` failed, see above")))
    }
}

/// Returns whether a program is on the search path.
pub fn is_on_path(program: &str) -> bool {
    search_path().any(|folder| folder.join(program).is_file())
}

fn search_path() -> impl Iterator<Item = PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).collect::<Vec<_>>().into_iter()
}
