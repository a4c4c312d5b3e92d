//! Log lines on standard error: for people, or as JSON for collectors.

use std::io::IsTerminal;

use server::settings::{Log, LogFormat};
use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

pub(crate) fn start(log: &Log) -> Result<(), String> {
    let filter = EnvFilter::try_new(&log.level).map_err(|error| format!("log.level `{}`: {error}", log.level))?;
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let registry = tracing_subscriber::registry().with(filter);
    match log.format {
        LogFormat::Text => registry.with(lines.with_target(false).compact()).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true).with_span_list(false)).try_init(),
    }
    .map_err(|error| error.to_string())
}
