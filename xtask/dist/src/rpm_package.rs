//! The RPM package.

use rpm::{BuildConfig, CompressionWithLevel, Dependency, FileOptions, PackageBuilder};
use xtask::failure::{Attempt, Result};

use crate::installation::{self, DATA, Installed, SETTINGS, System};
use crate::{ARCHITECTURE, Artifact, Program, Release, SUMMARY};

/// The release of the package; a new version of the program begins at 1.
const RELEASE: &str = "1";

/// How hard to compress: close to the best, in a tenth of its time.
const LEVEL: i32 = 12;

/// The level of tests.
const QUICK_LEVEL: i32 = 1;

/// Makes `packhouse-VERSION-1.ARCHITECTURE.rpm`.
pub(crate) fn make(release: &Release, program: &Program) -> Result<Artifact> {
    let level = if release.is_quick { QUICK_LEVEL } else { LEVEL };
    let mut builder = PackageBuilder::new("packhouse", &release.version, "Apache-2.0", ARCHITECTURE, SUMMARY);
    builder
        .using_config(BuildConfig::v4().source_date(release.epoch).compression(CompressionWithLevel::Zstd(level)))
        .release(RELEASE)
        .description(
            "packhouse stores packages of many formats, and serves them to their package managers. It runs on \
             SQLite and a folder, or on PostgreSQL and an S3-compatible store.",
        )
        // The name of the machine that made it would differ.
        .build_host("localhost")
        .requires(Dependency::script_pre("/usr/sbin/useradd"))
        .pre_install_script(include_str!("../files/rpm/pre"))
        .post_install_script(include_str!("../files/rpm/post"))
        .pre_uninstall_script(include_str!("../files/rpm/preun"));
    for file in installation::files(release, program, System::Rpm)? {
        let options = options(&file);
        builder.with_file_contents(file.bytes, options).attempt("cannot add a file to the RPM package")?;
    }
    let data = FileOptions::dir(format!("/{DATA}")).user("packhouse").group("packhouse").permissions(0o700);
    builder.with_dir_entry(data).attempt("cannot add a folder to the RPM package")?;
    let package = builder.build().attempt("cannot make the RPM package")?;
    let mut bytes = Vec::new();
    package.write(&mut bytes).attempt("cannot write the RPM package")?;
    Ok(Artifact { name: format!("packhouse-{}-{RELEASE}.{ARCHITECTURE}.rpm", release.version), bytes })
}

fn options(file: &Installed) -> rpm::FileOptionsBuilder {
    let options = FileOptions::new(format!("/{}", file.path)).permissions(if file.is_program { 0o755 } else { 0o644 });
    match file.path.as_str() {
        SETTINGS => options.config().noreplace(),
        path if path.starts_with("usr/share/doc/") || path.starts_with("usr/share/man/") => options.doc(),
        path if path.starts_with("usr/share/licenses/") => options.license(),
        _ => options,
    }
}
