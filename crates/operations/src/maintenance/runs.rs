//! Runs of the server in one data folder. A run knows which earlier ones are over, and takes their leases at once; a
//! lease of any other run has to end by itself.
//!
//! The file of the runs has their numbers, and the running process holds a lock on it. The lock ends with the process, so
//! a process that gets it knows that all runs in the file are over. A copied folder would name the runs of a node that is
//! alive, so the file also says which file it is, and since when its machine is running.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
    sync::atomic::{AtomicI64, Ordering},
};

use model::lease::LeaseNumber;

/// The system's name of the time since its last start.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// The file remembers this many runs: older ones have no lease left.
const REMEMBERED: usize = 16;

/// The longest file that is read.
const FILE_BYTES: u64 = 4 << 10;

/// This run of the server.
#[derive(Debug)]
pub(crate) struct Run {
    number: u64,
    leases: AtomicI64,
    /// Earlier runs in the same data folder.
    over: Vec<u64>,
    /// The file of the runs, locked until the process ends.
    _file: Option<File>,
}

impl Run {
    /// A run that knows of no other one.
    pub(crate) fn alone(random: u64) -> Self {
        Self { number: LeaseNumber::run_from(random), leases: AtomicI64::new(0), over: Vec::new(), _file: None }
    }

    /// A run that is recorded in the file of its data folder. If it cannot be, it knows of no other one.
    pub(crate) fn recorded(random: u64, path: &Path) -> Self {
        let run = Self::alone(random);
        match record(run.number, path) {
            Ok(Some((file, over))) => Self { over, _file: Some(file), ..run },
            Ok(None) => run,
            Err(error) => {
                tracing::warn!("recording this run in {} failed: {error}", path.display());
                run
            }
        }
    }

    /// The number for a new lease.
    pub(crate) fn next_lease(&self) -> LeaseNumber {
        LeaseNumber::new(self.number, self.leases.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns whether the run that has this lease is over for certain.
    pub(crate) fn is_over(&self, lease: LeaseNumber) -> bool {
        self.over.contains(&lease.run())
    }
}

/// Adds a run to the file, and returns the locked file and the runs before it; `None` if another process has the lock.
fn record(number: u64, path: &Path) -> io::Result<Option<(File, Vec<u64>)>> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let identity = identity(&file)?;
    let mut bytes = Vec::new();
    (&mut file).take(FILE_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    let over: Vec<u64> = match lines.next() {
        Some(line) if line == identity => lines.filter_map(|line| line.parse().ok()).take(REMEMBERED).collect(),
        _ => Vec::new(),
    };
    // A test may have the same random numbers again.
    let over: Vec<u64> = over.into_iter().filter(|run| *run != number).collect();
    let runs = std::iter::once(&number).chain(&over).take(REMEMBERED).map(|run| format!("{run}\n"));
    let text: String = std::iter::once(format!("{identity}\n")).chain(runs).collect();
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    Ok(Some((file, over)))
}

/// The machine's start and the file itself. A copy of the file is another file, or on another machine.
fn identity(file: &File) -> io::Result<String> {
    let (boot, found) = (fs::read_to_string(BOOT_ID)?, file.metadata()?);
    Ok(format!("{} {} {}", boot.trim(), found.dev(), found.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_knows_the_earlier_ones_of_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs");
        let leases: Vec<LeaseNumber> = (1..=3).map(|number| Run::recorded(number, &path).next_lease()).collect();
        let last = Run::recorded(4, &path);
        assert!(leases.iter().all(|lease| last.is_over(*lease)));
        assert!(!last.is_over(last.next_lease()) && !last.is_over(Run::alone(5).next_lease()));
    }

    #[test]
    fn a_run_in_the_folder_of_a_living_one_knows_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs");
        let ended = Run::recorded(1, &path).next_lease();
        let living = Run::recorded(2, &path);
        let second = Run::recorded(3, &path);
        assert!(!second.is_over(living.next_lease()) && !second.is_over(ended));
        drop(living);
        assert!(!Run::recorded(4, &path).is_over(second.next_lease()), "it was not recorded, and is alive");
    }

    #[test]
    fn a_copy_of_the_file_proves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, copy) = (folder.path().join("runs"), folder.path().join("copy"));
        let living = Run::recorded(1, &path);
        fs::copy(&path, &copy).expect("copied");
        assert!(!Run::recorded(2, &copy).is_over(living.next_lease()));
        fs::write(&copy, fs::read_to_string(&copy).expect("read").replace('-', "0")).expect("written");
        assert!(!Run::recorded(3, &copy).is_over(Run::alone(2).next_lease()), "the machine was started since");
    }

    #[test]
    fn a_file_of_anything_else_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs");
        fs::write(&path, vec![0xff; 10_000]).expect("written");
        let first = Run::recorded(1, &path).next_lease();
        assert!(Run::recorded(2, &path).is_over(first));
    }
}
