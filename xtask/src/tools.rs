//! Finds or installs the programs that the suite and the benchmarks need from the system.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

fn provide(tools: &[&'static Tool]) -> Result<()> {
    let missing = missing(tools);
    if !missing.is_empty() {
        install(&missing)?;
    }
    match self::missing(tools).as_slice() {
        [] => Ok(()),
        still_missing => Err(by_hand(still_missing)),
    }
}

/// Returns whether a program is on the search path.
pub fn is_on_path(program: &str) -> bool {
    search_path().any(|folder| folder.join(program).is_file())
}

struct Tool {
    what: &'static str,
    debian: &'static str,
    fedora: &'static str,
    homebrew: &'static str,
    is_there: fn() -> bool,
}

const POSTGRES: &Tool = &Tool {
    what: "the PostgreSQL server (`initdb`, `postgres`)",
    debian: "postgresql",
    fedora: "postgresql-server",
    homebrew: "postgresql",
    is_there: || postgres_folder().is_some(),
};

const TOOLS: [&Tool; 35] = [
    POSTGRES,
    &Tool { what: "`gpg`", debian: "gnupg", fedora: "gnupg2", homebrew: "gnupg", is_there: || is_on_path("gpg") },
    &Tool { what: "`curl`", debian: "curl", fedora: "curl", homebrew: "curl", is_there: || is_on_path("curl") },
    &Tool { what: "`wget`", debian: "wget", fedora: "wget", homebrew: "wget", is_there: || is_on_path("wget") },
    &Tool { what: "`mvn`", debian: "maven", fedora: "maven", homebrew: "maven", is_there: || is_on_path("mvn") },
    &Tool {
        what: "`skopeo`",
        debian: "skopeo",
        fedora: "skopeo",
        homebrew: "skopeo",
        is_there: || is_on_path("skopeo"),
    },
    &Tool {
        what: "`podman`",
        debian: "podman",
        fedora: "podman",
        homebrew: "podman",
        is_there: || is_on_path("podman"),
    },
    &Tool {
        what: "`buildah`",
        debian: "buildah",
        fedora: "buildah",
        homebrew: "buildah",
        is_there: || is_on_path("buildah"),
    },
    &maven_library("Maven's deploy plugin", "libmaven-deploy-plugin-java", || {
        has_maven("org/apache/maven/plugins/maven-deploy-plugin")
    }),
    &maven_library("Maven's dependency plugin", "libmaven-dependency-plugin-java", || {
        has_maven("org/apache/maven/plugins/maven-dependency-plugin")
    }),
    &Tool {
        what: "`chromium`",
        debian: "chromium",
        fedora: "chromium",
        homebrew: "chromium",
        is_there: || is_on_path("chromium"),
    },
    &Tool {
        what: "`chromedriver`",
        debian: "chromium-driver",
        fedora: "chromedriver",
        homebrew: "chromedriver",
        is_there: || is_on_path("chromedriver"),
    },
    &Tool {
        what: "`composer`",
        debian: "composer",
        fedora: "composer",
        homebrew: "composer",
        is_there: || is_on_path("composer"),
    },
    &Tool { what: "`unzip`", debian: "unzip", fedora: "unzip", homebrew: "unzip", is_there: || is_on_path("unzip") },
    &Tool { what: "`go`", debian: "golang-go", fedora: "golang", homebrew: "go", is_there: || is_on_path("go") },
    &Tool {
        what: "`vagrant`",
        debian: "vagrant",
        fedora: "vagrant",
        homebrew: "vagrant",
        is_there: || is_on_path("vagrant"),
    },
    &Tool {
        what: "`apt-file`",
        debian: "apt-file",
        fedora: "apt-file",
        homebrew: "apt-file",
        is_there: || is_on_path("apt-file"),
    },
    &Tool { what: "`dput`", debian: "dput", fedora: "dput", homebrew: "dput", is_there: || is_on_path("dput") },
    &Tool { what: "`dnf`", debian: "dnf", fedora: "dnf", homebrew: "dnf", is_there: || is_on_path("dnf") },
    &Tool {
        what: "`rpmbuild`",
        debian: "rpm",
        fedora: "rpm-build",
        homebrew: "rpm",
        is_there: || is_on_path("rpmbuild"),
    },
    &Tool {
        what: "`zypper`",
        debian: "zypper",
        fedora: "zypper",
        homebrew: "zypper",
        is_there: || is_on_path("zypper"),
    },
    &Tool {
        what: "`createrepo_c`",
        debian: "createrepo-c",
        fedora: "createrepo_c",
        homebrew: "createrepo_c",
        is_there: || is_on_path("createrepo_c"),
    },
    &Tool { what: "`R`", debian: "r-base-core", fedora: "R-core", homebrew: "r", is_there: || is_on_path("Rscript") },
    &Tool {
        what: "`pacman`",
        debian: "pacman-package-manager",
        fedora: "pacman",
        homebrew: "pacman",
        is_there: || is_on_path("pacman"),
    },
    &Tool {
        what: "`openssl`",
        debian: "openssl",
        fedora: "openssl",
        homebrew: "openssl",
        is_there: || is_on_path("openssl"),
    },
    &Tool {
        what: "`signify`",
        debian: "signify-openbsd",
        fedora: "signify",
        homebrew: "signify-osx",
        is_there: || is_on_path("signify-openbsd"),
    },
    &Tool { what: "`npm`", debian: "npm", fedora: "nodejs-npm", homebrew: "node", is_there: || is_on_path("npm") },
    &Tool {
        what: "`python3` with `venv`",
        debian: "python3-venv",
        fedora: "python3",
        homebrew: "python",
        is_there: has_venv,
    },
    &Tool { what: "`gem`", debian: "ruby", fedora: "ruby", homebrew: "ruby", is_there: || is_on_path("gem") },
    &Tool {
        what: "`bundle`",
        debian: "bundler",
        fedora: "rubygem-bundler",
        homebrew: "ruby",
        is_there: || is_on_path("bundle"),
    },
    &Tool {
        what: "`promtool`",
        debian: "prometheus",
        fedora: "golang-github-prometheus",
        homebrew: "prometheus",
        is_there: || is_on_path("promtool"),
    },
    NGINX,
    &Tool {
        what: "`systemd-analyze`",
        debian: "systemd",
        fedora: "systemd",
        homebrew: "systemd",
        is_there: || !cfg!(target_os = "linux") || is_on_path("systemd-analyze"),
    },
    &Tool {
        what: "`pacman-key`",
        debian: "makepkg",
        fedora: "pacman",
        homebrew: "pacman",
        is_there: || !cfg!(target_os = "linux") || Path::new("/usr/share/makepkg/util").is_dir(),
    },
    // The dependency plugin needs it, but its package does not declare the dependency.
    &maven_library("JUnit", "junit4", || has_maven("junit/junit")),
];

const NGINX: &Tool = &Tool {
    what: "`nginx` with WebDAV",
    debian: "nginx-light",
    fedora: "nginx",
    homebrew: "nginx",
    is_there: || nginx_program().is_some(),
};

#[cfg(target_os = "linux")]
const REGISTRY: &Tool = &Tool {
    what: "`docker-registry`",
    debian: "docker-registry",
    fedora: "docker-distribution",
    homebrew: "docker-registry",
    is_there: || is_on_path("docker-registry"),
};

#[cfg(target_os = "linux")]
const MMDEBSTRAP: &Tool = &Tool {
    what: "`mmdebstrap`",
    debian: "mmdebstrap",
    fedora: "mmdebstrap",
    homebrew: "mmdebstrap",
    is_there: || is_on_path("mmdebstrap"),
};

const IP: &Tool = &Tool {
    what: "`ip`",
    debian: "iproute2",
    fedora: "iproute",
    homebrew: "iproute2mac",
    is_there: || is_on_path("ip"),
};

const UNSHARE: &Tool = &Tool {
    what: "`unshare`",
    debian: "util-linux",
    fedora: "util-linux",
    homebrew: "util-linux",
    is_there: || is_on_path("unshare"),
};

#[cfg(target_os = "linux")]
const WRK: &Tool =
    &Tool { what: "`wrk`", debian: "wrk", fedora: "wrk", homebrew: "wrk", is_there: || is_on_path("wrk") };

const fn maven_library(what: &'static str, debian: &'static str, is_there: fn() -> bool) -> Tool {
    Tool { what, debian, fedora: "maven", homebrew: "maven", is_there }
}

fn missing(tools: &[&'static Tool]) -> Vec<&'static Tool> {
    tools.iter().copied().filter(|tool| !(tool.is_there)()).collect()
}

fn install(missing: &[&Tool]) -> Result<()> {
    let Some(privilege) = privilege().filter(|_| is_on_path("apt-get")) else {
        return Err(by_hand(missing));
    };
    let packages: Vec<_> = missing.iter().map(|tool| tool.debian).collect();
    eprintln!("installing {}", packages.join(", "));
    apt_get(privilege, &["update"], &[]).map_err(|_| by_hand(missing))?;
    let install = ["install", "--yes", "--no-install-recommends"];
    apt_get(privilege, &install, &packages).map_err(|_| by_hand(missing))
}

// Returns the prefix of a command that gives it the right to install packages.
fn privilege() -> Option<&'static [&'static str]> {
    if nix::unistd::geteuid().is_root() {
        return Some(&["env"]);
    }
    let may_sudo = Command::new("sudo")
        .args(["-n", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    may_sudo.then_some(&["sudo", "-n", "env"])
}

fn apt_get(privilege: &[&str], arguments: &[&str], packages: &[&str]) -> Result<()> {
    let status = Command::new(privilege[0])
        .args(&privilege[1..])
        // In run level 1, packages do not start their services.
        .args(["DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "--quiet"])
        .args(arguments)
        .args(packages)
        .stdin(Stdio::null())
        .status()
        .attempt("cannot start `apt-get`")?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`apt-get {}` failed", arguments[0])))
}

fn by_hand(missing: &[&Tool]) -> Failure {
    let what: Vec<_> = missing.iter().map(|tool| tool.what).collect();
    let command = |start: &str, package: fn(&Tool) -> &'static str| {
        let packages: Vec<_> = missing.iter().map(|tool| package(tool)).collect();
        format!("run this, then try again:\n\n    {start} {}", packages.join(" "))
    };
    let hint = if is_on_path("apt-get") {
        command("sudo apt-get update && sudo apt-get install --yes", |tool| tool.debian)
    } else if is_on_path("dnf") {
        command("sudo dnf install --assumeyes", |tool| tool.fedora)
    } else if is_on_path("brew") {
        command("brew install", |tool| tool.homebrew)
    } else {
        "install it with the system's package manager, then try again".to_owned()
    };
    Failure::new(format!("this needs {}; {hint}", what.join(", ")))
}

// The search path goes first, because a person chose what is on it.
fn postgres_folder() -> Option<PathBuf> {
    search_path()
        .chain(debian_folders())
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

// Debian installs it in a folder that is only on root's search path.
fn nginx_program() -> Option<PathBuf> {
    search_path().chain([PathBuf::from("/usr/sbin")]).map(|folder| folder.join("nginx")).find(|path| path.is_file())
}

// Returns Debian's folders of the server's programs, newest first. Each version has one, off the search path.
fn debian_folders() -> Vec<PathBuf> {
    let Ok(versions) = Path::new("/usr/lib/postgresql").read_dir() else {
        return Vec::new();
    };
    let mut numbered: Vec<(u32, PathBuf)> = versions
        .flatten()
        .filter_map(|version| {
            let number = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .collect();
    numbered.sort_by(|left, right| right.cmp(left));
    numbered.into_iter().map(|(_, folder)| folder).collect()
}

// Only Debian has Maven's libraries as packages. On other systems, the tests of Maven report missing ones.
fn has_maven(folder: &str) -> bool {
    !is_on_path("apt-get") || Path::new("/usr/share/maven-repo").join(folder).is_dir()
}

// Debian has it in a separate package.
fn has_venv() -> bool {
    run(Command::new("python3").args(["-c", "import ensurepip, venv"]).stderr(Stdio::null())).is_ok()
}

fn search_path() -> impl Iterator<Item = PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).collect::<Vec<_>>().into_iter()
}
