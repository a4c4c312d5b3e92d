//! Where a value came from, so that messages and `config show` can say it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The source of one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Nobody said anything.
    #[default]
    Default,
    /// The settings file.
    File {
        /// The file as it was named.
        path: PathBuf,
        /// The line of the key, from one.
        line: usize,
    },
    /// A variable of the environment.
    Environment {
        /// The variable's whole name.
        name: String,
    },
    /// A flag of the command line.
    Flag {
        /// The setting the flag stands for.
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
    /// The source of the value at a dotted key.
    pub fn of(&self, key: &str) -> Origin {
        self.0.get(key).cloned().unwrap_or_default()
    }
}

impl FromIterator<(String, Origin)> for Origins {
    fn from_iter<I: IntoIterator<Item = (String, Origin)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
