//! Builds the static program: the system's C library is in it, so that it runs on every Linux.
//!
//! Rust's own linker makes it small. Paths of the folders are replaced.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::cargo;
use xtask::failure::{Attempt, Failure, Result};

/// What the program is built for. It is named even where it is the system of the build, because programs that run
/// during the build are not static.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The profile of what is shipped.
const PROFILE: &str = "dist";

/// With the C library in it, and small: the linker writes relative addresses in short form, and functions with the same
/// instructions once.
const STATIC: &str = "-C target-feature=+crt-static -C link-arg=-Wl,--pack-dyn-relocs=relr,--icf=all";

/// Random numbers come from the call of the C library. `getrandom` would look it up by its name, find none in a static
/// program, and then read files that an empty root does not have.
const RANDOM: &str = "--cfg getrandom_backend=\"linux_getrandom\"";

/// Builds the program from sources into a folder, and returns its path.
pub fn build(sources: &Path, target: &Path) -> Result<PathBuf> {
    ensure_library()?;
    let mut build = cargo::command("build");
    build
        .current_dir(sources)
        .args(["--locked", "--package", "packhouse", "--profile", PROFILE, "--target", TARGET])
        .env("CARGO_TARGET_DIR", target)
        .env("CFLAGS_x86_64_unknown_linux_gnu", replacements("-ffile-prefix-map", sources, target)?)
        .env(
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
            format!("{} {STATIC} {RANDOM}", replacements("--remap-path-prefix", sources, target)?),
        );
    if !build.status().attempt("cannot start cargo")?.success() {
        return Err(Failure::new("the build failed, see above"));
    }
    Ok(target.join(TARGET).join(PROFILE).join("packhouse"))
}

/// Returns the flags that replace the folders of this machine. Of several that fit, the last one counts.
fn replacements(flag: &str, sources: &Path, target: &Path) -> Result<String> {
    let home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => std::env::home_dir().ok_or_else(|| Failure::new("the home folder is unknown"))?.join(".cargo"),
    };
    let folders = [(sources, "/packhouse"), (target, "/target"), (&home, "/cargo")];
    Ok(folders.map(|(folder, name)| format!("{flag}={}={name}", folder.display())).join(" "))
}

/// Checks that the C library is there as an archive.
fn ensure_library() -> Result<()> {
    let compiler = Command::new("cc").arg("-print-file-name=libc.a").stdin(Stdio::null()).output();
    let path = compiler.attempt("cannot start `cc`; install a C compiler")?.stdout;
    // The compiler prints a path, or the name as it is if nothing has it.
    if Path::new(String::from_utf8_lossy(&path).trim()).is_absolute() {
        return Ok(());
    }
    Err(Failure::new("`libc.a` is missing; install libc6-dev on Debian, or glibc-static on Fedora"))
}

/// Fails unless a program is static, position-independent and without symbols.
pub fn check(program: &Path) -> Result<()> {
    let mut command = Command::new("readelf");
    command.args(["--file-header", "--dynamic", "--sections", "--wide"]).arg(program).stdin(Stdio::null());
    let read = command.output().attempt("cannot start `readelf`; install binutils")?;
    let text = String::from_utf8_lossy(&read.stdout);
    let told = ["Type:", "(NEEDED)", ".symtab"];
    let facts: Vec<&str> = text.lines().filter(|line| told.iter().any(|word| line.contains(word))).collect();
    match facts.as_slice() {
        [kind] if kind.contains("DYN") => Ok(()),
        _ => Err(Failure::new(format!("{} is not a stripped static-pie: {}", program.display(), facts.join("; ")))),
    }
}
