//! Runs jobs at their intervals and reports each run.

use std::{
    panic::AssertUnwindSafe,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, join_all},
};
use tokio::time::Instant;

use crate::{Error, Result, ticks};

/// A job that keeps failing is logged this often.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// A job with this interval or a longer one can wait at a start.
const SELDOM: Duration = Duration::from_secs(600);

/// When the first of these jobs runs, and the time from one to the next: the first requests of a node find its database
/// and its processors free.
const FIRST_AFTER: Duration = Duration::from_secs(2);
const APART: Duration = Duration::from_millis(200);

/// Periodic work of a node. `C` is what the job works on.
#[derive(Debug)]
pub struct Job<C: 'static> {
    /// Its name in the log and in metrics.
    pub name: &'static str,
    /// The time from the start of one run to the start of the next.
    pub every: Duration,
    /// Runs it once.
    pub run: for<'c> fn(&'c C) -> BoxFuture<'c, Result<()>>,
}

/// One run of a job that has ended.
#[derive(Debug, Clone, Copy)]
pub struct JobRun<'r> {
    /// The name of the job.
    pub name: &'static str,
    /// How long the run took.
    pub took: Duration,
    /// How the run ended.
    pub outcome: std::result::Result<(), &'r Error>,
}

/// Gets every run of every job, for metrics.
pub type Observe<'o> = dyn Fn(JobRun<'_>) + Sync + 'o;

impl<C> Job<C> {
    /// A row of a table of jobs.
    pub const fn new(name: &'static str, every: Duration, run: for<'c> fn(&'c C) -> BoxFuture<'c, Result<()>>) -> Self {
        Self { name, every, run }
    }
}

/// Runs jobs until it is dropped: each at once and then at its interval. Jobs that run seldom begin some seconds later, one
/// after the other. A slow job delays no other and never overlaps itself; its next run is an interval after a late one.
pub async fn run<C: Sync>(context: &C, jobs: &[Job<C>], observe: &Observe<'_>) {
    let delays = delays(jobs.iter().map(|job| job.every));
    join_all(jobs.iter().zip(delays).map(|(job, delay)| repeat(context, job, delay, observe))).await;
}

/// How long jobs with these intervals wait before their first runs.
fn delays(intervals: impl Iterator<Item = Duration>) -> Vec<Duration> {
    let mut next = FIRST_AFTER;
    let mut delay = |every: Duration| {
        if every < SELDOM {
            return Duration::ZERO;
        }
        let delay = next;
        next += APART;
        delay
    };
    intervals.map(&mut delay).collect()
}

async fn repeat<C: Sync>(context: &C, job: &Job<C>, delay: Duration, observe: &Observe<'_>) {
    tokio::time::sleep(delay).await;
    let reporter = Reporter::new(job.name, observe);
    let mut ticks = ticks::every(job.every);
    loop {
        ticks.tick().await;
        reporter.watch(async { (job.run)(context).await }).await;
    }
}

/// Reports the runs of one job to the observer, and its failures to the log.
pub(crate) struct Reporter<'o> {
    name: &'static str,
    observe: &'o Observe<'o>,
    log: FailureLog,
}

impl<'o> Reporter<'o> {
    pub(crate) fn new(name: &'static str, observe: &'o Observe<'o>) -> Self {
        Self { name, observe, log: FailureLog::default() }
    }

    /// Runs the job once and reports the run. A panic is a failure; the job runs again at its next tick.
    pub(crate) async fn watch<T>(&self, work: impl Future<Output = Result<T>>) -> Option<T> {
        let (took, outcome) = measure(work).await;
        self.report(took, outcome.as_ref().map(|_| ()));
        outcome.ok()
    }

    /// Runs a part of the job beside others. Only its failure is reported, as that of a run.
    pub(crate) async fn watch_part(&self, work: impl Future<Output = Result<()>>) {
        if let (took, Err(error)) = measure(work).await {
            self.report(took, Err(&error));
        }
    }

    fn report(&self, took: Duration, outcome: std::result::Result<(), &Error>) {
        let name = self.name;
        match outcome {
            Ok(()) => self.log.end(),
            Err(error) if self.log.is_due(Instant::now()) => tracing::warn!(job = name, "job {name} failed: {error}"),
            Err(_) => {}
        }
        (self.observe)(JobRun { name, took, outcome });
    }
}

/// How long work takes, and how it ends. The panic hook has printed the message of a panic.
async fn measure<T>(work: impl Future<Output = Result<T>>) -> (Duration, Result<T>) {
    let began = Instant::now();
    let ended = AssertUnwindSafe(work).catch_unwind().await;
    (began.elapsed(), ended.unwrap_or_else(|_| Err(Error::Internal("it panicked; this is a bug in packhouse".into()))))
}

/// When the current series of failures was last logged.
#[derive(Debug, Default)]
struct FailureLog(Mutex<Option<Instant>>);

impl FailureLog {
    /// Whether to log a failure: the first of a series, and then one a minute.
    fn is_due(&self, now: Instant) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| now.duration_since(last) >= LOG_EVERY);
        if is_due {
            *last = Some(now);
        }
        is_due
    }

    /// A success ends the series.
    fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_run_seldom_begin_one_after_the_other() {
        let secs = [1, 3_600, 60, 600];
        let millis = delays(secs.into_iter().map(Duration::from_secs)).into_iter().map(|delay| delay.as_millis());
        assert_eq!(millis.collect::<Vec<_>>(), [0, 2_000, 0, 2_200]);
    }

    #[test]
    fn a_series_of_failures_is_logged_once_a_minute() {
        let (log, start) = (FailureLog::default(), Instant::now());
        let logged: Vec<u64> = (0..=130).filter(|after| log.is_due(start + Duration::from_secs(*after))).collect();
        assert_eq!(logged, [0, 60, 120]);
    }

    #[test]
    fn the_first_failure_after_a_success_is_logged() {
        let (log, now) = (FailureLog::default(), Instant::now());
        assert!(log.is_due(now) && !log.is_due(now));
        log.end();
        assert!(log.is_due(now));
    }
}
