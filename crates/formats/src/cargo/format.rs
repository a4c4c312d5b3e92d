//! Cargo as a format of repositories.

use std::cmp::Ordering;

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Command, CommandPlace, Content, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner, TakenName,
};
use semver::Version;

use super::{
    commands, index, inspect,
    layout::{self, CargoPath},
    name::CrateName,
    version,
};
use crate::readers::Limits;

/// The format of Rust's package manager.
#[derive(Debug)]
pub struct Cargo;

/// Files and folders of the registry's own. Folders of the index have one or two characters.
const RESERVED: &[&str] = &["api", "config.json", "me"];

impl Format for Cargo {
    fn name(&self) -> &'static str {
        "cargo"
    }

    fn title(&self) -> &'static str {
        "Cargo"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        let top = path.as_str().split('/').next().unwrap_or_default();
        if RESERVED.contains(&top) || top.len() <= 2 {
            return Ok(PathKind::Reserved);
        }
        match layout::classify(path)? {
            CargoPath::Crate(name, version) => owner(&name, &version).map(PathKind::Payload),
            CargoPath::IndexFile(_) | CargoPath::Config => Ok(PathKind::Reserved),
        }
    }

    fn inspects(&self, path: &FilePath) -> bool {
        crate_at(path).is_some()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let Some((name, version)) = crate_at(path) else { return Ok(Inspected::default()) };
        let release = inspect::inspect(&name, &version, content, &Limits::whole_archive())?;
        Ok(Inspected { facts: None, about: Some(index::start_of_line(&release).into_bytes()) })
    }

    fn taken_names(&self, path: &FilePath, _sha256: Digest) -> Vec<TakenName> {
        let Some((name, version)) = crate_at(path) else { return Vec::new() };
        let canonical = name.canonical();
        let unique = version::unique(&version);
        vec![
            TakenName { key: name_key(&name), holder: name.to_string(), is_lasting: true },
            TakenName { key: format!("version {canonical} {unique}"), holder: version.to_string(), is_lasting: false },
        ]
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        crate_at(path).is_some()
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        match layout::classify(path).ok()? {
            CargoPath::Crate(..) => Some("application/gzip"),
            CargoPath::IndexFile(_) => Some("text/plain; charset=utf-8"),
            CargoPath::Config => None,
        }
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        Version::parse(version).is_ok_and(|version| !version.pre.is_empty())
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

/// The name that all spellings of a crate share.
pub(super) fn name_key(name: &CrateName) -> String {
    format!("crate {}", name.canonical())
}

/// The crate and the version of the file at this path.
pub(super) fn crate_at(path: &FilePath) -> Option<(CrateName, Version)> {
    match layout::classify(path) {
        Ok(CargoPath::Crate(name, version)) => Some((name, version)),
        _ => None,
    }
}

fn owner(name: &CrateName, version: &Version) -> Result<PathOwner, String> {
    let package = PackageName::parse(name.as_str()).map_err(|error| error.to_string())?;
    let version = VersionName::parse(&version.to_string()).map_err(|error| error.to_string())?;
    Ok(PathOwner { package: Some(package), version: Some(version) })
}

#[cfg(test)]
mod tests;
