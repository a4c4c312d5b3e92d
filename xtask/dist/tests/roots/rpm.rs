//! The RPM package. The root is a small Debian; a package says what of it RPM may rely on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::deb;
use crate::root::{Root, package, succeeds};

/// What an RPM system has of its own, and Debian has from other packages.
const BASE: &str = "Name: base\nVersion: 1\nRelease: 1\nSummary: The files of the root\nLicense: MIT\nBuildArch: noarch\n\
    Provides: /bin/sh\nProvides: /usr/sbin/useradd\n%description\nThe files of the root\n%files\n";

/// A root with a database of RPM.
pub(crate) fn root() -> Root {
    let root = Root::debian();
    let base = base(&root.path("/tmp"));
    rpm(&root, &["--install", &base.display().to_string()]);
    root
}

fn base(folder: &Path) -> PathBuf {
    fs::write(folder.join("base.spec"), BASE).expect("written");
    let top = format!("_topdir {}", folder.join("top").display());
    let mut build = Command::new("rpmbuild");
    succeeds(build.args(["-bb", "--define", &top]).arg(folder.join("base.spec")).current_dir(folder));
    folder.join("top/RPMS/noarch/base-1-1.noarch.rpm")
}

fn rpm(root: &Root, arguments: &[&str]) -> String {
    succeeds(Command::new("rpm").arg("--root").arg(root.path("")).args(arguments))
}

#[test]
fn rpm_installs_it_and_it_starts_as_its_own_user() {
    let root = root();
    let file = package(".rpm").display().to_string();
    rpm(&root, &["--install", &file]);
    deb::is_installed(&root);
    let settings = rpm(&root, &["--query", "--configfiles", "packhouse"]);
    assert_eq!(settings.trim(), "/etc/packhouse/packhouse.toml");
    rpm(&root, &["--erase", "packhouse"]);
    assert!(!root.path("/usr/bin/packhouse").exists());
    assert!(root.path("/var/lib/packhouse/packhouse.db").is_file());
}
