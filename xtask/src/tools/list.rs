//! The programs and libraries of the system that the suite and the benchmarks need, and where they are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{is_on_path, run, search_path};

/// A program or a library of the system.
pub(super) struct Tool {
    pub(super) what: &'static str,
    pub(super) debian: &'static str,
    pub(super) fedora: &'static str,
    pub(super) homebrew: &'static str,
    pub(super) is_there: fn() -> bool,
}

pub(super) const POSTGRES: &Tool = &Tool {
    what: "the PostgreSQL server (`initdb`, `postgres`)",
    debian: "postgresql",
    fedora: "postgresql-server",
    homebrew: "postgresql",
    is_there: || postgres_folder().is_some(),
};

pub(super) const TOOLS: [&Tool; 35] = [
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

pub(super) const NGINX: &Tool = &Tool {
    what: "`nginx` with WebDAV",
    debian: "nginx-light",
    fedora: "nginx",
    homebrew: "nginx",
    is_there: || nginx_program().is_some(),
};

#[cfg(target_os = "linux")]
pub(super) const REGISTRY: &Tool = &Tool {
    what: "`docker-registry`",
    debian: "docker-registry",
    fedora: "docker-distribution",
    homebrew: "docker-registry",
    is_there: || is_on_path("docker-registry"),
};

#[cfg(target_os = "linux")]
pub(super) const MMDEBSTRAP: &Tool = &Tool {
    what: "`mmdebstrap`",
    debian: "mmdebstrap",
    fedora: "mmdebstrap",
    homebrew: "mmdebstrap",
    is_there: || is_on_path("mmdebstrap"),
};

pub(super) const IP: &Tool = &Tool {
    what: "`ip`",
    debian: "iproute2",
    fedora: "iproute",
    homebrew: "iproute2mac",
    is_there: || is_on_path("ip"),
};

pub(super) const UNSHARE: &Tool = &Tool {
    what: "`unshare`",
    debian: "util-linux",
    fedora: "util-linux",
    homebrew: "util-linux",
    is_there: || is_on_path("unshare"),
};

#[cfg(target_os = "linux")]
pub(super) const WRK: &Tool =
    &Tool { what: "`wrk`", debian: "wrk", fedora: "wrk", homebrew: "wrk", is_there: || is_on_path("wrk") };

const fn maven_library(what: &'static str, debian: &'static str, is_there: fn() -> bool) -> Tool {
    Tool { what, debian, fedora: "maven", homebrew: "maven", is_there }
}

// The search path goes first, because a person chose what is on it.
pub(super) fn postgres_folder() -> Option<PathBuf> {
    search_path()
        .chain(debian_folders())
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

// Debian installs it in a folder that is only on root's search path.
pub(super) fn nginx_program() -> Option<PathBuf> {
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
