//! Small packages of several formats, made in memory.

use std::io::{self, Write};

use flate2::{Compression, Crc, write::GzEncoder};

/// A file in an archive: its path and its text.
pub(super) type Entry = (String, String);

/// Makes a text that does not compress well, the same for the same seed: it stands for a program.
pub(super) fn filler(seed: &str, length: usize) -> String {
    let mut state = seed.bytes().fold(0x9E37_79B9_7F4A_7C15_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(31));
    let letter = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(LETTERS[usize::try_from(state >> 58).unwrap_or_default()])
    };
    (0..length).map(letter).collect()
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

/// Makes a tar archive, compressed with gzip.
pub(super) fn tar_gz(entries: &[Entry]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (path, text) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, text.as_bytes())?;
    }
    archive.into_inner()?.finish()
}

/// Makes a package for Debian: an `ar` archive of three members.
pub(super) fn deb(name: &str, version: &str, description: &str) -> io::Result<Vec<u8>> {
    let control = format!(
        "Package: {name}\nVersion: {version}\nArchitecture: amd64\nMaintainer: Acme <packages@example.com>\n\
         Section: utils\nPriority: optional\nDescription: {description}\n"
    );
    let control = tar_gz(&[("./control".to_owned(), control)])?;
    let data = tar_gz(&[(format!("./usr/share/doc/{name}/README"), format!("{description}\n"))])?;
    let mut bytes = b"!<arch>\n".to_vec();
    for (member, content) in [("debian-binary", &b"2.0\n"[..]), ("control.tar.gz", &control), ("data.tar.gz", &data)] {
        writeln!(bytes, "{member:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, 0, 100_644, content.len())?;
        bytes.extend_from_slice(content);
        if content.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    Ok(bytes)
}

/// Makes a zip archive without compression.
pub(super) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in entries {
        let start = number(bytes.len());
        let head = head(name, text);
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&head);
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(text.as_bytes());
        // Made by version 2.0 on Unix; no comment, the first disk, a text file that everyone may read.
        directory.extend_from_slice(b"PK\x01\x02\x14\x03");
        directory.extend_from_slice(&head);
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(0o100_644_u32 << 16).to_le_bytes());
        directory.extend_from_slice(&start);
        directory.extend_from_slice(name.as_bytes());
    }
    let [count, size, start] = [entries.len(), directory.len(), bytes.len()].map(number);
    bytes.extend_from_slice(&directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend_from_slice(&[&count[..2], &count[..2]].concat());
    bytes.extend_from_slice(&[size, start].concat());
    bytes.extend_from_slice(&[0; 2]);
    bytes
}

/// What both heads of a file say: version 2.0, no flags, stored, the first day of 1980, checksum, sizes and lengths.
fn head(name: &str, text: &str) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(text.as_bytes());
    let size = number(text.len());
    let fixed = [0x14, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    [&fixed[..], &sum.sum().to_le_bytes(), &size, &size, &number(name.len())[..2], &[0; 2]].concat()
}

fn number(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}
