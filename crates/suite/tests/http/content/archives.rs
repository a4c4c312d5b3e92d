//! Archives for tests, valid and invalid ones.

use std::io::{Cursor, Write};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// The content of an archive: names and bytes.
pub(crate) type Entries<'a> = &'a [(&'a str, &'a str)];

/// Creates a zip archive; a name that ends in a slash is a folder.
pub(crate) fn zip(entries: Entries<'_>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in entries {
        if name.ends_with('/') {
            writer.add_directory(*name, options).expect("a folder is written");
            continue;
        }
        writer.start_file(*name, options).expect("an entry begins");
        writer.write_all(bytes.as_bytes()).expect("an entry is written");
    }
    writer.finish().expect("an archive ends").into_inner()
}

/// Creates a plain tar archive; a name that ends in a slash is a folder.
pub(crate) fn tar(entries: Entries<'_>) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        let kind = if name.ends_with('/') { tar::EntryType::Directory } else { tar::EntryType::Regular };
        builder.append(&header(name, bytes.len(), kind), bytes.as_bytes()).expect("an entry is written");
    }
    builder.into_inner().expect("an archive ends")
}

/// Creates a tar archive with one entry that points elsewhere.
pub(crate) fn tar_with_link(kind: tar::EntryType, name: &str, target: &str) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = header(name, 0, kind);
    header.set_link_name_literal(target).expect("a short target");
    header.set_cksum();
    builder.append(&header, b"".as_slice()).expect("an entry is written");
    builder.into_inner().expect("an archive ends")
}

/// Writes the name without checks: the checked method rejects the very names that a server must refuse.
fn header(name: &str, size: usize, kind: tar::EntryType) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(size as u64);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    header.set_cksum();
    header
}

/// Compresses as `.gz`.
pub(crate) fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Compresses as `.xz`.
pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Compresses as `.zst`.
pub(crate) fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("memory takes it")
}
