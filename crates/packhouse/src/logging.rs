//! Log lines on standard error: for people, or as JSON for collectors.

use std::io::IsTerminal;

use server::settings::{Log, LogFormat};
use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// Libraries that write arguments, headers or bodies at their finer levels: they are never let below `info`.
const TALKATIVE: [&str; 7] = ["h2", "hyper", "hyper_util", "object_store", "reqwest", "rustls", "tokio_postgres"];

/// What is written, as the settings say it.
pub(crate) fn filter(log: &Log) -> Result<EnvFilter, String> {
    let mut filter = EnvFilter::try_new(&log.level).map_err(|error| format!("log.level `{}`: {error}", log.level))?;
    for library in TALKATIVE {
        let directive = format!("{library}=info").parse();
        filter = filter.add_directive(directive.map_err(|error| format!("log.level: {error}"))?);
    }
    Ok(filter)
}

pub(crate) fn start(log: &Log) -> Result<(), String> {
    let filter = filter(log)?;
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let registry = tracing_subscriber::registry().with(filter);
    match log.format {
        LogFormat::Text => registry.with(lines.with_target(false).compact()).try_init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true).with_span_list(false)).try_init(),
    }
    .map_err(|error| error.to_string())
}
