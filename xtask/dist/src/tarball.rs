//! The tarball: the program for any Linux, and files to install by hand.

use xtask::failure::Result;

use crate::archive::{Entry, gzip, tar};
use crate::installation::{DOCUMENTS, LIBRARY_LICENCE, SETTINGS_TEXT};
use crate::{ARCHITECTURE, Artifact, Program, Release};

/// The files of the sources that are copied besides the documents.
const COPIED: [&str; 4] =
    ["LICENSE", "deploy/systemd/packhouse.service", "deploy/systemd/low-port.conf", "deploy/systemd/cluster.conf"];

/// Makes `packhouse-VERSION-ARCHITECTURE-linux.tar.gz`, with one folder in it.
pub(crate) fn make(release: &Release, program: &Program) -> Result<Artifact> {
    let name = format!("packhouse-{}-{ARCHITECTURE}-linux", release.version);
    let mut entries = vec![
        Entry::program("packhouse", program.bytes.clone()),
        Entry::file("packhouse.toml", SETTINGS_TEXT),
        Entry::file(LIBRARY_LICENCE.0, LIBRARY_LICENCE.1),
        Entry::file("completions/packhouse.bash", program.completions("bash")),
        Entry::file("completions/_packhouse", program.completions("zsh")),
        Entry::file("completions/packhouse.fish", program.completions("fish")),
    ];
    for path in DOCUMENTS.into_iter().chain(COPIED) {
        entries.push(Entry::file(path, release.read(path)?));
    }
    entries.extend(program.pages.iter().map(|(name, text)| Entry::file(format!("man/man1/{name}"), text.as_slice())));
    let bytes = gzip(release, &tar(release, &format!("{name}/"), entries)?)?;
    Ok(Artifact { name: format!("{name}.tar.gz"), bytes })
}
