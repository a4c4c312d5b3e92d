//! The source of each value, for messages and `config show`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The source of one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// No source sets it.
    #[default]
    Default,
    /// The settings file.
    File {
        /// The path as it was given.
        path: PathBuf,
        /// The line of the key; the first line is 1.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// The full name of the variable.
        name: String,
    },
    /// A command-line flag.
    Flag {
        /// The key of the setting that the flag sets.
        key: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::File { path, line } => write!(formatter, "{}:{line}", path.display()),
            Self::Environment { name } => formatter.write_str(name),
            Self::Flag { key } => write!(formatter, "flag {key}"),
        }
    }
}

/// The source of every value that is not a default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(BTreeMap<String, Origin>);

impl Origins {
    /// Returns the source of the value at a dotted key.
    pub fn of(&self, key: &str) -> Origin {
        self.0.get(key).cloned().unwrap_or_default()
    }
}

impl FromIterator<(String, Origin)> for Origins {
    fn from_iter<I: IntoIterator<Item = (String, Origin)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
