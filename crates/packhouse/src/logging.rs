//! Logs to standard error: as text for people, or as JSON for log collectors.

use std::io::IsTerminal;

use settings::{Log, LogFormat};
use tracing::{Level, Metadata};
use tracing_subscriber::{
    filter::{Targets, filter_fn},
    fmt,
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

/// Libraries that log arguments, headers or bodies below the level of warnings; only their warnings pass.
const TALKATIVE: [&str; 7] = ["h2", "hyper", "hyper_util", "object_store", "reqwest", "rustls", "tokio_postgres"];

/// The words that are levels.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Returns the log filter for the settings.
pub(crate) fn filter(log: &Log) -> Result<Targets, String> {
    let parts: Vec<&str> = log.level.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if let Some(word) = parts.iter().find(|part| is_unknown_word(part)) {
        return Err(format!(
            "log.level `{}`: `{word}` is not one of {}; for a part of the program, write `{word}=debug`",
            log.level,
            LEVELS.join(", ")
        ));
    }
    // Without any, errors are logged.
    let parts = if parts.is_empty() { "error".to_owned() } else { parts.join(",") };
    parts.parse::<Targets>().map_err(|error| format!("log.level `{}`: {error}", log.level))
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

/// Whether this is a single word that is not a level, such as `warning`. As a filter, it would be a part of the program,
/// and nothing else would be logged.
fn is_unknown_word(part: &str) -> bool {
    part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && !LEVELS.iter().any(|known| known.eq_ignore_ascii_case(part))
}

/// A library that may log parts of keys; none of its lines pass.
const SILENT: &str = "pgp";

fn is_harmless(about: &Metadata<'_>) -> bool {
    let library = about.target().split("::").next().unwrap_or_default();
    library != SILENT && (*about.level() <= Level::WARN || !TALKATIVE.contains(&library))
}
