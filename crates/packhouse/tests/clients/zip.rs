//! Zips of packages.

use flate2::Crc;

/// Makes a zip of these texts, which are not compressed.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let files: Vec<_> = files.iter().map(|(name, content)| (*name, content.as_bytes())).collect();
    zip_of_bytes(&files)
}

/// Makes a zip of these files, which are not compressed.
pub(crate) fn zip_of_bytes(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let start = u32::try_from(bytes.len()).expect("a small zip");
        let about = about(name, content);
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&about);
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(content);
        // Made by: version 2.0 on Unix. No comment, the first disk, a text file that everyone may read.
        directory.extend_from_slice(b"PK\x01\x02\x14\x03");
        directory.extend_from_slice(&about);
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(0o100_644_u32 << 16).to_le_bytes());
        directory.extend_from_slice(&start.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let [count, size, start] = [files.len(), directory.len(), bytes.len()].map(|n| u32::try_from(n).expect("small"));
    bytes.extend_from_slice(&directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend_from_slice(&[&count.to_le_bytes()[..2], &count.to_le_bytes()[..2]].concat());
    bytes.extend_from_slice(&[size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend_from_slice(&[0; 2]);
    bytes
}

/// What both heads of a file say: version 2.0, no flags, stored, the first day of 1980, checksum, sizes and lengths.
fn about(name: &str, content: &[u8]) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(content);
    let size = u32::try_from(content.len()).expect("a small file").to_le_bytes();
    let name_bytes = u16::try_from(name.len()).expect("a short name").to_le_bytes();
    let fixed = [0x14, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    [&fixed[..], &sum.sum().to_le_bytes(), &size, &size, &name_bytes, &[0; 2]].concat()
}
