//! Paths in a repository: `crates/<crate>/<crate>-<version>.crate`, and the files of the index.

use model::file_path::FilePath;
use semver::Version;

use super::{name::CrateName, version};

/// The kind of a path in a repository of this format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CargoPath {
    /// A `.crate` file.
    Crate(CrateName, Version),
    /// The index file of the crate with this name in lower case.
    IndexFile(String),
    /// The configuration of the registry.
    Config,
}

/// The path of a `.crate` file.
pub fn path_of(name: &CrateName, version: &Version) -> Result<FilePath, String> {
    FilePath::parse_new(&format!("crates/{name}/{name}-{version}.crate")).map_err(|error| error.to_string())
}

/// Classifies a path; returns the reason if no file may be there.
pub fn classify(path: &FilePath) -> Result<CargoPath, String> {
    let segments: Vec<&str> = path.as_str().split('/').collect();
    match segments[..] {
        ["config.json"] => Ok(CargoPath::Config),
        ["crates", folder, file] => classify_crate(folder, file),
        _ => index_file(path).ok_or_else(|| {
            format!("'{path}' is not a path of a Cargo repository: files are at crates/<crate>/<crate>-<version>.crate")
        }),
    }
}

fn classify_crate(folder: &str, file: &str) -> Result<CargoPath, String> {
    let name = CrateName::parse(folder)?;
    let stem = file.strip_suffix(".crate").and_then(|stem| stem.strip_prefix(folder)?.strip_prefix('-'));
    let version = stem.ok_or_else(|| format!("the file must be named '{name}-<version>.crate'"))?;
    Ok(CargoPath::Crate(name, version::parse(version)?))
}

fn index_file(path: &FilePath) -> Option<CargoPath> {
    let name = CrateName::parse(path.file_name()).ok()?;
    let is_index = name.index_path() == path.as_str();
    is_index.then(|| CargoPath::IndexFile(name.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Result<CargoPath, String> {
        classify(&FilePath::parse(text).expect("a path"))
    }

    #[test]
    fn crates_are_in_the_folder_of_their_name() {
        let path = "crates/My-Lib/My-Lib-1.0.0-rc.1.crate";
        let Ok(CargoPath::Crate(name, version)) = at(path) else { panic!("a crate") };
        assert_eq!((name.as_str(), version.to_string().as_str()), ("My-Lib", "1.0.0-rc.1"));
        assert_eq!(path_of(&name, &version).expect("a path").as_str(), path);
        for bad in
            ["crates/a/b-1.0.0.crate", "crates/a/a-1.0.crate", "crates/1/1-1.0.0.crate", "crates/a/a-1.0.0.zip", "a"]
        {
            assert!(at(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn index_files_are_in_lower_case() {
        assert_eq!(at("my/-l/my-lib"), Ok(CargoPath::IndexFile("my-lib".to_owned())));
        assert_eq!(at("1/a"), Ok(CargoPath::IndexFile("a".to_owned())));
        assert_eq!(at("config.json"), Ok(CargoPath::Config));
        for bad in ["My/-L/My-Lib", "2/a", "ab/cd/abce", "3/b/abc"] {
            assert!(at(bad).is_err(), "{bad}");
        }
    }
}
