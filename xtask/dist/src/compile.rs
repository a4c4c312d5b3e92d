//! Builds the static program: musl instead of the system's C library, so that it runs on every Linux.
//!
//! Rust's own linker and the C compiler of a pinned zig do it. Nothing of the machine gets into the program, and paths
//! of the folders are replaced.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::cargo;
use xtask::failure::{Attempt, Failure, Result};
use xtask::{clients, tools};

/// What the program is built for.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// The same in the words of zig.
const ZIG_TARGET: &str = "x86_64-linux-musl";

/// The profile of what is shipped.
const PROFILE: &str = "dist";

/// The linker writes relative addresses in short form, and functions with the same instructions once.
const SMALL: &str = "-C link-arg=--pack-dyn-relocs=relr -C link-arg=--icf=all";

/// Builds the program from sources into a folder, and returns its path.
pub fn build(sources: &Path, target: &Path) -> Result<PathBuf> {
    ensure_target()?;
    let compiler = ensure_compiler()?;
    let flags = format!("{} {SMALL}", replacements("--remap-path-prefix", sources, target)?);
    let mut build = cargo::command("build");
    build
        .current_dir(sources)
        .args(["--locked", "--package", "packhouse", "--profile", PROFILE, "--target", TARGET])
        .env("CARGO_TARGET_DIR", target)
        .env("CC_x86_64_unknown_linux_musl", compiler.join("cc"))
        .env("AR_x86_64_unknown_linux_musl", compiler.join("ar"))
        .env("CFLAGS_x86_64_unknown_linux_musl", replacements("-ffile-prefix-map", sources, target)?)
        .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld")
        .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS", flags)
        .env("ZIG_GLOBAL_CACHE_DIR", compiler.join("cache"))
        .env("ZIG_LOCAL_CACHE_DIR", compiler.join("cache"));
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

/// Checks that Rust's standard library for the target is there.
fn ensure_target() -> Result<()> {
    let rustc = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = rustc.attempt("cannot start rustc")?.stdout;
    if Path::new(String::from_utf8_lossy(&folder).trim()).is_dir() {
        return Ok(());
    }
    Err(Failure::new(format!("Rust's standard library for {TARGET} is missing; run `rustup target add {TARGET}`")))
}

/// Downloads zig, and writes two programs that run it as cc-rs expects.
fn ensure_compiler() -> Result<PathBuf> {
    let zig = clients::zig()?;
    let folder = tools::path_of("zig-musl")?;
    fs::create_dir_all(&folder).attempt("cannot create the folder of the compiler")?;
    // cc-rs adds a name of the target that zig does not know. zig would add checks of undefined behaviour.
    let compiler = format!(
        "#!/bin/sh\nfor argument do\n  shift\n  case \"$argument\" in\n    --target=*) ;;\n    \
         *) set -- \"$@\" \"$argument\" ;;\n  esac\ndone\nexec '{}' cc -target {ZIG_TARGET} -fno-sanitize=all \"$@\"\n",
        zig.display()
    );
    let archiver = format!("#!/bin/sh\nexec '{}' ar \"$@\"\n", zig.display());
    for (name, text) in [("cc", compiler), ("ar", archiver)] {
        let path = folder.join(name);
        // Cargo would build again after a change of the file.
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            fs::write(&path, text).attempt("cannot write the compiler")?;
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).attempt("cannot write the compiler")?;
    }
    Ok(folder)
}

/// Fails unless a program is static and position-independent.
pub fn check(program: &Path) -> Result<()> {
    let mut command = Command::new("readelf");
    command.args(["--file-header", "--dynamic", "--wide"]).arg(program).stdin(Stdio::null());
    let read = command.output().attempt("cannot start `readelf`; install binutils")?;
    let text = String::from_utf8_lossy(&read.stdout);
    let facts: Vec<&str> = text.lines().filter(|line| line.contains("Type:") || line.contains("(NEEDED)")).collect();
    match facts.as_slice() {
        [kind] if kind.contains("DYN") => Ok(()),
        _ => Err(Failure::new(format!("{} is not static-pie: {}", program.display(), facts.join("; ")))),
    }
}
