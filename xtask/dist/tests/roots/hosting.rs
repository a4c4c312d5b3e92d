//! packhouse hosts itself: apt, dnf and podman install its packages from a server that was installed itself.

use std::fs;
use std::process::Command;

use crate::deb;
use crate::image::Podman;
use crate::root::{Root, package, succeeds};
use crate::rpm;
use crate::server::{KEY, Server};

/// Creates a signed repository with a package `packhouse` in it, and uploads a file to it.
fn publish(server: &Server, kind: &str, file: &str, place: &str) {
    let repo = format!(r#"{{"type":"{kind}","gpg_sign_metadata":true,"gpg_use_owner_key":true}}"#);
    server.call(&["-d", &repo], &format!("/api/repos/admin/{kind}"));
    server.call(&["-d", r#"{"name":"packhouse"}"#], &format!("/api/packages/admin/{kind}"));
    server.call(&["-X", "POST"], "/api/users/admin/keys/gpg/generate");
    let path = package(file);
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let content = format!("/api/content/admin/{kind}/packhouse/{}/{name}{place}", version());
    server.call(&["-T", &path.display().to_string()], &content);
}

/// Downloads a file of an index, which a job builds after the publish.
fn index(server: &Server, path: &str) -> String {
    server.call(&["--retry", "60", "--retry-delay", "1", "--retry-all-errors", "--silent"], path)
}

fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[test]
fn apt_installs_packhouse_from_packhouse() {
    let (_root, server) = deb::start();
    publish(&server, "debian", ".deb", ";deb_distribution=stable;deb_component=main;publish=1");
    let root = Root::debian();
    index(&server, "/dl/admin/debian/dists/stable/InRelease");
    root.write("/etc/apt/keyrings/packhouse.asc", index(&server, "/dl/admin/debian/admin.asc"));
    let source =
        format!("deb [signed-by=/etc/apt/keyrings/packhouse.asc] {}/dl/admin/debian stable main\n", server.url);
    fs::remove_file(root.path("/etc/apt/sources.list")).expect("Debian's own sources");
    root.write("/etc/apt/sources.list.d/packhouse.list", source);
    succeeds(&mut root.command(&["apt-get", "update"]));
    succeeds(&mut root.command(&["apt-get", "install", "--yes", "--no-install-recommends", "packhouse"]));
    deb::is_installed(&root);
}

#[test]
fn dnf_installs_packhouse_from_packhouse() {
    let (_root, server) = deb::start();
    publish(&server, "rpm", ".rpm", "?publish=1");
    let root = rpm::root();
    index(&server, "/dl/admin/rpm/repodata/repomd.xml");
    root.write("/tmp/packhouse.asc", index(&server, "/dl/admin/rpm/repodata/repomd.xml.key"));
    let repo = format!(
        "[packhouse]\nname=packhouse\nbaseurl={}/dl/admin/rpm\ngpgcheck=0\nrepo_gpgcheck=1\ngpgkey=file://{}\n\
         proxy=_none_\n",
        server.url,
        root.path("/tmp/packhouse.asc").display()
    );
    root.write("/tmp/repos/packhouse.repo", repo);
    root.write("/tmp/dnf.conf", "[main]\nplugins=0\nretries=1\n");
    let folder = |option: &str, path: &str| {
        fs::create_dir_all(root.path(path)).expect("a folder");
        format!("--setopt={option}={}", root.path(path).display())
    };
    let mut dnf = Command::new("dnf");
    dnf.arg(format!("--config={}", root.path("/tmp/dnf.conf").display()));
    dnf.arg(format!("--installroot={}", root.path("").display()));
    dnf.args([folder("reposdir", "/tmp/repos"), folder("cachedir", "/tmp/cache"), folder("logdir", "/tmp/log")]);
    dnf.arg(folder("persistdir", "/tmp/persist"));
    succeeds(dnf.args(["--releasever=1", "--forcearch=x86_64", "--assumeyes", "install", "packhouse"]));
    deb::is_installed(&root);
}

#[test]
fn podman_runs_packhouse_from_packhouse() {
    let (_root, server) = deb::start();
    server.call(&["-d", r#"{"type":"docker"}"#], "/api/repos/admin/images");
    let name = format!("docker://{}/admin/images/packhouse:{}", server.host(), version());
    let archive = format!("oci-archive:{}", package("-oci.tar").display());
    let mut skopeo = Command::new("skopeo");
    skopeo.args(["--insecure-policy", "copy", "--dest-tls-verify=false", "--dest-creds", &format!("admin:{KEY}")]);
    succeeds(skopeo.args(["--preserve-digests", &archive, &name]));
    let podman = Podman::new();
    let pulled = podman.run(&["pull", "--quiet", "--tls-verify=false", &name]);
    podman.works(pulled.lines().last().expect("an id"));
}
