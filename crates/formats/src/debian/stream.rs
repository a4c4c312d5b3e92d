//! The streams of `Packages`, `Sources` and `Contents`.

use std::fmt;

/// The word that stands for source packages where others have their architecture.
pub const SOURCE: &str = "source";

/// The word for all architectures.
pub const ALL: &str = "all";

/// Stands before the architecture in the names of streams of `Contents`. No architecture begins like this.
const CONTENTS: &str = "contents:";

/// A stream of `Packages`, `Sources` or `Contents`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackagesStream {
    /// The suite.
    pub suite: String,
    /// The component.
    pub component: String,
    /// The architecture, or [`SOURCE`].
    pub architecture: String,
    /// Whether it lists the files in packages.
    pub is_contents: bool,
}

/// The name of the stream: `stable/main/amd64`, or `stable/main/contents:amd64`.
impl fmt::Display for PackagesStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_contents { CONTENTS } else { "" };
        write!(f, "{}/{}/{kind}{}", self.suite, self.component, self.architecture)
    }
}

impl PackagesStream {
    /// Parses the name of a stream.
    pub fn parse(name: &str) -> Option<Self> {
        let (suite, rest) = name.split_once('/')?;
        let (component, name) = rest.rsplit_once('/')?;
        let contents = name.strip_prefix(CONTENTS);
        Some(Self {
            suite: suite.into(),
            component: component.into(),
            architecture: contents.unwrap_or(name).into(),
            is_contents: contents.is_some(),
        })
    }

    /// Whether it lists source packages.
    pub fn is_source(&self) -> bool {
        self.architecture == SOURCE
    }

    /// The stream of `Contents` of the same packages. Source packages have none.
    pub fn contents(&self) -> Option<Self> {
        (!self.is_source()).then(|| Self { is_contents: true, ..self.clone() })
    }

    /// Whether all its packages are also in another stream: those for all architectures are listed for each.
    pub fn shares(&self, with: &Self) -> bool {
        let is_binary = with.architecture != ALL && !with.is_source() && self.is_contents == with.is_contents;
        self.architecture == ALL && is_binary && (&self.suite, &self.component) == (&with.suite, &with.component)
    }

    /// The folder of the index below the suite's.
    pub fn folder_in_suite(&self) -> String {
        if self.is_contents {
            self.component.clone()
        } else if self.is_source() {
            format!("{}/source", self.component)
        } else {
            format!("{}/binary-{}", self.component, self.architecture)
        }
    }

    /// The path of the plain index below the suite's folder: `main/binary-amd64/Packages`.
    pub fn path_in_suite(&self) -> String {
        let folder = self.folder_in_suite();
        if self.is_contents {
            return format!("{folder}/Contents-{}", self.architecture);
        }
        format!("{folder}/{}", if self.is_source() { "Sources" } else { "Packages" })
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
        let source = PackagesStream::parse("stable/main/source").expect("a stream");
        assert_eq!(source.path_in_suite(), "main/source/Sources");
        assert_eq!(source.contents(), None);
        let contents = stream.contents().expect("a stream");
        assert_eq!(contents.to_string(), "stable/updates/main/contents:amd64");
        assert_eq!(PackagesStream::parse(&contents.to_string()).as_ref(), Some(&contents));
        assert_eq!(contents.path_in_suite(), "updates/main/Contents-amd64");
        assert_eq!(contents.folder_in_suite(), "updates/main");
        let shares = |left, right| {
            let [left, right] = [left, right].map(|name| PackagesStream::parse(name).expect("a stream"));
            left.shares(&right)
        };
        assert!(shares("stable/main/all", "stable/main/amd64") && !shares("stable/main/amd64", "stable/main/all"));
        assert!(!shares("stable/main/all", "stable/main/source") && !shares("stable/main/all", "stable/x/amd64"));
        assert!(shares("stable/main/contents:all", "stable/main/contents:amd64"));
        assert!(!shares("stable/main/contents:all", "stable/main/amd64"));
        assert!(!shares("stable/main/all", "stable/main/contents:amd64"));
        assert!(!shares("stable/main/all", "sid/main/amd64") && !shares("stable/main/all", "stable/main/all"));
    }
}
