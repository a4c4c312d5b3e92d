//! Archives and packages that tests publish.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

/// A tar of these files.
pub fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // R reads no file without it.
        header.set_entry_type(tar::EntryType::Regular);
        archive.append_data(&mut header, path, *content).expect("memory takes everything");
    }
    archive.into_inner().expect("memory takes everything")
}

/// A tar.gz of these files.
pub fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&tar_of(files)).expect("memory takes everything");
    packed.finish().expect("memory takes everything")
}

/// A package for Debian and for opkg: an `ar` of three members.
pub fn deb(name: &str, version: &str, architecture: &str) -> Vec<u8> {
    let control = format!(
        "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: Ada <ada@example.com>\n\
         Description: {name} of ada\n"
    );
    deb_with(&control, &[])
}

/// A package with this control file and these files.
pub fn deb_with(control: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let control = tar_gz(&[("./control", control.as_bytes())]);
    let data = tar_gz(files);
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
