//! npm as a format of repositories.

use std::cmp::Ordering;

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Command, CommandPlace, Content, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner, TakenName,
};

use super::{commands, inspect, layout, packument::ABBREVIATED_TYPE, version};
use crate::readers::Limits;

/// The format of npm, pnpm and yarn.
#[derive(Debug)]
pub struct Npm;

impl Format for Npm {
    fn name(&self) -> &'static str {
        "npm"
    }

    fn title(&self) -> &'static str {
        "npm"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str() == "-" || path.as_str().starts_with("-/") {
            return Ok(PathKind::Reserved);
        }
        let (name, version) = layout::parse(path)?;
        let package = PackageName::parse(&name.package()).map_err(|error| error.to_string())?;
        let version = VersionName::parse(&version.to_string()).map_err(|error| error.to_string())?;
        Ok(PathKind::Payload(PathOwner { package: Some(package), version: Some(version) }))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        layout::parse(path).is_ok()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let Ok((name, version)) = layout::parse(path) else { return Ok(Inspected::default()) };
        let facts = inspect::inspect(&name, &version, content, &Limits::whole_archive())?;
        Ok(Inspected { facts: None, about: Some(facts.encode()) })
    }

    fn needs_sha512(&self) -> bool {
        true
    }

    fn taken_names(&self, path: &FilePath, _sha256: Digest) -> Vec<TakenName> {
        let Ok((name, version)) = layout::parse(path) else { return Vec::new() };
        let key = format!("version {} {}", name.package(), version::unique(&version));
        vec![TakenName { key, holder: version.to_string(), is_lasting: false }]
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        layout::parse(path).is_ok()
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        match path.as_str() {
            text if text.starts_with(layout::ABBREVIATED) => Some(ABBREVIATED_TYPE),
            text if text.starts_with(layout::FULL) => Some("application/json"),
            _ => layout::parse(path).ok().map(|_| "application/octet-stream"),
        }
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        semver::Version::parse(version).is_ok_and(|version| !version.pre.is_empty())
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

#[cfg(test)]
mod tests;
