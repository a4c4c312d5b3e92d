//! The tarball, in a root with nothing else.

use std::fs;
use std::process::Command;

use crate::root::{Root, package, succeeds};
use crate::server::{KEY, Server};

/// Unpacks the tarball in an empty root.
fn unpacked() -> Root {
    let root = Root::empty();
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(package("-linux.tar.gz")).args(["--strip-components=1", "-C"]).arg(root.path(""));
    succeeds(&mut tar);
    root
}

#[test]
fn the_tarball_needs_nothing_else() {
    let root = unpacked();
    fs::create_dir(root.path("data")).expect("a folder");
    succeeds(Command::new("chown").arg("10001:10001").arg(root.path("data")));
    // A user without a name. Nothing but the data folder can be written, as in the image.
    let mut serve = root.command_as(10_001, &["/packhouse", "serve", "--data", "/data"]);
    serve.env("SQLITE_TMPDIR", "/data");
    let server = Server::start(serve);
    server.publishes_and_serves();
    for file in ["LICENSE", "README.md", "man/man1/packhouse-serve.1", "completions/packhouse.bash"] {
        assert!(root.path(file).is_file(), "{file} is missing");
    }
    succeeds(&mut root.command(&["/packhouse", "config", "check", "--config", "/packhouse.toml"]));
}

#[test]
fn names_are_looked_up_without_libraries_of_the_system() {
    let root = unpacked();
    // A source that does not exist: a program that asks it finds nothing.
    root.write("etc/nsswitch.conf", "hosts: absent\n");
    root.write("etc/hosts", "127.0.0.1 localhost packhouse.example\n");
    // The client wants certificate authorities, even where it does not need them.
    root.write("etc/ssl/certs/ca-certificates.crt", fs::read("/etc/ssl/certs/ca-certificates.crt").expect("readable"));
    let server = Server::start(root.command(&["/packhouse", "serve", "--data", "/data"]));
    for host in ["localhost", "packhouse.example"] {
        let url = server.url.replace("127.0.0.1", host);
        let shown = succeeds(
            root.command(&["/packhouse", "whoami", "--url", &url])
                .env("PACKHOUSE_USER", "admin")
                .env("PACKHOUSE_API_KEY", KEY),
        );
        assert!(shown.contains("admin"), "{shown}");
    }
}

#[test]
fn the_program_is_static_and_position_independent() {
    let root = unpacked();
    dist::compile::check(&root.path("packhouse")).unwrap_or_else(|failure| panic!("{failure}"));
}
