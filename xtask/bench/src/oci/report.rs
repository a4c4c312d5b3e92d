//! The table of results.

use std::time::Duration;

use super::client::Registry;
use super::image::{Image, Size};
use super::manifests::Manifests;

/// Pushes and pulls of one registry.
#[derive(Default)]
pub(super) struct Transfer {
    pub(super) push: Sum,
    pub(super) pull: Sum,
    /// The peak memory before and after, in MiB.
    pub(super) peak_before: f64,
    pub(super) peak_after: f64,
}

/// All transfers in one direction.
#[derive(Default)]
pub(super) struct Sum {
    bytes: u64,
    elapsed: Duration,
    processor_secs: f64,
}

impl Sum {
    pub(super) fn add(&mut self, image: &Image, elapsed: Duration, processor_secs: f64) {
        self.bytes += image.bytes();
        self.elapsed += elapsed;
        self.processor_secs += processor_secs;
    }

    /// MiB per second, and seconds of processor time per GiB.
    fn cell(&self) -> String {
        let mib = self.bytes as f64 / f64::from(1 << 20);
        let (speed, cost) = (mib / self.elapsed.as_secs_f64(), self.processor_secs / (mib / 1024.0));
        format!("{speed:.0} MiB/s, {cost:.2} s/GiB")
    }
}

/// Prints the results of all registries side by side.
pub(super) fn print(
    registries: &[Registry],
    transfers: &[Transfer],
    manifests: &[Manifests],
    larges: &[Transfer],
    rounds: u64,
    size: Size,
) {
    let names: Vec<&str> = registries.iter().map(|registry| registry.name).collect();
    println!(
        "| {rounds} images of {} layers of {} KiB | {} |",
        size.layers,
        size.layer_bytes / 1024,
        names.join(" | ")
    );
    println!("|---|{}", "---|".repeat(names.len()));
    row("push, with processor time", transfers.iter().map(|transfer| transfer.push.cell()));
    row("pull, with processor time", transfers.iter().map(|transfer| transfer.pull.cell()));
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1_000.0;
    let manifest = |seen: &Manifests| {
        let (p50, p99) = (milliseconds(seen.p50), milliseconds(seen.p99));
        format!("{p50:.2} / {p99:.2} ms, {:.0}/s", seen.per_second)
    };
    row("manifest by tag, p50 / p99", manifests.iter().map(manifest));
    row("large layer: push", larges.iter().map(|transfer| transfer.push.cell()));
    row("large layer: pull", larges.iter().map(|transfer| transfer.pull.cell()));
    let memory = |transfer: &Transfer| format!("{:.0} -> {:.0} MiB", transfer.peak_before, transfer.peak_after);
    row("large layer: peak memory before and after", larges.iter().map(memory));
}

fn row(name: &str, cells: impl Iterator<Item = String>) {
    println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
}
