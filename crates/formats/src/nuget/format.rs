//! NuGet as a format of repositories.

use std::cmp::Ordering;

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Command, CommandPlace, Content, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner, TakenName,
};

use super::{
    commands,
    id::NugetId,
    inspect,
    layout::{self, NugetPath, package_path},
    version::{self, NugetVersion},
};
use crate::readers::Limits;

/// The format of dotnet and nuget.
#[derive(Debug)]
pub struct Nuget;

/// The path of a package whose name is not known before it was inspected.
pub(super) const UNNAMED: &str = "upload.nupkg";

/// Files and folders of the service.
const RESERVED: &[&str] =
    &["index.json", "flat", "registration", "publish", "symbols", "query", "autocomplete", UNNAMED];

impl Format for Nuget {
    fn name(&self) -> &'static str {
        "nuget"
    }

    fn title(&self) -> &'static str {
        "NuGet"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        let top = path.as_str().split('/').next().unwrap_or_default();
        match NugetPath::parse(path.as_str()) {
            Some(NugetPath::Package(id, version) | NugetPath::Symbols(id, version)) => {
                owner(&id, &version).map(PathKind::Payload)
            }
            Some(_) => Ok(PathKind::Reserved),
            None if RESERVED.contains(&top) => Ok(PathKind::Reserved),
            None => Err(format!(
                "'{path}' is not a path of a NuGet repository: files are at flat/<id>/<version>/<id>.<version>.nupkg"
            )),
        }
    }

    fn inspects(&self, path: &FilePath) -> bool {
        path.as_str() == UNNAMED || package_at(path).is_some()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let package = inspect::inspect(content, &Limits::default())?;
        let version = package.nuspec.version()?;
        if let Some((id, named)) = package_at(path) {
            inspect::check_path(&package.nuspec, &id, &named)?;
        }
        owner(&package.nuspec.id, &version)?;
        // The nuspec is served as it is, and the rest is read from it again.
        Ok(Inspected { facts: None, about: Some(package.nuspec_bytes) })
    }

    fn taken_names(&self, path: &FilePath, _sha256: Digest) -> Vec<TakenName> {
        let Some(NugetPath::Package(id, version)) = NugetPath::parse(path.as_str()) else { return Vec::new() };
        let key = format!("version {} {}", id.lower(), version.lower());
        vec![TakenName { key, holder: version.lower(), is_lasting: false }]
    }

    fn main_file(&self, path: &FilePath) -> Option<FilePath> {
        match NugetPath::parse(path.as_str()) {
            Some(NugetPath::Nuspec(id, version)) => FilePath::parse(&package_path(&id, &version)).ok(),
            _ => None,
        }
    }

    fn part_bytes(&self, _path: &FilePath, about: &[u8]) -> Option<Vec<u8>> {
        Some(about.to_vec())
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        layout::is_counted(path)
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        match NugetPath::parse(path.as_str())? {
            NugetPath::Package(..) | NugetPath::Symbols(..) => Some("application/octet-stream"),
            NugetPath::Nuspec(..) => Some("application/xml"),
            _ => Some("application/json"),
        }
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        NugetVersion::parse(version).is_ok_and(|version| version.is_prerelease())
    }

    fn package_indexes(&self) -> Option<&dyn PackageIndexes> {
        Some(self)
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }
}

/// The id and the version of the package, or of the symbols, at this path.
pub(super) fn package_at(path: &FilePath) -> Option<(NugetId, NugetVersion)> {
    match NugetPath::parse(path.as_str())? {
        NugetPath::Package(id, version) | NugetPath::Symbols(id, version) => Some((id, version)),
        _ => None,
    }
}

/// Package and version. Ids and versions are compared without case, so ours are in lower case.
pub(super) fn owner(id: &NugetId, version: &NugetVersion) -> Result<PathOwner, String> {
    let package = PackageName::parse_new(&id.lower()).map_err(|error| error.to_string())?;
    let version = VersionName::parse_new(&version.lower()).map_err(|error| error.to_string())?;
    Ok(PathOwner { package: Some(package), version: Some(version) })
}

#[cfg(test)]
mod tests;
