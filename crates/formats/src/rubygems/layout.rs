//! Paths in a repository: `gems/<full name>.gem`, and the documents that the server makes.

use model::file_path::FilePath;

use super::name::{self, is_full_name};

/// The compact index of all gems.
pub const VERSIONS: &str = "versions";

/// The names of all gems.
pub const NAMES: &str = "names";

/// The folder of the compact indexes of gems.
pub const INFO: &str = "info/";

/// Files and folders of the server's own.
const RESERVED: &[&str] = &[
    VERSIONS,
    NAMES,
    "info",
    "quick",
    "api",
    "specs.4.8.gz",
    "latest_specs.4.8.gz",
    "prerelease_specs.4.8.gz",
    "specs.4.8",
    "latest_specs.4.8",
    "prerelease_specs.4.8",
];

/// The kind of a path in a repository of this format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GemPath {
    /// A gem with this full name.
    Gem(String),
    /// The quick specification of the gem with this full name.
    Quick(String),
    /// A document, or a folder of documents, of the server's own.
    Reserved,
}

/// Classifies a path; returns the reason if no file may be there.
pub fn classify(path: &FilePath) -> Result<GemPath, String> {
    let text = path.as_str();
    let between = |before: &str, after: &str| {
        let name = text.strip_prefix(before)?.strip_suffix(after)?;
        is_full_name(name).then(|| name.to_owned())
    };
    if let Some(full_name) = between("gems/", ".gem") {
        return Ok(GemPath::Gem(full_name));
    }
    if let Some(full_name) = between("quick/Marshal.4.8/", ".gemspec.rz") {
        return Ok(GemPath::Quick(full_name));
    }
    let top = text.split('/').next().unwrap_or_default();
    if RESERVED.contains(&top) {
        return Ok(GemPath::Reserved);
    }
    Err(format!("'{path}' is not a path of a RubyGems repository: files are at gems/<name>-<version>[-<platform>].gem"))
}

/// The full name of the gem at this path.
pub fn gem_at(path: &FilePath) -> Option<String> {
    match classify(path) {
        Ok(GemPath::Gem(full_name)) => Some(full_name),
        _ => None,
    }
}

/// The path of a gem.
pub fn path_of(full_name: &str) -> Result<FilePath, String> {
    FilePath::parse_new(&name::gem_path(full_name)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Result<GemPath, String> {
        classify(&FilePath::parse(text).expect("a path"))
    }

    #[test]
    fn gems_have_one_folder() {
        assert_eq!(at("gems/hello-1.0.0-java.gem"), Ok(GemPath::Gem("hello-1.0.0-java".into())));
        let quick = "quick/Marshal.4.8/hello-1.0.0.gemspec.rz";
        assert_eq!(at(quick), Ok(GemPath::Quick("hello-1.0.0".into())));
        assert_eq!(path_of("hello-1.0.0").expect("a path").as_str(), "gems/hello-1.0.0.gem");
        for path in ["versions", "names", "info/hello", "specs.4.8.gz", "api/v1/gems", "quick/x", "versions/x"] {
            assert_eq!(at(path), Ok(GemPath::Reserved), "{path}");
        }
        for path in ["gems/a b-1.gem", "gems/a/b-1.gem", "gems/hello.zip", "hello-1.0.0.gem", "gems/-1.gem"] {
            assert!(at(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_gem_may_be_named_like_an_index() {
        assert_eq!(at("gems/versions-1.0.gem"), Ok(GemPath::Gem("versions-1.0".into())));
    }
}
