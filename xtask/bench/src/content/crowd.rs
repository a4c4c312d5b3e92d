//! Measures the memory of a hundred large uploads in parallel.

use std::path::Path;
use std::sync::Barrier;
use std::thread;

use nix::sys::statvfs::statvfs;

use crate::content::files::Size;
use crate::content::report::{Memory, Report};
use crate::content::scene::{PUBLIC, Scene, upload_path};
use crate::content::transfer::{Content, upload};
use crate::processes::{peak, resident};
use xtask::failure::{Attempt, Failure, Result};

const UPLOADS: u32 = 100;

/// The highest allowed peak of resident memory, in MiB.
const MOST: f64 = 300.0;

/// Starts all uploads at once; no two have the same content. The scene must be new: the kernel reports the peak over
/// the whole life of a process.
pub(crate) fn measure(scene: &Scene, upload_mib: Option<u64>, report: &mut Report) -> Result<()> {
    let size = match upload_mib {
        Some(mib) => Size::mib(mib),
        None => affordable(scene.file(Size::SMALL)?.as_path())?,
    };
    let target = scene.owner();
    let (file, before) = (scene.file(size)?, resident(target.pid)?);
    eprintln!("uploading {UPLOADS} files of {} at once", size.name());
    let start = Barrier::new(UPLOADS as usize);
    let one = |number: u32| {
        let path = upload_path(PUBLIC, &format!("crowd/{number}.bin"));
        start.wait();
        upload(&target, &path, Content { start: &format!("{number:032}"), file: &file })
    };
    thread::scope(|scope| {
        let uploads: Vec<_> = (0..UPLOADS).map(|number| scope.spawn(move || one(number))).collect();
        let mut ended = uploads.into_iter().map(|upload| upload.join());
        ended.try_for_each(|upload| upload.map_err(|_| Failure::new("an upload panicked"))?)
    })?;
    let name = format!("{UPLOADS} uploads of {} at once", size.name());
    report.memory.push(Memory { name, before, after: peak(target.pid)?, most: MOST });
    Ok(())
}

/// Returns the size at which a hundred uploads take a third of the free space, at most 1 GiB.
fn affordable(place: &Path) -> Result<Size> {
    let found = statvfs(place).attempt("cannot read the free disk space")?;
    let free = found.blocks_available() * found.fragment_size();
    let mib = (free / 3 / u64::from(UPLOADS)) >> 20;
    match mib / 16 * 16 {
        0 => Err(Failure::new("not enough disk space for a hundred uploads")),
        mib => Ok(Size::mib(mib.min(1024))),
    }
}
