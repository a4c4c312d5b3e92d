//! The Debian package, in a small Debian.

use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::root::{Root, package, succeeds};
use crate::server::Server;

const SETTINGS: &str = "/etc/packhouse/packhouse.toml";

/// Installs the package, and starts its program as its own user.
pub(crate) fn start() -> (Root, Server) {
    let root = installed();
    let server = serve(&root);
    (root, server)
}

fn installed() -> Root {
    let root = Root::debian();
    let file = root.copy(&package(".deb"));
    succeeds(&mut root.command(&["dpkg", "--install", &file]));
    root
}

fn serve(root: &Root) -> Server {
    let serve = ["/usr/bin/packhouse", "serve", "--config", SETTINGS];
    Server::start(root.command_as(root.user("packhouse"), &serve))
}

#[test]
fn dpkg_installs_it_and_it_starts_as_its_own_user() {
    let root = installed();
    is_installed(&root);
    assert!(succeeds(&mut root.command(&["dpkg", "--verify", "packhouse"])).is_empty());
}

#[test]
fn dpkg_leaves_changed_settings_and_the_data() {
    let root = installed();
    root.write(SETTINGS, "data = \"/var/lib/packhouse\"\n");
    root.write("/var/lib/packhouse/mine", "mine");
    let file = root.copy(&package(".deb"));
    succeeds(&mut root.command(&["dpkg", "--install", &file]));
    let settings = fs::read_to_string(root.path(SETTINGS)).expect("settings");
    assert_eq!(settings, "data = \"/var/lib/packhouse\"\n");
    succeeds(&mut root.command(&["dpkg", "--purge", "packhouse"]));
    assert!(!root.path("/usr/bin/packhouse").exists() && !root.path(SETTINGS).exists());
    assert!(root.path("/var/lib/packhouse/mine").is_file());
}

/// Asserts that the package is installed in a root, and that it works.
pub(crate) fn is_installed(root: &Root) {
    let user = root.user("packhouse");
    let data = root.path("/var/lib/packhouse").metadata().expect("a data folder");
    assert_eq!((data.uid(), data.mode() & 0o777), (user, 0o700));
    for file in [
        "/usr/lib/systemd/system/packhouse.service",
        "/usr/share/man/man1/packhouse-serve.1.gz",
        "/usr/share/bash-completion/completions/packhouse",
    ] {
        assert!(root.path(file).is_file(), "{file} is missing");
    }
    let unit = fs::read_to_string(root.path("/usr/lib/systemd/system/packhouse.service")).expect("a unit");
    assert!(unit.contains("ExecStart=/usr/bin/packhouse serve --config /etc/packhouse/packhouse.toml"), "{unit}");
    serve(root).publishes_and_serves();
}
