//! The table of results, and their bounds.

use std::time::Duration;

use super::image::{Image, Size};
use crate::content::rounds::Sample;

/// The lowest allowed ratios to the other registry: of pushes, pulls and manifests.
const LEAST_PUSH: f64 = 2.0;
const LEAST_PULL: f64 = 3.0;
const LEAST_MANIFESTS: f64 = 20.0;

/// The most memory that a large layer may take, in MiB.
const MOST_GROWTH: f64 = 16.0;

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

    fn mib(&self) -> f64 {
        self.bytes as f64 / f64::from(1 << 20)
    }

    /// MiB per second.
    fn speed(&self) -> f64 {
        self.mib() / self.elapsed.as_secs_f64()
    }

    /// The speed, and seconds of processor time per GiB.
    fn cell(&self) -> String {
        format!("{:.0} MiB/s, {:.2} s/GiB", self.speed(), self.processor_secs / (self.mib() / 1024.0))
    }
}

/// The results of packhouse and of the other registry.
pub(super) struct Report {
    pub(super) names: [&'static str; 2],
    pub(super) rounds: u64,
    pub(super) size: Size,
    pub(super) transfers: [Transfer; 2],
    pub(super) manifests: [Sample; 2],
    pub(super) larges: [Transfer; 2],
}

impl Report {
    /// Returns the table.
    pub(super) fn markdown(&self) -> String {
        let Self { names: [ours, other], rounds, size, .. } = self;
        let head = format!(
            "| {rounds} images of {} layers of {} KiB | {ours} | {other} | ratio |\n|---|---|---|---|\n",
            size.layers,
            size.layer_bytes / 1024
        );
        let manifests = self.manifests.each_ref();
        let manifest = |seen: &Sample| format!("{:.0}/s, {:.0} µs", seen.value, seen.processor_us);
        let [before, after] = [self.larges.each_ref().map(|large| large.peak_before), self.peaks()];
        let memory = [0, 1].map(|at| format!("{:.0} MiB, {:.0} MiB", before[at], after[at]));
        head + &row("push, with processor time", &self.sums(|of| &of.push), Some(LEAST_PUSH))
            + &row("pull, with processor time", &self.sums(|of| &of.pull), Some(LEAST_PULL))
            + &line("manifest by tag", manifests.map(manifest), self.manifest_ratio(), Some(LEAST_MANIFESTS))
            + &row("large layer: push", &self.larges.each_ref().map(|of| &of.push), None)
            + &row("large layer: pull", &self.larges.each_ref().map(|of| &of.pull), None)
            + &format!("| large layer: peak memory before and after | {} | |\n", memory.join(" | "))
    }

    /// Returns a message for every bound that was missed.
    pub(super) fn misses(&self) -> Vec<String> {
        let ratios = [
            ("pushes", ratio(&self.sums(|of| &of.push)), LEAST_PUSH),
            ("pulls", ratio(&self.sums(|of| &of.pull)), LEAST_PULL),
            ("manifests", self.manifest_ratio(), LEAST_MANIFESTS),
        ];
        let missed = ratios.into_iter().filter(|(_, ratio, least)| ratio < least);
        let mut misses: Vec<String> =
            missed.map(|(what, ratio, least)| format!("{what} reach {ratio:.2}, less than {least}")).collect();
        let growth = self.larges[0].peak_after - self.larges[0].peak_before;
        if growth > MOST_GROWTH {
            misses.push(format!("a large layer takes {growth:.0} MiB, more than {MOST_GROWTH}"));
        }
        misses
    }

    fn sums(&self, of: impl Fn(&Transfer) -> &Sum) -> [&Sum; 2] {
        self.transfers.each_ref().map(of)
    }

    fn peaks(&self) -> [f64; 2] {
        self.larges.each_ref().map(|large| large.peak_after)
    }

    fn manifest_ratio(&self) -> f64 {
        self.manifests[0].value / self.manifests[1].value
    }
}

fn ratio([ours, other]: &[&Sum; 2]) -> f64 {
    ours.speed() / other.speed()
}

fn row(name: &str, sums: &[&Sum; 2], least: Option<f64>) -> String {
    line(name, sums.map(Sum::cell), ratio(sums), least)
}

fn line(name: &str, cells: [String; 2], ratio: f64, least: Option<f64>) -> String {
    let bound = least.map_or(String::new(), |least| format!(" (at least {least})"));
    format!("| {name} | {} | {ratio:.2}{bound} |\n", cells.join(" | "))
}
