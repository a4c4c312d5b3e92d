//! The tarball, in a root with nothing else.

use std::process::Command;

use crate::root::{Root, package, succeeds};
use crate::server::Server;

/// Unpacks the tarball in an empty root, and starts its program as a user without a name.
pub(crate) fn start() -> (Root, Server) {
    let root = Root::empty();
    let mut tar = Command::new("tar");
    tar.args(["-xzf"]).arg(package("-linux.tar.gz")).args(["--strip-components=1", "-C"]).arg(root.path(""));
    succeeds(&mut tar);
    std::fs::create_dir(root.path("data")).expect("a folder");
    succeeds(Command::new("chown").arg("10001:10001").arg(root.path("data")));
    let server = Server::start(root.command_as(10_001, &["/packhouse", "serve", "--data", "/data"]));
    (root, server)
}

#[test]
fn the_tarball_needs_nothing_else() {
    let (root, server) = start();
    server.publishes_and_serves();
    for file in ["LICENSE", "README.md", "man/man1/packhouse-serve.1", "completions/packhouse.bash"] {
        assert!(root.path(file).is_file(), "{file} is missing");
    }
    succeeds(&mut root.command(&["/packhouse", "config", "check", "--config", "/packhouse.toml"]));
}

#[test]
fn the_program_is_static_and_position_independent() {
    let root = Root::empty();
    let mut tar = Command::new("tar");
    tar.args(["-xzf"]).arg(package("-linux.tar.gz")).args(["--strip-components=1", "-C"]).arg(root.path(""));
    succeeds(&mut tar);
    dist::compile::check(&root.path("packhouse")).unwrap_or_else(|failure| panic!("{failure}"));
}
