//! Benchmarks downloads of large files, on one connection and on several.

use std::thread;
use std::time::Instant;

use crate::content::Effort;
use crate::content::files::Size;
use crate::content::report::{Memory, Report, Row};
use crate::content::rounds::{Sample, alternate};
use crate::content::scene::{PUBLIC, Scene};
use crate::content::target::{Done, Target};
use crate::content::transfer::download;
use crate::processes::resident;
use xtask::failure::{Failure, Result};

/// The number of bytes that each connection downloads in a round, in one file or in several. It is large because the
/// kernel counts processor time in hundredths of a second.
const BYTES: u64 = 1 << 30;

/// The most memory that all downloads may take, in MiB.
const MOST_GROWTH: f64 = 16.0;

/// Measures two sizes with two numbers of connections each.
pub(crate) fn measure(scene: &Scene, effort: &Effort<'_>, report: &mut Report) -> Result<()> {
    let (nginx, target) = (scene.nginx(), scene.anonymous());
    let paths = [Size::MEDIUM, Size::LARGE].map(|size| Ok((size, scene.publish(PUBLIC, size)?)));
    let paths = paths.into_iter().collect::<Result<Vec<_>>>()?;
    effort.settle();
    let before = resident(target.pid)?;
    for (size, path) in paths {
        let reference = format!("/{}", size.file_name());
        for streams in [1, 4] {
            let nginx = |_| get(&nginx, &reference, size, streams);
            let packhouse = |_| get(&target, &path, size, streams);
            report.rows.push(Row {
                name: format!("GET {}, {streams} at a time", size.name()),
                unit: "GB/s",
                operation: "/MiB",
                both: alternate(effort.rounds, effort.signals, nginx, packhouse)?,
                least: Some(0.9),
                most_processor: None,
            });
        }
    }
    let after = resident(target.pid)?;
    report.memory.push(Memory { name: "large downloads".into(), before, after, most: before + MOST_GROWTH });
    Ok(())
}

fn get(target: &Target, path: &str, size: Size, streams: usize) -> Result<Sample> {
    let stream = || (0..BYTES / size.0).map(|_| download(target, path)).sum::<Result<u64>>();
    target.sample(|| {
        let began = Instant::now();
        let bytes = thread::scope(|scope| {
            let streams: Vec<_> = (0..streams).map(|_| scope.spawn(stream)).collect();
            let ended = streams.into_iter().map(|stream| stream.join());
            ended.map(|bytes| bytes.map_err(|_| Failure::new("a download panicked"))?).sum::<Result<u64>>()
        })? as f64;
        Ok(Done { value: bytes / began.elapsed().as_secs_f64() / 1e9, operations: bytes / f64::from(1 << 20) })
    })
}
