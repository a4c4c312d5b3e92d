//! What the file system allows without a server: files that are created, synced and renamed, and whose folder is synced,
//! as a store has to do for new content that must survive a power failure.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use tempfile::TempDir;

use crate::content::rounds::Sample;
use xtask::failure::{Attempt, Failure, Result};

/// The number of folders that the files are spread over.
const FOLDERS: u64 = 256;

/// Writes files of this content for some seconds, on so many threads at once.
pub(super) fn measure(content: &[u8], threads: u32, seconds: u32) -> Result<Sample> {
    let folder = TempDir::with_prefix("packhouse-synced-").attempt("cannot create a temporary folder")?;
    let root = folder.path();
    (0..FOLDERS)
        .try_for_each(|number| fs::create_dir(root.join(number.to_string())))
        .attempt("cannot create folders")?;
    nix::unistd::sync();
    let (began, used) = (Instant::now(), own_processor_seconds()?);
    let end = began + Duration::from_secs(seconds.into());
    let count: Result<u64> = std::thread::scope(|scope| {
        let write = |thread| scope.spawn(move || write(root, content, thread, end));
        let writers: Vec<_> = (0..threads).map(write).collect();
        writers.into_iter().map(|writer| writer.join().unwrap_or_else(|_| Err(Failure::new("a writer panicked")))).sum()
    });
    let (count, elapsed) = (count? as f64, began.elapsed().as_secs_f64());
    Ok(Sample { value: count / elapsed, processor_us: (own_processor_seconds()? - used) * 1e6 / count })
}

/// The processor time of all threads of this process.
fn own_processor_seconds() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF).attempt("cannot read the processor time")?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// Writes files until a time, and returns their number.
fn write(root: &Path, content: &[u8], thread: u32, end: Instant) -> Result<u64> {
    let mut count = 0;
    while Instant::now() < end {
        store(root, content, &format!("{thread}-{count}"), count % FOLDERS).attempt("cannot write a file")?;
        count += 1;
    }
    Ok(count)
}

fn store(root: &Path, content: &[u8], name: &str, folder: u64) -> std::io::Result<()> {
    let (temporary, folder) = (root.join(name), root.join(folder.to_string()));
    let mut file = File::create_new(&temporary)?;
    file.write_all(content)?;
    file.sync_data()?;
    fs::rename(&temporary, folder.join(name))?;
    File::open(folder)?.sync_all()
}
