//! Errors in the settings, as messages for the operator.

use std::path::PathBuf;

use super::Origin;

/// The reason why the settings cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file does not exist or is not readable.
    #[error("cannot read the settings file `{}`: {source}", path.display())]
    Unreadable {
        /// The path as it was given.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The file is not TOML. The message does not quote the line: it may contain a secret.
    #[error("{}:{line}: {reason}", path.display())]
    Syntax {
        /// The path as it was given.
        path: PathBuf,
        /// The line; the first line is 1.
        line: usize,
        /// The error of the parser.
        reason: String,
    },
    /// Keys or values are wrong. The message lists all of them, one per line.
    #[error("{}", sentences(.0))]
    Wrong(Vec<Problem>),
}

/// One problem to correct.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The setting does not exist.
    #[error("{origin}: unknown key `{key}`; {hint}")]
    UnknownKey {
        /// The source that sets it.
        origin: Origin,
        /// The dotted key.
        key: String,
        /// The most similar key, or the list of keys.
        hint: String,
    },
    /// The value is not valid for the setting.
    #[error("{origin}: `{key}` is `{value}`; expected {expected}")]
    WrongValue {
        /// The source that sets it.
        origin: Origin,
        /// The dotted key.
        key: String,
        /// The value, with secrets masked.
        value: String,
        /// A description of valid values.
        expected: String,
    },
    /// Values that are valid individually contradict each other.
    #[error("{reason}")]
    Contradiction {
        /// The settings that contradict each other, and what to do.
        reason: String,
    },
}

fn sentences(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}
