//! The recorder of the process's metrics, and the metrics that several modules record or set up.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// The histogram of request durations.
pub(crate) const REQUEST_SECONDS: &str = "packhouse_http_request_seconds";

/// The counter of downloads that were replayed without parsing the request.
pub(crate) const REPEATED_DOWNLOADS: &str = "packhouse_repeated_downloads_total";

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
        handle
    };
    RECORDER.get_or_init(install).clone()
}
