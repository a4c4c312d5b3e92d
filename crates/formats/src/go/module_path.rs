//! Module paths.

use model::names::PackageName;

use super::{elements::check_module_element, escape::escape, version::GoVersion};
use crate::readers::quoted;

/// A valid module path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModulePath(String);

impl ModulePath {
    /// Parses a path by the rules of `module.CheckPath`.
    pub fn parse(text: &str) -> Result<Self, String> {
        match check(text) {
            Ok(()) => Ok(Self(text.to_owned())),
            Err(reason) => Err(format!("module path '{}' is not valid: {reason}", quoted(text))),
        }
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path as it appears in URLs and files.
    pub fn escaped(&self) -> String {
        escape(&self.0)
    }

    /// The package of the module: `example.com/acme/lib` is `example.com:acme:lib`.
    pub fn package(&self) -> Result<PackageName, String> {
        PackageName::parse(&self.0.replace('/', ":")).map_err(|error| error.to_string())
    }

    /// The module of a package, if it can be one.
    pub fn of_package(package: &PackageName) -> Option<Self> {
        Self::parse(&package.as_str().replace(':', "/")).ok()
    }

    /// The suffix that names the major version: `/v2`, `.v2` of gopkg.in, or nothing.
    pub fn major(&self) -> &str {
        split_major(&self.0).unwrap_or_default()
    }

    /// Refuses a version whose major number does not fit the path.
    pub fn check_version(&self, version: &GoVersion) -> Result<(), String> {
        let major = self.major();
        let major = if major.starts_with('.') { major.trim_end_matches("-unstable") } else { major };
        let number = format!("v{}", version.major());
        let fits = match major {
            "" => matches!(number.as_str(), "v0" | "v1") || version.is_incompatible(),
            ".v1" if version.as_str().starts_with("v0.0.0-") => true,
            major => major[1..] == number,
        };
        if fits {
            return Ok(());
        }
        let expected =
            if major.is_empty() { "v0 or v1; later versions need a path with a suffix" } else { &major[1..] };
        Err(format!("version {} does not fit module '{}', whose versions are {expected}", version.as_str(), self.0))
    }
}

fn check(text: &str) -> Result<(), &'static str> {
    for element in text.split('/') {
        check_module_element(element)?;
    }
    let first = text.split('/').next().unwrap_or_default();
    if !first.contains('.') {
        return Err("its first element has no dot");
    }
    if first.starts_with('-') {
        return Err("it begins with '-'");
    }
    let is_host = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    if !first.chars().all(is_host) {
        return Err("its first element may have only lower-case letters, digits, '-' and '.'");
    }
    split_major(text).map(drop).ok_or("its major version suffix is not valid")
}

/// Returns the suffix of a path that names the major version; `None` if it is malformed.
fn split_major(path: &str) -> Option<&str> {
    if path.starts_with("gopkg.in/") {
        let stable = path.strip_suffix("-unstable").unwrap_or(path);
        let start = stable.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix(".v")?.len();
        let digits = &stable[start + 2..];
        let is_valid = !digits.is_empty() && (!digits.starts_with('0') || &path[start..] == ".v0");
        return is_valid.then_some(&path[start..]);
    }
    let rest = path.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let Some(start) = rest.strip_suffix("/v").map(str::len).filter(|_| rest.len() < path.len()) else {
        return Some("");
    };
    let digits = &path[start + 2..];
    let is_valid = !digits.contains('.') && !digits.starts_with('0') && digits != "1";
    is_valid.then_some(&path[start..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_are_those_of_go() {
        let mut valid = 0;
        for line in include_str!("../../oracles/go-paths.tsv").lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["+", text, escaped, major] => {
                    let path = ModulePath::parse(text).expect(text);
                    assert_eq!((path.escaped().as_str(), path.major()), (escaped, major), "{text}");
                    valid += 1;
                }
                ["!", text] => assert!(ModulePath::parse(text).is_err(), "{text}"),
                _ => panic!("{line}"),
            }
        }
        assert!(valid > 100);
    }

    #[test]
    fn majors_are_those_of_go() {
        for line in include_str!("../../oracles/go-majors.tsv").lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [sign, path, version] = fields[..] else { panic!("{line}") };
            let version = GoVersion::parse(version).expect(version);
            let checked = ModulePath::parse(path).expect(path).check_version(&version);
            assert_eq!(checked.is_ok(), sign == "+", "{line}");
        }
    }

    #[test]
    fn the_major_version_fits_the_path() {
        let check = |path: &str, version: &str| {
            let version = GoVersion::parse(version).expect("a version");
            ModulePath::parse(path).expect("a path").check_version(&version)
        };
        assert_eq!(check("example.com/a", "v1.2.3"), Ok(()));
        assert_eq!(check("example.com/a/v2", "v2.0.0"), Ok(()));
        assert_eq!(check("example.com/a", "v2.0.0+incompatible"), Ok(()));
        assert_eq!(check("gopkg.in/yaml.v3", "v3.0.1"), Ok(()));
        assert_eq!(check("gopkg.in/x.v1", "v0.0.0-20260102150405-abcdefabcdef"), Ok(()));
        for (path, version) in
            [("example.com/a", "v2.0.0"), ("example.com/a/v2", "v1.0.0"), ("gopkg.in/x.v3", "v2.0.0")]
        {
            assert!(check(path, version).is_err(), "{path} {version}");
        }
    }

    #[test]
    fn other_paths_are_refused() {
        for bad in ["", "a//b", "a.b/@v/c", "A.b/c", "a.b/", "/a.b", "a.b/../c", "a.b/c:d", "a.b/con", "a.b/x~1"] {
            assert!(ModulePath::parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn paths_and_packages_map_both_ways(text in "[a-z]{1,5}\\.[a-z]{2}(/[A-Za-z0-9_-]{1,8}){0,3}") {
            if let Ok(path) = ModulePath::parse(&text) {
                let package = path.package().expect("a name");
                prop_assert_eq!(ModulePath::of_package(&package), Some(path));
            }
        }
    }
}
