//! The recorder of the process's metrics, and the metrics that several modules record or set up.

use std::sync::OnceLock;

use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// The histogram of request durations.
pub(crate) const REQUEST_SECONDS: &str = "packhouse_http_request_seconds";

/// The counter of downloads that were replayed without parsing the request.
pub(crate) const REPEATED_DOWNLOADS: &str = "packhouse_repeated_downloads_total";

/// The counters of downloads that the cache of responses answered, and of those that it did not.
pub(crate) const CACHE_HITS: &str = "packhouse_download_cache_hits_total";
pub(crate) const CACHE_MISSES: &str = "packhouse_download_cache_misses_total";

/// The counters of objects that the cache of objects answered, and of those that were replayed without parsing the
/// request.
pub(crate) const OBJECT_CACHE_HITS: &str = "packhouse_object_cache_hits_total";
pub(crate) const REPEATED_OBJECTS: &str = "packhouse_repeated_objects_total";

/// The metrics of jobs besides the histogram of run durations: the number of failed runs, and the time of the last
/// success.
pub(crate) const JOB_FAILURES: &str = "packhouse_job_failures_total";
pub(crate) const JOB_LAST_SUCCESS: &str = "packhouse_job_last_success_timestamp_seconds";

/// The histogram of the durations of job runs.
pub(crate) const JOB_SECONDS: &str = "packhouse_job_seconds";

const BUCKETS: [f64; 9] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0, 600.0];

/// The process-wide metrics recorder.
pub(crate) fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    let install = || {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(REQUEST_SECONDS.into()), &BUCKETS)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full(JOB_SECONDS.into()), &BUCKETS))
            .expect("the list of buckets is not empty");
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("metrics recorder was already installed; it stays in use");
        }
        describe();
        handle
    };
    RECORDER.get_or_init(install).clone()
}

/// Says what each recorded metric means.
fn describe() {
    describe_histogram!(REQUEST_SECONDS, "Time from the headers of a request to the headers of its response.");
    describe_histogram!(JOB_SECONDS, "Duration of the runs of a job.");
    describe_counter!(REPEATED_DOWNLOADS, "Downloads replayed from memory without parsing the request.");
    describe_counter!(CACHE_HITS, "Downloads answered from the cache of responses.");
    describe_counter!(CACHE_MISSES, "Downloads whose response was not in the cache.");
    describe_counter!(OBJECT_CACHE_HITS, "API requests answered from the cache of objects.");
    describe_counter!(REPEATED_OBJECTS, "API requests replayed from memory without parsing the request.");
    describe_counter!(JOB_FAILURES, "Failed runs of a job.");
    describe_gauge!(JOB_LAST_SUCCESS, "Time of the last successful run of a job.");
}
