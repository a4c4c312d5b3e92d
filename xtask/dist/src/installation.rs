//! The files that the Debian package and the RPM package install.

use xtask::failure::{Attempt, Result};

use crate::archive::gzip;
use crate::{Program, Release};

/// The settings file, which an update leaves as it is.
pub(crate) const SETTINGS: &str = "etc/packhouse/packhouse.toml";

/// The folder of what the server stores.
pub(crate) const DATA: &str = "var/lib/packhouse";

/// The settings of an installation.
pub(crate) const SETTINGS_TEXT: &[u8] = include_bytes!("../files/packhouse.toml");

/// The licence of the C library in the program, and where to get its sources.
pub(crate) const LIBRARY_LICENCE: (&str, &[u8]) = ("LICENSE.glibc", include_bytes!("../files/LICENSE.glibc"));

/// The documents that come along.
pub(crate) const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "docs/operating.md", "docs/settings.md"];

/// The system of a package, where it differs.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum System {
    Debian,
    Rpm,
}

/// A file to install.
pub(crate) struct Installed {
    /// The path without a slash at its beginning.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_program: bool,
}

/// Returns all files, in order.
pub(crate) fn files(release: &Release, program: &Program, system: System) -> Result<Vec<Installed>> {
    let mut files = Vec::new();
    let mut add = |path: String, bytes: Vec<u8>| files.push(Installed { path, bytes, is_program: false });
    add(SETTINGS.to_owned(), SETTINGS_TEXT.to_vec());
    add("usr/lib/systemd/system/packhouse.service".to_owned(), unit(release)?);
    for (name, text) in &program.pages {
        add(format!("usr/share/man/man1/{name}.gz"), gzip(release, text)?);
    }
    add("usr/share/bash-completion/completions/packhouse".to_owned(), program.completions("bash").to_vec());
    add("usr/share/fish/vendor_completions.d/packhouse.fish".to_owned(), program.completions("fish").to_vec());
    let (zsh, licence) = match system {
        System::Debian => ("vendor-completions", "usr/share/doc/packhouse/copyright"),
        System::Rpm => ("site-functions", "usr/share/licenses/packhouse/LICENSE"),
    };
    add(format!("usr/share/zsh/{zsh}/_packhouse"), program.completions("zsh").to_vec());
    add(licence.to_owned(), release.read("LICENSE")?);
    add(format!("usr/share/doc/packhouse/{}", LIBRARY_LICENCE.0), LIBRARY_LICENCE.1.to_vec());
    for document in DOCUMENTS {
        let name = document.rsplit('/').next().expect("a name");
        add(format!("usr/share/doc/packhouse/{name}"), release.read(document)?);
    }
    files.push(Installed { path: "usr/bin/packhouse".to_owned(), bytes: program.bytes.clone(), is_program: true });
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

/// Returns the unit for a program of the system instead of the machine's administrator.
fn unit(release: &Release) -> Result<Vec<u8>> {
    let text = String::from_utf8(release.read("deploy/systemd/packhouse.service")?).attempt("the unit is no text")?;
    let lines = text.lines().skip_while(|line| line.starts_with('#') || line.is_empty());
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    Ok(text.replace("/usr/local/", "/usr/").into_bytes())
}
