//! What can be wrong with settings, in sentences for the person who wrote them.

use std::path::PathBuf;

use super::Origin;

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file is not there, or may not be read.
    #[error("cannot read the settings file `{}`: {source}", path.display())]
    Unreadable {
        /// The file as it was named.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not TOML. The line itself is not repeated: it may hold a secret.
    #[error("{}:{line}: {reason}", path.display())]
    Syntax {
        /// The file as it was named.
        path: PathBuf,
        /// The line, from one.
        line: usize,
        /// What the parser missed.
        reason: String,
    },
    /// Keys or values are wrong: all of them, one a line.
    #[error("{}", sentences(.0))]
    Wrong(Vec<Problem>),
}

/// One thing to put right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no such setting.
    #[error("{origin}: unknown key `{key}`; {hint}")]
    UnknownKey {
        /// Who said it.
        origin: Origin,
        /// The dotted key.
        key: String,
        /// The nearest known key, or what there is.
        hint: String,
    },
    /// The value is not one the setting can have.
    #[error("{origin}: `{key}` is `{value}`; expected {expected}")]
    WrongValue {
        /// Who said it.
        origin: Origin,
        /// The dotted key.
        key: String,
        /// What was said, secrets masked.
        value: String,
        /// What it should be.
        expected: String,
    },
    /// Values that are right alone do not go together.
    #[error("{reason}")]
    Contradiction {
        /// Which ones, and what to do.
        reason: String,
    },
}

fn sentences(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}
