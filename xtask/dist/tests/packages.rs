//! The packages of the debug program: the same bytes in every folder, and readable by the tools that install them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dist::{Program, Release};
use tempfile::TempDir;
use xtask::cargo;

/// The files that an installation must have.
const INSTALLED: [&str; 5] = [
    "/usr/bin/packhouse",
    "/etc/packhouse/packhouse.toml",
    "/usr/lib/systemd/system/packhouse.service",
    "/usr/share/man/man1/packhouse-serve.1.gz",
    "/usr/share/bash-completion/completions/packhouse",
];

#[test]
fn two_folders_have_the_same_packages_and_every_tool_reads_them() {
    let (first, second) = (folder(), folder());
    let key = key(first.path());
    let (packages, others) = (first.path().join("packages"), second.path().join("elsewhere/packages"));
    make(&packages);
    make(&others);
    let read = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(folder).expect("packages").map(|entry| entry.expect("listed").path());
        entries.map(|path| (name(&path), fs::read(&path).expect("readable"))).collect()
    };
    let (packages_read, others_read) = (read(&packages), read(&others));
    assert_eq!(packages_read.len(), 6);
    for (name, bytes) in &packages_read {
        assert!(others_read[name] == *bytes, "{name} differs");
    }
    dpkg_reads(&find(&packages, ".deb"));
    rpm_reads(&find(&packages, ".rpm"));
    skopeo_reads(&find(&packages, "-oci.tar"));
    tar_reads(&find(&packages, ".tar.gz"));
    succeeds(Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&packages));
    signs(&packages, first.path(), &key);
}

fn dpkg_reads(deb: &Path) {
    let control = succeeds(Command::new("dpkg-deb").arg("--info").arg(deb));
    assert!(control.contains("Package: packhouse") && control.contains("conffiles"), "{control}");
    let list = succeeds(Command::new("dpkg-deb").arg("--contents").arg(deb));
    let missing: Vec<_> = INSTALLED.iter().filter(|path| !list.contains(&format!(".{path}\n"))).collect();
    assert!(
        missing.is_empty() && list.lines().all(|line| line.contains(" root/root ") || line.contains(" 0/0 ")),
        "{list}"
    );
}

fn rpm_reads(rpm: &Path) {
    let list = succeeds(Command::new("rpm").args(["--query", "--list", "--package"]).arg(rpm));
    let missing: Vec<_> = INSTALLED.iter().filter(|path| !list.lines().any(|line| line == **path)).collect();
    assert!(missing.is_empty(), "{missing:?} in {list}");
    let checked = succeeds(Command::new("rpm").args(["--checksig", "--nosignature"]).arg(rpm));
    assert!(checked.contains("digests OK"), "{checked}");
}

fn skopeo_reads(image: &Path) {
    let shown =
        succeeds(Command::new("skopeo").args(["inspect", "--config"]).arg(format!("oci-archive:{}", image.display())));
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(shown["config"]["User"], "10001:10001");
    assert_eq!(shown["config"]["Entrypoint"][0], "/usr/local/bin/packhouse");
}

fn tar_reads(tarball: &Path) {
    let list = succeeds(Command::new("tar").arg("-tzf").arg(tarball));
    let folder = name(tarball).trim_end_matches(".tar.gz").to_owned();
    assert!(list.lines().all(|line| line.starts_with(&format!("{folder}/"))), "{list}");
    assert!(
        list.contains(&format!("{folder}/packhouse\n")) && list.contains("/man/man1/packhouse-serve.1\n"),
        "{list}"
    );
}

/// Signs with a throw-away key, and lets gpg verify it; a changed list of checksums is refused.
fn signs(packages: &Path, home: &Path, key: &str) {
    let sums = packages.join("SHA256SUMS");
    let signature = dist::sign(&sums, key, Some(home)).unwrap_or_else(|failure| panic!("{failure}"));
    let verify = || gpg(home).arg("--verify").arg(&signature).arg(&sums).output().expect("gpg");
    assert!(verify().status.success());
    fs::write(&sums, "other").expect("written");
    assert!(!verify().status.success());
}

fn make(folder: &Path) {
    let stripped = tempfile::tempdir().expect("a folder");
    let program = stripped.path().join("packhouse");
    succeeds(Command::new("strip").arg("-o").arg(&program).arg(debug_program()));
    let release = Release::of(cargo::workspace_root()).unwrap_or_else(|failure| panic!("{failure}"));
    let release = Release { is_quick: true, ..release };
    let made = Program::read(&program).and_then(|program| dist::make(&release, &program, folder));
    made.unwrap_or_else(|failure| panic!("{failure}"));
}

/// The program next to the folder of this test.
fn debug_program() -> PathBuf {
    let this = std::env::current_exe().expect("a path");
    let program = this.ancestors().nth(2).expect("a folder").join("packhouse");
    assert!(program.is_file(), "`cargo build` builds {}", program.display());
    program
}

fn key(home: &Path) -> String {
    let made =
        ["--batch", "--passphrase", "", "--quick-generate-key", "releases@example.com", "ed25519", "sign", "never"];
    succeeds(gpg(home).args(made));
    "releases@example.com".to_owned()
}

fn gpg(home: &Path) -> Command {
    let mut gpg = Command::new("gpg");
    gpg.arg("--homedir").arg(home).stdin(Stdio::null());
    gpg
}

fn find(folder: &Path, ending: &str) -> PathBuf {
    let mut paths = fs::read_dir(folder).expect("packages").map(|entry| entry.expect("listed").path());
    paths.find(|path| path.to_string_lossy().ends_with(ending)).expect("a package")
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[track_caller]
fn succeeds(command: &mut Command) -> String {
    let ran = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    assert!(ran.status.success(), "{command:?}: {text}");
    text
}
