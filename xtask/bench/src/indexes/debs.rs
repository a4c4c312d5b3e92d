//! Small Debian packages.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use xtask::failure::{Attempt, Result};

/// The file name of a package.
pub(crate) fn file_name(number: u64) -> String {
    format!("bench-{number:06}_1.0-1_amd64.deb")
}

/// The bytes of a package.
pub(crate) fn deb(number: u64) -> Result<Vec<u8>> {
    let control = format!(
        "Package: bench-{number:06}\nVersion: 1.0-1\nArchitecture: amd64\nMaintainer: Bench <b@example.invalid>\n\
         Installed-Size: 1\nSection: misc\nPriority: optional\nDepends: libc6 (>= 2.36)\n\
         Description: bench package {number}\n A tiny package made for measuring.\n"
    );
    let control = tar_gz(&[("./control".to_owned(), control.into_bytes())])?;
    let document = format!("./usr/share/doc/bench-{number:06}/x");
    let data = tar_gz(&[(document, number.to_string().into_bytes())])?;
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in [("debian-binary", &b"2.0\n"[..]), ("control.tar.gz", &control), ("data.tar.gz", &data)] {
        writeln!(bytes, "{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, 0, 100_644, content.len())
            .attempt("cannot write a package")?;
        bytes.extend_from_slice(content);
        if content.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    Ok(bytes)
}

/// A tar.gz of these files.
pub(crate) fn tar_gz(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, &content[..]).attempt("cannot write an archive")?;
    }
    archive.into_inner().and_then(GzEncoder::finish).attempt("cannot write an archive")
}
