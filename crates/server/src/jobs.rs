//! The jobs of this node: those of the operations and one for the download cache. Their runs are recorded as metrics.

use std::{future::ready, time::Duration};

use metrics::{counter, gauge, histogram};
use operations::{
    Clock,
    jobs::{self, Job, JobRun},
};

use crate::{
    ServerState,
    metrics::{JOB_FAILURES, JOB_LAST_SUCCESS, JOB_SECONDS},
};

/// The server's own jobs. A deleted file takes up memory in the cache for one interval at most.
const JOBS: &[Job<ServerState>] = &[Job::new("download_cache", Duration::from_secs(2), |state| {
    state.downloads().drop_outdated(state.app().house());
    Box::pin(ready(Ok(())))
})];

/// Runs all jobs of this node until it is dropped.
pub async fn run_jobs(state: &ServerState) {
    let house = state.app().house();
    listed().for_each(|(name, _)| register(name));
    let observe = |run: JobRun<'_>| record(&house.clock, run);
    tokio::join!(jobs::run_all(house, &observe), jobs::run(state, JOBS, &observe));
}

/// Every job and loop, with its interval.
fn listed() -> impl Iterator<Item = (&'static str, Duration)> {
    let jobs = jobs::JOBS.iter().map(|job| (job.name, job.every));
    let own = JOBS.iter().map(|job| (job.name, job.every));
    jobs.chain(own).chain(jobs::LOOPS.iter().copied())
}

/// Registers the metrics of a job at the start, so that a job that never succeeds is visible, too.
fn register(name: &'static str) {
    counter!(JOB_FAILURES, "job" => name).increment(0);
    gauge!(JOB_LAST_SUCCESS, "job" => name).set(0.0);
}

fn record(clock: &Clock, run: JobRun<'_>) {
    let JobRun { name, took, outcome } = run;
    histogram!(JOB_SECONDS, "job" => name).record(took);
    match outcome {
        Ok(()) => {
            // A gauge is a floating-point number, which is exact to a millisecond for centuries.
            #[expect(clippy::cast_precision_loss)]
            let seconds = clock.now().millis() as f64 / 1_000.0;
            gauge!(JOB_LAST_SUCCESS, "job" => name).set(seconds);
        }
        Err(_) => counter!(JOB_FAILURES, "job" => name).increment(1),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const MANUAL: &str = include_str!("../../../docs/operating.md");

    /// The rows of the manual's table of jobs, as name and interval.
    fn manual() -> BTreeSet<(String, String)> {
        let (_, section) = MANUAL.split_once("\n## Jobs\n").expect("a section on jobs");
        let section = section.split("\n## ").next().expect("its text");
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        rows.map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            assert!(cells.len() == 5 && !cells[3].is_empty(), "a job without a description: {row}");
            (cells[1].trim_matches('`').to_owned(), cells[2].to_owned())
        })
        .collect()
    }

    /// An interval in the largest unit that fits.
    fn interval(every: Duration) -> String {
        let units = [("day", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)];
        let millis = every.as_millis();
        let fits = units.iter().find(|(_, unit)| millis.is_multiple_of(*unit));
        fits.map(|(name, unit)| format!("{} {name}", millis / unit)).expect("a number of milliseconds")
    }

    #[test]
    fn the_manual_lists_every_job_with_its_interval() {
        let code: BTreeSet<(String, String)> =
            listed().map(|(name, every)| (name.to_owned(), interval(every))).collect();
        assert_eq!(manual(), code);
    }

    #[test]
    fn no_two_jobs_have_the_same_name() {
        let names: BTreeSet<&str> = listed().map(|(name, _)| name).collect();
        assert_eq!(names.len(), listed().count());
    }
}
