//! Paths in a repository: `<name>/-/<base>-<version>.tgz`, and the documents of packages below `-/`.

use model::file_path::FilePath;
use semver::Version;

use super::{name::NpmName, version};

/// The folders of the two forms of package documents.
pub(super) const FULL: &str = "-/full/";
pub(super) const ABBREVIATED: &str = "-/abbreviated/";

/// The path of a tarball.
pub fn path_of(name: &NpmName, version: &Version) -> Result<FilePath, String> {
    FilePath::parse_new(&tarball(name, &version.to_string())).map_err(|error| error.to_string())
}

/// The path of a tarball as text.
pub(super) fn tarball(name: &NpmName, version: &str) -> String {
    format!("{name}/-/{}-{version}.tgz", name.base())
}

/// Parses the path of a tarball; returns the reason if no file may be there.
pub fn parse(path: &FilePath) -> Result<(NpmName, Version), String> {
    let outside = || format!("'{path}' is not a path of an npm repository: files are at <name>/-/<name>-<version>.tgz");
    let (name, file) = path.as_str().split_once("/-/").ok_or_else(outside)?;
    let name = NpmName::parse(name)?;
    let stem = file.strip_suffix(".tgz").and_then(|stem| stem.strip_prefix(name.base())?.strip_prefix('-'));
    let text = stem.ok_or_else(outside)?;
    let version = version::parse(text)?;
    // One version has one path.
    if version.to_string() == text { Ok((name, version)) } else { Err(outside()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tarballs_are_below_their_package() {
        for path in ["hello/-/hello-1.0.0.tgz", "@acme/hello/-/hello-1.0.0-rc.1+b.tgz"] {
            let (name, version) = parse(&FilePath::parse(path).expect("a path")).expect("a tarball");
            assert_eq!(path_of(&name, &version).expect("a path").as_str(), path);
        }
        for bad in [
            "hello/-/other-1.0.0.tgz",
            "hello/-/hello-v1.0.0.tgz",
            "hello/hello-1.0.0.tgz",
            "a",
            "Hello/-/Hello-1.0.0.tgz",
            "hello/-/hello-1.0.tgz",
        ] {
            assert!(parse(&FilePath::parse(bad).expect("a path")).is_err(), "{bad}");
        }
    }
}
