//! Archives for tests.

use std::io::{Cursor, Write};

use flate2::{Compression, write::GzEncoder};
use zip::{ZipWriter, write::SimpleFileOptions};

/// Compresses bytes.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A tar.gz of these files.
pub(crate) fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        append(&mut archive, name, tar::EntryType::Regular, bytes);
    }
    gzip(&archive.into_inner().expect("memory"))
}

/// A tar.gz of these files and, at its end, one more entry of another type.
pub(crate) fn tar_gz_with(files: &[(&str, &[u8])], name: &str, entry_type: tar::EntryType) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        append(&mut archive, name, tar::EntryType::Regular, bytes);
    }
    append(&mut archive, name, entry_type, b"");
    gzip(&archive.into_inner().expect("memory"))
}

fn append(archive: &mut tar::Builder<Vec<u8>>, name: &str, entry_type: tar::EntryType, bytes: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.as_gnu_mut().expect("a GNU header").name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(entry_type);
    header.set_mode(0o644);
    header.set_size(bytes.len() as u64);
    header.set_cksum();
    archive.append(&header, bytes).expect("memory");
}

/// A zip of these files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).expect("memory");
        archive.write_all(bytes).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}
