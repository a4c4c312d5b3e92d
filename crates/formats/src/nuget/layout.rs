//! Paths of a repository.

use model::file_path::FilePath;

use super::{id::NugetId, version::NugetVersion};

/// A file or document at a path below the repository's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NugetPath {
    /// The service index.
    ServiceIndex,
    /// The list of versions of an id.
    Versions(NugetId),
    /// A package.
    Package(NugetId, NugetVersion),
    /// Symbols of a package.
    Symbols(NugetId, NugetVersion),
    /// The nuspec of a package.
    Nuspec(NugetId, NugetVersion),
    /// The registration index of an id.
    Registration(NugetId),
    /// A page of a registration, from its lowest to its highest version.
    RegistrationPage(NugetId, NugetVersion, NugetVersion),
    /// The registration of one version.
    RegistrationLeaf(NugetId, NugetVersion),
}

impl NugetPath {
    /// Parses a path. Ids and versions in it must be in lower case and normal form.
    pub fn parse(path: &str) -> Option<Self> {
        let segments: Vec<&str> = path.split('/').collect();
        match segments[..] {
            ["index.json"] => Some(Self::ServiceIndex),
            ["flat", id, "index.json"] => Some(Self::Versions(lower_id(id)?)),
            ["flat", id, version, file] => file_of(lower_id(id)?, lower_version(version)?, file),
            ["registration", id, "index.json"] => Some(Self::Registration(lower_id(id)?)),
            ["registration", id, "page", low, high] => {
                let high = high.strip_suffix(".json")?;
                Some(Self::RegistrationPage(lower_id(id)?, lower_version(low)?, lower_version(high)?))
            }
            ["registration", id, file] => {
                Some(Self::RegistrationLeaf(lower_id(id)?, lower_version(file.strip_suffix(".json")?)?))
            }
            _ => None,
        }
    }
}

fn lower_id(text: &str) -> Option<NugetId> {
    NugetId::parse(text).ok().filter(|id| id.lower() == text)
}

fn lower_version(text: &str) -> Option<NugetVersion> {
    NugetVersion::parse(text).ok().filter(|version| version.lower() == text)
}

fn file_of(id: NugetId, version: NugetVersion, file: &str) -> Option<NugetPath> {
    let stem = format!("{}.{}", id.lower(), version.lower());
    match file.strip_prefix(stem.as_str()) {
        Some(".nupkg") => Some(NugetPath::Package(id, version)),
        Some(".snupkg") => Some(NugetPath::Symbols(id, version)),
        _ if file.strip_suffix(".nuspec") == Some(id.lower().as_str()) => Some(NugetPath::Nuspec(id, version)),
        _ => None,
    }
}

/// The path of a package.
pub fn package_path(id: &NugetId, version: &NugetVersion) -> String {
    let (id, version) = (id.lower(), version.lower());
    format!("flat/{id}/{version}/{id}.{version}.nupkg")
}

/// The path of a package's symbols.
pub fn symbols_path(id: &NugetId, version: &NugetVersion) -> String {
    let (id, version) = (id.lower(), version.lower());
    format!("flat/{id}/{version}/{id}.{version}.snupkg")
}

/// The path of a package's nuspec.
pub fn nuspec_path(id: &NugetId, version: &NugetVersion) -> String {
    let (id, version) = (id.lower(), version.lower());
    format!("flat/{id}/{version}/{id}.nuspec")
}

/// The path of the list of versions.
pub fn versions_path(id: &NugetId) -> String {
    format!("flat/{}/index.json", id.lower())
}

/// The path of the registration index.
pub fn registration_path(id: &NugetId) -> String {
    format!("registration/{}/index.json", id.lower())
}

/// The path of the registration of one version.
pub fn leaf_path(id: &NugetId, version: &NugetVersion) -> String {
    format!("registration/{}/{}.json", id.lower(), version.lower())
}

/// Returns whether a whole GET of this file counts as a download.
pub fn is_counted(path: &FilePath) -> bool {
    matches!(NugetPath::parse(path.as_str()), Some(NugetPath::Package(..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_paths_are_parsed() {
        let id = NugetId::parse("Acme.Hello").expect("an id");
        let version = NugetVersion::parse("1.0-Beta").expect("a version");
        assert_eq!(package_path(&id, &version), "flat/acme.hello/1.0.0-beta/acme.hello.1.0.0-beta.nupkg");
        let both = (id.clone(), version.clone());
        for (path, expected) in [
            ("index.json".to_owned(), NugetPath::ServiceIndex),
            (versions_path(&id), NugetPath::Versions(id.clone())),
            (package_path(&id, &version), NugetPath::Package(both.0.clone(), both.1.clone())),
            (symbols_path(&id, &version), NugetPath::Symbols(both.0.clone(), both.1.clone())),
            (nuspec_path(&id, &version), NugetPath::Nuspec(both.0.clone(), both.1.clone())),
            (registration_path(&id), NugetPath::Registration(id.clone())),
            (leaf_path(&id, &version), NugetPath::RegistrationLeaf(id.clone(), version.clone())),
        ] {
            assert_eq!(NugetPath::parse(&path), Some(expected), "{path}");
        }
        let page = NugetPath::parse("registration/a/page/1.0.0/2.0.0.json");
        assert!(matches!(page, Some(NugetPath::RegistrationPage(..))));
        let counted = |text: &str| is_counted(&FilePath::parse(text).expect("a path"));
        assert!(counted(&package_path(&id, &version)) && !counted(&nuspec_path(&id, &version)));
    }

    #[test]
    fn other_paths_are_nothing() {
        for path in [
            "flat/Acme/index.json",
            "flat/a/1.0/a.1.0.nupkg",
            "flat/a/1.0.0/b.1.0.0.nupkg",
            "flat/a/1.0.0/a.1.0.0.zip",
            "flat/a/1.0.0-B/a.1.0.0-B.nupkg",
            "registration/a/1.json",
            "flat/../index.json",
            "",
        ] {
            assert_eq!(NugetPath::parse(path), None, "{path}");
        }
    }
}
