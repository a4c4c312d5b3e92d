//! Metrics that are measured when they are read, in Prometheus' text format.

mod process;

use std::fmt::Write;

use operations::{
    maintenance::{gauges, nodes::VERSION, scrub},
    signing,
};
use web::App;

/// A text of metrics, each with its meaning and its type.
#[derive(Default)]
pub(super) struct Exposition(String);

impl Exposition {
    /// Adds a metric without labels.
    fn add(&mut self, name: &str, kind: &str, meaning: &str, value: impl std::fmt::Display) {
        self.begin(name, kind, meaning);
        self.sample(name, "", value);
    }

    /// Begins a metric with several samples.
    fn begin(&mut self, name: &str, kind: &str, meaning: &str) {
        let _ = write!(self.0, "# HELP {name} {meaning}\n# TYPE {name} {kind}\n");
    }

    /// Adds a sample with labels in braces.
    fn sample(&mut self, name: &str, labels: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }
}

/// The measured metrics. Those of the database are missing while it is unavailable.
pub(crate) async fn measured(app: &App) -> String {
    let mut text = Exposition::default();
    text.begin("packhouse_build_info", "gauge", "Version of this server.");
    text.sample("packhouse_build_info", &format!("{{version=\"{VERSION}\"}}"), 1);
    process::add(&mut text);
    add_database(app, &mut text);
    add_gauges(app, &mut text).await;
    add_scrub(app, &mut text).await;
    add_key_expiry(app, &mut text).await;
    text.0
}

fn add_database(app: &App, text: &mut Exposition) {
    let pool = gauges::pool(app.house());
    text.add("packhouse_database_connections_max", "gauge", "Limit on open connections to the database.", pool.size);
    text.add(
        "packhouse_database_connections_in_use",
        "gauge",
        "Connections to the database that are in use.",
        pool.in_use,
    );
    text.add(
        "packhouse_database_requests_waiting",
        "gauge",
        "Requests that are waiting for a connection to the database.",
        pool.waiting,
    );
    let statements = gauges::statements(app.house());
    text.add(
        "packhouse_database_statements_total",
        "counter",
        "Statements that this node has sent to the database.",
        statements,
    );
}

async fn add_gauges(app: &App, text: &mut Exposition) {
    let Ok(gauges) = gauges::read(app.house()).await else { return };
    text.add("packhouse_repositories", "gauge", "Repositories with stored files.", gauges.repos);
    text.add(
        "packhouse_stored_bytes",
        "gauge",
        "Total size of all files; content that several files share counts for each.",
        gauges.stored_bytes,
    );
    let meaning = "Webhook deliveries that are not made yet, counted up to 100000.";
    text.add("packhouse_webhook_backlog", "gauge", meaning, gauges.webhook_backlog);
    let meaning = "Changed files that repository indexes do not list yet, counted up to 100000.";
    text.add("packhouse_index_backlog", "gauge", meaning, gauges.index_backlog);
}

/// The progress of the scrub and the number of withheld blobs.
async fn add_scrub(app: &App, text: &mut Exposition) {
    let Ok(status) = scrub::status(app.house()).await else { return };
    let last = status.scrub.and_then(|scrub| scrub.last);
    let under_way = status.scrub.map_or(0, |scrub| scrub.read.bytes);
    let ended = last.map_or(0, |pass| pass.ended.millis() / 1_000);
    let meaning = "Bytes of content that the scrub has checked on this node.";
    text.add("packhouse_scrubbed_bytes_total", "counter", meaning, status.read_bytes);
    let meaning = "Bytes of content that all nodes have checked in the current pass of the scrub.";
    text.add("packhouse_scrub_pass_bytes", "gauge", meaning, under_way);
    let meaning = "End of the last complete pass of the scrub; 0 before the first.";
    text.add("packhouse_scrub_last_pass_timestamp_seconds", "gauge", meaning, ended);
    text.add("packhouse_damaged_blobs", "gauge", "Damaged blobs, whose files are not served.", status.damaged);
}

/// The expiry times of signing keys. Read each time, so that a deleted key is not reported.
async fn add_key_expiry(app: &App, text: &mut Exposition) {
    let keys = signing::list_expiring(app.house()).await.unwrap_or_default();
    if keys.is_empty() {
        return;
    }
    let name = "packhouse_gpg_key_expiry_timestamp_seconds";
    text.begin(name, "gauge", "Expiry time of a signing key.");
    for key in keys {
        let (owner, seconds) = (key.owner.unwrap_or_default(), key.expiry.millis() / 1_000);
        text.sample(name, &format!("{{owner=\"{owner}\",fingerprint=\"{}\"}}", key.fingerprint), seconds);
    }
}
