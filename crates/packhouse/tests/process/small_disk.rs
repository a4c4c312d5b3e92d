//! A small file system that only processes in its mount namespace see.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, ErrorKind, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use suite::{Process, Stack};

const BYTES: usize = 64 << 20;

/// Options of `unshare` that allow a mount: as any user, or as root if that is not allowed.
const WAYS: [&[&str]; 2] = [&["--user", "--map-root-user", "--mount"], &["--mount"]];

/// Mounts, prints a line, and holds the mount until its input ends.
const HOLD: &str = r#"mount -t tmpfs -o "size=$1" tmpfs "$2" && echo mounted && exec cat"#;

/// A small disk mounted on a folder. Dropping it unmounts it.
pub(crate) struct SmallDisk {
    holder: Child,
    is_of_user: bool,
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts a small disk on an empty folder.
    pub(crate) fn mount(folder: &Path) -> Self {
        let mounted = WAYS.iter().find_map(|way| {
            let holder = hold(way, folder)?;
            Some(Self { holder, is_of_user: way.contains(&"--user"), folder: folder.to_owned() })
        });
        mounted.expect("this test mounts a small tmpfs: it needs `unshare` and `nsenter` (util-linux), and either user namespaces that anybody may make or root with CAP_SYS_ADMIN")
    }

    /// Returns the path of the folder for processes outside the namespace.
    pub(crate) fn outside(&self) -> PathBuf {
        let folder = self.folder.strip_prefix("/").expect("an absolute path");
        Path::new("/proc").join(self.holder.id().to_string()).join("root").join(folder)
    }

    /// Returns a command of any program inside the namespace.
    pub(crate) fn command(&self, program: &Path, stack: &Stack) -> Command {
        let mut command = Process::command(Path::new("nsenter"), stack);
        command.args(["--mount", "--target", &self.holder.id().to_string()]);
        if self.is_of_user {
            command.args(["--user", "--preserve-credentials"]);
        }
        command.arg("--").arg(program);
        command
    }

    /// Fills the disk with other data, except for this many bytes.
    pub(crate) fn fill(&self, spare_bytes: usize) {
        let mut filler = File::create(self.filler()).expect("a file can be made");
        let full = (0..BYTES).find_map(|_| filler.write_all(&[1; 1 << 16]).err()).expect("it has an end");
        assert_eq!(full.kind(), ErrorKind::StorageFull, "{full}");
        let size = filler.metadata().expect("it is open").len();
        filler.set_len(size - spare_bytes as u64).expect("it can be shortened");
    }

    /// Removes the data that filled it.
    pub(crate) fn make_room(&self) {
        fs::remove_file(self.filler()).expect("it was filled");
    }

    fn filler(&self) -> PathBuf {
        self.outside().join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.holder.kill());
        drop(self.holder.wait());
    }
}

/// Starts a process that holds the mount; returns `None` if it has no permission.
fn hold(way: &[&str], folder: &Path) -> Option<Child> {
    let mut holder = Command::new("unshare");
    holder.args(way).args(["sh", "-c", HOLD, "sh", &BYTES.to_string()]).arg(folder);
    let mut holder = holder.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut line = String::new();
    BufReader::new(holder.stdout.as_mut()?).read_line(&mut line).ok()?;
    if line == "mounted\n" {
        Some(holder)
    } else {
        drop(holder.wait());
        None
    }
}
