//! conda packages for tests.

use std::io::{Cursor, Write};

use ::zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::readers::{
    container_samples::{pack, tar},
    unpack::Packing,
};

/// An index.json.
pub(crate) const INDEX: &str = r#"{"name":"hello","version":"1.0","build":"h123_0","build_number":0,
    "depends":["python >=3.9"],"license":"MIT","subdir":"linux-64","timestamp":1763287200000}"#;

/// A .conda whose info member is this tar.
pub(crate) fn conda_of(info: &[u8], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    let members: [(&str, &[u8]); 3] = [
        ("metadata.json", br#"{"conda_pkg_format_version": 2}"#),
        ("pkg-hello-1.0-h123_0.tar.zst", b"not looked at, not looked at, not looked at"),
        ("info-hello-1.0-h123_0.tar.zst", info),
    ];
    for (name, bytes) in members {
        archive.start_file(name, options).expect("memory");
        archive.write_all(bytes).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// A .conda with this index.json.
pub(crate) fn conda(index: &str) -> Vec<u8> {
    let info = tar(&[("info/about.json", b"{}"), ("info/index.json", index.as_bytes())]);
    conda_of(&pack(&info, Packing::Zstd), CompressionMethod::Stored)
}

/// A .tar.bz2 of these files.
pub(crate) fn tar_bz2(files: &[(&str, &[u8])]) -> Vec<u8> {
    pack(&tar(files), Packing::Bzip2)
}
