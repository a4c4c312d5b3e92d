//! The packages of a release: a tarball, a Debian package, an RPM package and a container image, with their checksums,
//! the list of their components and a signature. The same program and commit give the same bytes in every folder.

mod archive;
mod authorities;
pub mod compile;
mod deb;
mod image;
mod installation;
mod program;
mod release;
mod rpm_package;
mod sbom;
mod signature;
mod sums;
mod tarball;
pub mod verify;

use std::fs;
use std::path::{Path, PathBuf};

use xtask::failure::{Attempt, Result};

pub use program::Program;
pub use release::Release;
pub use signature::sign;

/// The architecture of the packages, in the words of Rust, of RPM and of the tarball.
const ARCHITECTURE: &str = "x86_64";

/// The architecture in the words of Debian and of container images.
const DEBIAN_ARCHITECTURE: &str = "amd64";

/// What it is, in the words of the packages.
const SUMMARY: &str = "self-hosted package distribution service";

/// A file of the release.
struct Artifact {
    name: String,
    bytes: Vec<u8>,
}

/// Makes all packages of a program in a folder, which is emptied before. Returns their paths; the last one is that of the
/// checksums.
pub fn make(release: &Release, program: &Program, folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.exists() {
        fs::remove_dir_all(folder).attempt(format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).attempt(format!("cannot create {}", folder.display()))?;
    let mut artifacts = vec![
        tarball::make(release, program)?,
        deb::make(release, program)?,
        rpm_package::make(release, program)?,
        image::make(release, program)?,
        sbom::make(release)?,
    ];
    artifacts.push(sums::make(&artifacts));
    let mut paths = Vec::new();
    for artifact in artifacts {
        let path = folder.join(&artifact.name);
        fs::write(&path, &artifact.bytes).attempt(format!("cannot write {}", path.display()))?;
        paths.push(path);
    }
    Ok(paths)
}
