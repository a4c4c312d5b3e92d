//! Runs the server as tests do: as a process with a pipe to its standard input.

mod process;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

#[test]
fn it_serves_whoever_has_the_key_and_ends_with_its_parent() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("bucket")).unwrap();
    let (mut server, address) = process::start(root.path(), &[]);
    // A request without a signature is refused.
    assert!(get(&address, "/bucket/missing").starts_with("HTTP/1.1 403 "));
    drop(server.0.stdin.take());
    assert!(server.0.wait().unwrap().success());
}

#[test]
fn it_says_why_it_cannot_start() {
    let root = tempfile::tempdir().unwrap();
    let missing = root.path().join("missing");
    let mut command = process::command();
    // The end of its input would end it, too.
    command.arg("--root").arg(missing).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut reason = String::new();
    server.stderr.take().unwrap().read_to_string(&mut reason).unwrap();
    assert!(reason.starts_with("error: cannot serve `"), "{reason}");
    assert!(!server.wait().unwrap().success());
}

fn get(address: &str, path: &str) -> String {
    let mut connection = TcpStream::connect(address).expect("the server listens");
    write!(connection, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("it answers");
    answer
}
