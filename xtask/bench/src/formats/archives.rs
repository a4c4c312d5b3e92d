//! Makes the smallest valid packages.

use std::io::{Cursor, Write};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::GzEncoder};
use sha1::Sha1;
use sha2::{Digest, Sha512};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use xtask::failure::{Attempt, Result};

/// Returns a compressed tar archive with these files.
pub(crate) fn tarball(files: &[(&str, &[u8])]) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(&mut header, path, *content).attempt("cannot write an archive")?;
    }
    archive.into_inner().and_then(GzEncoder::finish).attempt("cannot write an archive")
}

/// Returns a wheel without code.
pub(crate) fn wheel(name: &str, version: &str) -> Result<Vec<u8>> {
    let folder = format!("{name}-{version}.dist-info");
    let files = [
        ("METADATA", format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Python: >=3.8\n")),
        ("WHEEL", "Wheel-Version: 1.0\nGenerator: benchmark\nRoot-Is-Purelib: true\nTag: py3-none-any\n".to_owned()),
        ("RECORD", String::new()),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (file, content) in files {
        archive.start_file(format!("{folder}/{file}"), options).attempt("cannot write a wheel")?;
        archive.write_all(content.as_bytes()).attempt("cannot write a wheel")?;
    }
    Ok(archive.finish().attempt("cannot write a wheel")?.into_inner())
}

/// Returns the integrity of a file in npm's notation.
pub(crate) fn integrity(bytes: &[u8]) -> String {
    format!("sha512-{}", BASE64_STANDARD.encode(Sha512::digest(bytes)))
}

/// Returns the SHA-1 of a file.
pub(crate) fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
