//! Debian packages for tests.

use crate::readers::{
    container_samples::{ar, pack, tar},
    unpack::Packing,
};

/// A control file.
pub(crate) const CONTROL: &str = "Package: hello\nVersion: 1:2.10-3\nArchitecture: amd64\n\
    Maintainer: Acme <pkg@acme.example>\nInstalled-Size: 12\nDepends: libc6 (>= 2.36)\n\
    Description: greets\n A long text.\n .\n More.\n";

/// A package with this control file.
pub(crate) fn deb(control: &str, packing: Packing) -> Vec<u8> {
    let extension = match packing {
        Packing::Plain => "",
        Packing::Gzip => ".gz",
        Packing::Xz => ".xz",
        Packing::Zstd => ".zst",
        Packing::Bzip2 => ".bz2",
    };
    let control = pack(&tar(&[("./", b""), ("./control", control.as_bytes()), ("./md5sums", b"")]), packing);
    let name = format!("control.tar{extension}");
    ar(&[("debian-binary", b"2.0\n"), (&name, &control), ("data.tar.xz", b"not looked at")])
}

/// A package with this control file and these data.
pub(crate) fn deb_with(control: &str, data: &[u8]) -> Vec<u8> {
    let control = tar(&[("./control", control.as_bytes())]);
    ar(&[("debian-binary", b"2.0\n"), ("control.tar", &control), ("data.tar", data)])
}
