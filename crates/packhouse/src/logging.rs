//! Log lines on standard error: for people, or as JSON for collectors.

use std::io::IsTerminal;

use settings::{Log, LogFormat};
use tracing::{Level, Metadata};
use tracing_subscriber::{EnvFilter, filter::filter_fn, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// Libraries that write arguments, headers or bodies at their finer levels: only their warnings are let through.
const TALKATIVE: [&str; 7] = ["h2", "hyper", "hyper_util", "object_store", "reqwest", "rustls", "tokio_postgres"];

/// What is written, as the settings say it.
pub(crate) fn filter(log: &Log) -> Result<EnvFilter, String> {
    EnvFilter::try_new(&log.level).map_err(|error| format!("log.level `{}`: {error}", log.level))
}

pub(crate) fn start(log: &Log) -> Result<(), String> {
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let registry = tracing_subscriber::registry().with(filter(log)?).with(filter_fn(is_harmless));
    match log.format {
        LogFormat::Text => registry.with(lines.with_target(false).compact()).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true).with_span_list(false)).try_init(),
    }
    .map_err(|error| error.to_string())
}

/// A library that may write pieces of keys: nothing of it is let through.
const SILENT: &str = "pgp";

fn is_harmless(about: &Metadata<'_>) -> bool {
    let library = about.target().split("::").next().unwrap_or_default();
    library != SILENT && (*about.level() <= Level::WARN || !TALKATIVE.contains(&library))
}
