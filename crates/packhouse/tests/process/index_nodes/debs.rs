//! Small Debian packages.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use crate::tools::tar;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).expect("memory takes everything");
    packed.finish().expect("memory takes everything")
}

/// A package with this name: an `ar` of three members.
pub(super) fn deb(name: &str) -> Vec<u8> {
    let control = format!(
        "Package: {name}\nVersion: 1\nArchitecture: amd64\nMaintainer: Ada <ada@example.com>\nDescription: {name}\n"
    );
    let (control, data) = (gzip(&tar(&[("./control", &control)])), gzip(&tar(&[])));
    let mut bytes = b"!<arch>\n".to_vec();
    for (member, content) in [("debian-binary", &b"2.0\n"[..]), ("control.tar.gz", &control), ("data.tar.gz", &data)] {
        writeln!(bytes, "{member:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, 0, 100_644, content.len()).expect("memory");
        bytes.extend_from_slice(content);
        if content.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}
