//! The jobs of a node: each one runs, none disturbs another, and failures are visible.

use std::{
    collections::BTreeMap,
    future::pending,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use operations::{
    Error,
    jobs::{self, Job, JobRun},
};
use server::{ServerState, run_jobs};
use suite::{Log, TestHouse, country_file};

/// The start of every test, in the format of metrics.
const START: &str = "1768478400";

/// Runs the jobs of a node until a condition is true.
pub(crate) async fn run_jobs_until(state: &ServerState, is_done: impl AsyncFn() -> bool) {
    tokio::select! {
        () = run_jobs(state) => {}
        () = until(is_done) => {}
    }
}

async fn until(is_done: impl AsyncFn() -> bool) {
    let watch = async {
        while !is_done().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), watch).await.expect("it is done in time");
}

/// Returns the metric of this name for every job.
async fn metric(house: &TestHouse, name: &str) -> BTreeMap<String, String> {
    let text = house.anyone().get("//metrics").await.expect(200).text();
    let of_job = |line: &str| {
        let (job, value) = line.strip_prefix(name)?.strip_prefix("{job=\"")?.split_once("\"} ")?;
        Some((job.to_owned(), value.to_owned()))
    };
    text.lines().filter_map(of_job).collect()
}

#[tokio::test]
async fn every_job_runs_at_the_start_and_is_measured() {
    let house = TestHouse::start().await;
    let names = jobs::JOBS.iter().map(|job| job.name).chain(jobs::LOOPS.iter().map(|(name, _)| *name));
    let names: Vec<&str> = names.chain(["download_cache"]).collect();
    run_jobs_until(house.state(), async || {
        let runs = metric(&house, "packhouse_job_seconds_count").await;
        names.iter().all(|name| runs.contains_key(*name))
    })
    .await;
    let expected = |value: &str| names.iter().map(|name| ((*name).to_owned(), value.to_owned())).collect();
    assert_eq!(metric(&house, "packhouse_job_last_success_timestamp_seconds").await, expected(START));
    assert_eq!(metric(&house, "packhouse_job_failures_total").await, expected("0"));
}

#[tokio::test]
async fn a_job_that_fails_is_counted_and_logged_and_the_others_go_on() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), country_file(&[("198.51.100.0/24", "DE")])).expect("written");
    let house = TestHouse::start_with(&[("geo.database", &file.path().display().to_string())]).await;
    std::fs::write(file.path(), b"nonsense").expect("written");
    let log = Log::listen();
    run_jobs_until(house.state(), async || {
        let failures = metric(&house, "packhouse_job_failures_total").await;
        let last = metric(&house, "packhouse_job_last_success_timestamp_seconds").await;
        failures.get("geo").is_some_and(|count| count == "1") && last.get("heartbeat").is_some_and(|at| at == START)
    })
    .await;
    assert_eq!(log.count("job geo failed: geo.database"), 1);
    assert_eq!(log.count(" failed: "), 1, "only that job fails");
}

/// The state of the jobs below.
#[derive(Default)]
struct Counts {
    steady: AtomicUsize,
    stuck: AtomicUsize,
    is_busy: AtomicBool,
}

const TICK: Duration = Duration::from_millis(1);

#[tokio::test]
async fn jobs_that_fail_panic_or_hang_disturb_no_other() {
    const JOBS: &[Job<Counts>] = &[
        Job::new("failing", TICK, |_| Box::pin(async { Err(Error::Unavailable("the store is away".into())) })),
        Job::new("panicking", TICK, |_| panic!("a bug in a job")),
        Job::new("stuck", TICK, |counts| {
            counts.stuck.fetch_add(1, Ordering::Relaxed);
            Box::pin(pending())
        }),
        Job::new("steady", TICK, |counts| {
            counts.steady.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok(()) })
        }),
    ];
    let (counts, log, failures) = (Counts::default(), Log::listen(), Mutex::new(BTreeMap::<&str, usize>::new()));
    let observe = |run: JobRun<'_>| {
        if run.outcome.is_err() {
            *failures.lock().expect("no panic").entry(run.name).or_default() += 1;
        }
    };
    let failed = |name: &str| failures.lock().expect("no panic").get(name).copied().unwrap_or(0);
    tokio::select! {
        () = jobs::run(&counts, JOBS, &observe) => {}
        () = until(async || {
            failed("failing") > 3 && failed("panicking") > 3 && counts.steady.load(Ordering::Relaxed) > 10
        }) => {}
    }
    assert_eq!((failed("steady"), failed("stuck")), (0, 0));
    assert_eq!(counts.stuck.load(Ordering::Relaxed), 1, "it never overlaps itself");
    assert_eq!(log.count("job failing failed: the store is away"), 1);
    assert_eq!(log.count("job panicking failed: it panicked"), 1);
}

#[tokio::test]
async fn a_slow_job_does_not_overlap_itself_and_waits_an_interval_after_a_late_run() {
    const JOBS: &[Job<Counts>] = &[Job::new("slow", Duration::from_millis(10), |counts| {
        Box::pin(async {
            assert!(!counts.is_busy.swap(true, Ordering::Relaxed), "two runs at once");
            tokio::time::sleep(Duration::from_millis(25)).await;
            counts.is_busy.store(false, Ordering::Relaxed);
            counts.steady.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })
    })];
    let (counts, began) = (Counts::default(), std::time::Instant::now());
    let has_failed = AtomicBool::new(false);
    let observe = |run: JobRun<'_>| has_failed.store(run.outcome.is_err(), Ordering::Relaxed);
    tokio::select! {
        () = jobs::run(&counts, JOBS, &observe) => {}
        () = until(async || counts.steady.load(Ordering::Relaxed) > 3 || has_failed.load(Ordering::Relaxed)) => {}
    }
    assert!(!has_failed.load(Ordering::Relaxed));
    assert!(began.elapsed() >= Duration::from_millis(4 * 25), "runs come one after the other");
}

#[tokio::test]
async fn a_job_runs_at_once_and_then_at_its_interval() {
    const JOBS: &[Job<Counts>] = &[
        Job::new("rare", Duration::from_secs(300), |counts| {
            counts.stuck.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok(()) })
        }),
        Job::new("often", Duration::from_millis(20), |counts| {
            counts.steady.fetch_add(1, Ordering::Relaxed);
            Box::pin(async { Ok(()) })
        }),
    ];
    let (counts, began) = (Counts::default(), std::time::Instant::now());
    tokio::select! {
        () = jobs::run(&counts, JOBS, &|_| ()) => {}
        () = until(async || counts.steady.load(Ordering::Relaxed) >= 6) => {}
    }
    assert!(began.elapsed() >= Duration::from_millis(5 * 20), "the sixth run comes after five intervals");
    assert_eq!(counts.stuck.load(Ordering::Relaxed), 1);
}
