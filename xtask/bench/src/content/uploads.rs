//! Benchmarks uploads of content that the store already has, and of new content.

use std::time::Instant;

use crate::content::files::Size;
use crate::content::report::{Report, Row};
use crate::content::rounds::{Sample, alternate};
use crate::content::scene::{PUBLIC, Scene, upload_path};
use crate::content::target::{Done, Target};
use crate::content::transfer::{Content, upload};
use crate::content::{Effort, wrk};
use xtask::failure::{Attempt, Result};

const CONNECTIONS: u32 = 8;

/// The script for wrk that sends every request to its own path.
pub(crate) const SCRIPT: &str = include_str!("put.lua");

/// Whether the store already has the content.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Novelty {
    Known,
    New,
}

impl Novelty {
    fn name(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::New => "new",
        }
    }
}

/// Measures uploads of small files with wrk, each to its own path.
pub(crate) fn measure_small(scene: &Scene, effort: &Effort<'_>, report: &mut Report) -> Result<()> {
    scene.publish(PUBLIC, Size::SMALL)?;
    let content = scene.file(Size::SMALL)?.display().to_string();
    let script = scene.file(Size::SMALL)?.with_file_name("put.lua");
    std::fs::write(&script, SCRIPT).attempt("cannot write a script for wrk")?;
    let (nginx, target) = (scene.nginx(), scene.owner());
    let path = upload_path(PUBLIC, "uploads/{}");
    for (novelty, least) in [(Novelty::Known, Some(0.2)), (Novelty::New, None)] {
        let put = |target: &Target, path: &str, round| {
            let (before, after) = path.split_once("{}").unwrap_or((path, ""));
            let run = format!("{}-{round}", novelty.name());
            let script = script.display().to_string();
            let script = vec![script, before.into(), after.into(), run, content.clone(), novelty.name().into()];
            put_small(target, script, effort)
        };
        report.rows.push(Row {
            name: format!("PUT {}, {CONNECTIONS} connections, {} content", Size::SMALL.name(), novelty.name()),
            unit: "requests/s",
            operation: "",
            both: alternate(
                effort.rounds,
                effort.signals,
                |round| put(&nginx, "/uploads/{}", round),
                |round| put(&target, &path, round),
            )?,
            least,
            most_processor: None,
        });
    }
    Ok(())
}

fn put_small(target: &Target, script: Vec<String>, effort: &Effort<'_>) -> Result<Sample> {
    let run = wrk::Run {
        url: format!("http://{}/", target.address),
        authorization: target.authorization.as_deref(),
        accept: None,
        connections: CONNECTIONS,
        seconds: effort.seconds,
        script: Some(script),
    };
    effort.settle();
    target.sample(|| {
        let seen = run.run(effort.signals)?;
        Ok(Done { value: seen.per_second, operations: seen.requests })
    })
}

/// Measures uploads of large files, one at a time.
pub(crate) fn measure_large(scene: &Scene, effort: &Effort<'_>, report: &mut Report) -> Result<()> {
    scene.publish(PUBLIC, Size::LARGE)?;
    let file = &scene.file(Size::LARGE)?;
    let (nginx, target) = (scene.nginx(), scene.owner());
    for novelty in [Novelty::Known, Novelty::New] {
        let put = |target: &Target, path: &str, round: u32| {
            let start = if novelty == Novelty::New { format!("{round:032}") } else { String::new() };
            effort.settle();
            target.sample(|| {
                let began = Instant::now();
                upload(target, path, Content { start: &start, file })?;
                let bytes = Size::LARGE.0 as f64;
                Ok(Done { value: bytes / began.elapsed().as_secs_f64() / 1e6, operations: bytes / f64::from(1 << 20) })
            })
        };
        let path = |round| upload_path(PUBLIC, &format!("uploads/{}-{round}-large.bin", novelty.name()));
        report.rows.push(Row {
            name: format!("PUT {}, {} content", Size::LARGE.name(), novelty.name()),
            unit: "MB/s",
            operation: "/MiB",
            // nginx replaces the file each time, because disk space may be scarce.
            both: alternate(
                effort.rounds,
                effort.signals,
                |round| put(&nginx, "/uploads/large.bin", round),
                |round| put(&target, &path(round), round),
            )?,
            least: Some(0.7),
            most_processor: None,
        });
    }
    Ok(())
}
