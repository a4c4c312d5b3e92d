//! The streams of `Packages`.

use std::fmt;

/// A stream of `Packages`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackagesStream {
    /// The suite.
    pub suite: String,
    /// The component.
    pub component: String,
    /// The architecture.
    pub architecture: String,
}

/// The name of the stream: `stable/main/amd64`.
impl fmt::Display for PackagesStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.suite, self.component, self.architecture)
    }
}

impl PackagesStream {
    /// Parses the name of a stream.
    pub fn parse(name: &str) -> Option<Self> {
        let (suite, rest) = name.split_once('/')?;
        let (component, architecture) = rest.rsplit_once('/')?;
        Some(Self { suite: suite.into(), component: component.into(), architecture: architecture.into() })
    }

    /// The path of the plain index below the suite's folder: `main/binary-amd64/Packages`.
    pub fn path_in_suite(&self) -> String {
        format!("{}/binary-{}/Packages", self.component, self.architecture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_have_names_and_paths() {
        let stream = PackagesStream::parse("stable/updates/main/amd64").expect("a stream");
        assert_eq!(stream.to_string(), "stable/updates/main/amd64");
        assert_eq!(stream.path_in_suite(), "updates/main/binary-amd64/Packages");
        assert_eq!(PackagesStream::parse("stable/main"), None);
    }
}
