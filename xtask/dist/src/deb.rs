//! The Debian package: an `ar` archive of a version, the control files and the files to install.

use xtask::failure::Result;

use crate::archive::{Entry, gzip, tar};
use crate::installation::{self, SETTINGS, System};
use crate::{Artifact, DEBIAN_ARCHITECTURE, Program, Release, SUMMARY};

/// The scripts that dpkg runs.
const SCRIPTS: [(&str, &str); 3] = [
    ("postinst", include_str!("../files/deb/postinst")),
    ("prerm", include_str!("../files/deb/prerm")),
    ("postrm", include_str!("../files/deb/postrm")),
];

/// Makes `packhouse_VERSION_ARCHITECTURE.deb`.
pub(crate) fn make(release: &Release, program: &Program) -> Result<Artifact> {
    let files = installation::files(release, program, System::Debian)?;
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    let mut control = vec![
        Entry::file("control", control_text(release, size.div_ceil(1024))),
        Entry::file("conffiles", format!("/{SETTINGS}\n")),
    ];
    control.extend(SCRIPTS.map(|(name, text)| Entry::program(name, text)));
    let data = files.into_iter().map(|file| {
        if file.is_program { Entry::program(file.path, file.bytes) } else { Entry::file(file.path, file.bytes) }
    });
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(release, &tar(release, "./", control)?)?),
        ("data.tar.gz", gzip(release, &tar(release, "./", data.collect())?)?),
    ];
    let name = format!("packhouse_{}_{DEBIAN_ARCHITECTURE}.deb", release.version);
    Ok(Artifact { name, bytes: ar(release, &members) })
}

fn control_text(release: &Release, kibibytes: usize) -> String {
    format!(
        "Package: packhouse\nVersion: {}\nArchitecture: {DEBIAN_ARCHITECTURE}\nSection: net\nPriority: optional\n\
         Maintainer: The packhouse developers <packhouse@localhost>\nInstalled-Size: {kibibytes}\nDepends: adduser\n\
         Recommends: ca-certificates\nDescription: {SUMMARY}\n packhouse stores packages of many formats, and serves \
         them to their package managers.\n It runs on SQLite and a folder, or on PostgreSQL and an S3-compatible \
         store.\n",
        release.version
    )
}

/// Returns an archive of members. Each one begins at an even position.
fn ar(release: &Release, members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let head = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", release.epoch, 0, 0, "100644", bytes.len());
        archive.extend(head.into_bytes());
        archive.extend(bytes);
        if bytes.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}
