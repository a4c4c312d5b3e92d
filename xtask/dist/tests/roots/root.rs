//! Clean roots, and the packages to install in them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder that becomes the root of programs.
pub(crate) struct Root {
    folder: TempDir,
}

impl Root {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        let root = Self { folder: tempfile::tempdir().expect("a folder") };
        // Other users work in it, too.
        succeeds(Command::new("chmod").arg("755").arg(root.path("")));
        root
    }

    /// A small Debian.
    pub(crate) fn debian() -> Self {
        let root = Self::empty();
        succeeds(Command::new("tar").arg("-xf").arg(variable("PACKHOUSE_TEST_DEBIAN")).arg("-C").arg(root.path("")));
        root
    }

    /// A path in it.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path.trim_start_matches('/'))
    }

    /// Copies a file into it, below its own name.
    pub(crate) fn copy(&self, file: &Path) -> String {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        fs::copy(file, self.path(&name)).expect("copied");
        format!("/{name}")
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    }

    /// A command that runs in it as root.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_as(0, arguments)
    }

    /// A command that runs in it as a user and a group with this number.
    pub(crate) fn command_as(&self, user: u32, arguments: &[&str]) -> Command {
        let mut command = Command::new("chroot");
        command
            .arg(format!("--userspec={user}:{}", self.group(user)))
            .arg("--groups=")
            .arg(self.path(""))
            .args(arguments);
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("LC_ALL", "C.UTF-8");
        command.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        command
    }

    /// The number of a user, from the root's own list.
    pub(crate) fn user(&self, name: &str) -> u32 {
        let users = fs::read_to_string(self.path("etc/passwd")).expect("a list of users");
        let line = users.lines().find(|line| line.split(':').next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("no user {name} in {users}"));
        line.split(':').nth(2).and_then(|number| number.parse().ok()).expect("a number")
    }

    fn group(&self, user: u32) -> u32 {
        let users = fs::read_to_string(self.path("etc/passwd")).unwrap_or_default();
        let line = users.lines().find(|line| line.split(':').nth(2) == Some(&user.to_string()));
        line.and_then(|line| line.split(':').nth(3)?.parse().ok()).unwrap_or(user)
    }
}

/// Returns the package whose name ends like this.
pub(crate) fn package(ending: &str) -> PathBuf {
    let folder = PathBuf::from(variable("PACKHOUSE_TEST_PACKAGES"));
    let mut paths = fs::read_dir(&folder).expect("the packages").map(|entry| entry.expect("readable").path());
    let path = paths.find(|path| path.to_string_lossy().ends_with(ending));
    path.unwrap_or_else(|| panic!("no package {ending} in {}", folder.display()))
}

/// Runs a command that must succeed, and returns its output.
#[track_caller]
pub(crate) fn succeeds(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = command.stdin(Stdio::null()).output();
    let ran = ran.unwrap_or_else(|error| panic!("`cargo xtask test-dist` installs {name}: {error}"));
    let text = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    assert!(ran.status.success(), "{command:?}: {}\n{text}", ran.status);
    text
}

fn variable(name: &str) -> OsString {
    std::env::var_os(name).unwrap_or_else(|| panic!("`cargo xtask test-dist` sets {name}"))
}
