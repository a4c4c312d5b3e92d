//! Containers of packages for tests.

use std::io::Write;

use lzma_rust2::{XzOptions, XzWriter};
use tar::{Builder, EntryType, Header};

use super::{samples::gzip, unpack::Packing};

/// Compresses bytes.
pub(crate) fn pack(bytes: &[u8], packing: Packing) -> Vec<u8> {
    match packing {
        Packing::Plain => bytes.to_vec(),
        Packing::Gzip => gzip(bytes),
        Packing::Zstd => zstd::encode_all(bytes, 3).expect("memory"),
        Packing::Xz => {
            let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).expect("options");
            writer.write_all(bytes).expect("memory");
            writer.finish().expect("memory")
        }
        Packing::Bzip2 => {
            let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            writer.write_all(bytes).expect("memory");
            writer.finish().expect("memory")
        }
    }
}

/// A tar of these files; names that end with `/` are folders.
pub(crate) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    for (name, bytes) in files {
        let entry_type = if name.ends_with('/') { EntryType::Directory } else { EntryType::Regular };
        append(&mut archive, name, entry_type, bytes);
    }
    archive.into_inner().expect("memory")
}

/// A tar of these files and, at its end, one more entry of another type.
pub(crate) fn tar_with(files: &[(&str, &[u8])], name: &str, entry_type: EntryType) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    for (name, bytes) in files {
        append(&mut archive, name, EntryType::Regular, bytes);
    }
    append(&mut archive, name, entry_type, b"");
    archive.into_inner().expect("memory")
}

fn append(archive: &mut Builder<Vec<u8>>, name: &str, entry_type: EntryType, bytes: &[u8]) {
    let mut header = Header::new_gnu();
    header.as_gnu_mut().expect("a GNU header").name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(entry_type);
    header.set_mode(0o644);
    header.set_size(bytes.len() as u64);
    header.set_cksum();
    archive.append(&header, bytes).expect("memory");
}

/// An `ar` archive of these members.
pub(crate) fn ar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        writeln!(archive, "{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, 0, 100_644, bytes.len()).expect("memory");
        archive.extend_from_slice(bytes);
        if bytes.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}
