//! Dependencies of a package: provides, requires and others.

use std::collections::HashSet;

use super::{header::RpmHeader, version, xml};

const LESS: u64 = 1 << 1;
const GREATER: u64 = 1 << 2;
const EQUAL: u64 = 1 << 3;

/// The flags of requirements that must be installed before: by an old tag, or for a script.
const BEFORE: u64 = 1 << 6 | 1 << 9 | 1 << 10;

/// A dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpmDependency {
    /// The name of a package, a file or a capability.
    pub name: String,
    /// The version, which may be empty.
    pub version: String,
    /// The flags of rpm.
    pub flags: u64,
}

impl RpmDependency {
    /// Reads the dependencies of three tags.
    pub fn read(header: &RpmHeader, names: u32, versions: u32, flags: u32) -> Result<Vec<Self>, String> {
        let (names, versions, flags) = (header.texts(names)?, header.texts(versions)?, header.numbers(flags)?);
        let is_complete = |count: usize| count == names.len() || count == 0;
        if !is_complete(versions.len()) || !is_complete(flags.len()) {
            return Err("the header has dependencies without versions or flags".to_owned());
        }
        let mut versions = versions.into_iter();
        let mut flags = flags.into_iter();
        let next = |name| RpmDependency {
            name,
            version: versions.next().unwrap_or_default(),
            flags: flags.next().unwrap_or_default(),
        };
        Ok(names.into_iter().map(next).collect())
    }

    /// Whether it must be installed before the package.
    fn is_before(&self) -> bool {
        self.flags & BEFORE != 0
    }

    fn comparison(&self) -> Option<&'static str> {
        match self.flags & (LESS | GREATER | EQUAL) {
            LESS => Some("LT"),
            GREATER => Some("GT"),
            EQUAL => Some("EQ"),
            flags if flags == LESS | EQUAL => Some("LE"),
            flags if flags == GREATER | EQUAL => Some("GE"),
            _ => None,
        }
    }

    fn write(&self, text: &mut String, may_be_before: bool) {
        text.push_str(&format!("<rpm:entry name=\"{}\"", xml::text(&self.name)));
        if let Some(comparison) = self.comparison()
            && !self.version.is_empty()
        {
            let (epoch, version, release) = version::split(&self.version);
            let epoch = if epoch.is_empty() { "0" } else { epoch };
            text.push_str(&format!(" flags=\"{comparison}\" epoch=\"{epoch}\" ver=\"{}\"", xml::text(version)));
            if let Some(release) = release {
                text.push_str(&format!(" rel=\"{}\"", xml::text(release)));
            }
        }
        if may_be_before && self.is_before() {
            text.push_str(" pre=\"1\"");
        }
        text.push_str("/>");
    }
}

/// Writes the element of a kind of dependencies, if any remain. Requirements of rpm itself are left out, and equal ones
/// are written once.
pub fn write(
    text: &mut String,
    kind: &str,
    dependencies: &[RpmDependency],
    provided: &[RpmDependency],
    files: &[&str],
) {
    let is_requires = kind == "requires";
    let mut written: Vec<&RpmDependency> = Vec::new();
    let mut seen = HashSet::new();
    let key =
        |dependency: &RpmDependency| (dependency.name.clone(), dependency.comparison(), dependency.version.clone());
    let provided: HashSet<_> = if is_requires { provided.iter().map(key).collect() } else { HashSet::new() };
    let files: HashSet<&str> = files.iter().copied().collect();
    for dependency in dependencies {
        let is_own = || files.contains(dependency.name.as_str()) || provided.contains(&key(dependency));
        if is_requires && (dependency.name.starts_with("rpmlib(") || is_own()) {
            continue;
        }
        if !is_requires || seen.insert((key(dependency), dependency.is_before())) {
            written.push(dependency);
        }
    }
    if written.is_empty() {
        return;
    }
    text.push_str(&format!("<rpm:{kind}>"));
    written.iter().for_each(|dependency| dependency.write(text, is_requires));
    text.push_str(&format!("</rpm:{kind}>"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(name: &str, version: &str, flags: u64) -> RpmDependency {
        RpmDependency { name: name.to_owned(), version: version.to_owned(), flags }
    }

    fn written(kind: &str, dependencies: &[RpmDependency]) -> String {
        let mut text = String::new();
        write(&mut text, kind, dependencies, &[dependency("own", "1-1", EQUAL)], &["/usr/bin/own"]);
        text
    }

    #[test]
    fn entries_have_versions_and_comparisons() {
        let entry = |flags| written("provides", &[dependency("a<", "1:2-3", flags)]);
        assert!(entry(EQUAL).contains("name=\"a&lt;\" flags=\"EQ\" epoch=\"1\" ver=\"2\" rel=\"3\"/>"));
        for (flags, name) in [(LESS, "LT"), (GREATER, "GT"), (LESS | EQUAL, "LE"), (GREATER | EQUAL, "GE")] {
            assert!(entry(flags).contains(&format!("flags=\"{name}\"")), "{name}");
        }
        assert_eq!(entry(0), "<rpm:provides><rpm:entry name=\"a&lt;\"/></rpm:provides>");
        assert_eq!(written("conflicts", &[]), "");
    }

    #[test]
    fn requirements_are_reduced() {
        let all = [
            dependency("rpmlib(X)", "1", EQUAL),
            dependency("own", "1-1", EQUAL),
            dependency("/usr/bin/own", "", 0),
            dependency("a", "", 0),
            dependency("a", "", 0),
            dependency("a", "", 1 << 9),
        ];
        let expected = "<rpm:requires><rpm:entry name=\"a\"/><rpm:entry name=\"a\" pre=\"1\"/></rpm:requires>";
        assert_eq!(written("requires", &all), expected);
    }
}
