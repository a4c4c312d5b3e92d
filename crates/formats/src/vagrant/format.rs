//! Vagrant as a format of repositories.

use std::cmp::Ordering;

use model::{file_path::FilePath, names::VersionName};
use operations::format::{
    Command, CommandPlace, Content, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner,
};

use super::{
    BoxArchitecture, BoxPath, BoxProvider, BoxVersion, commands, inspect,
    layout::{DOCUMENTS, file_path},
    version,
};
use crate::readers::Limits;

/// The format of Vagrant.
#[derive(Debug)]
pub struct Vagrant;

impl Format for Vagrant {
    fn name(&self) -> &'static str {
        "vagrant"
    }

    fn title(&self) -> &'static str {
        "Vagrant"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str() == "api" || path.as_str().starts_with("api/") {
            return Ok(PathKind::Reserved);
        }
        match BoxPath::parse(path.as_str())? {
            BoxPath::File(name, version, provider, architecture) => {
                let written = file_path(&name, &version, &provider, &architecture);
                if path.as_str() != written {
                    return Err(format!("the path of this box is '{written}'"));
                }
                let version = VersionName::parse(version.as_str()).map_err(|error| error.to_string())?;
                Ok(PathKind::Payload(PathOwner { package: Some(name.package()?), version: Some(version) }))
            }
            BoxPath::Document(_) | BoxPath::Search => Ok(PathKind::Reserved),
        }
    }

    fn inspects(&self, path: &FilePath) -> bool {
        box_file(path).is_some()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let Some((provider, _)) = box_file(path) else { return Ok(Inspected::default()) };
        let own = inspect::inspect(content, &Limits::default())?;
        inspect::check_provider(own.as_ref(), &provider)?;
        Ok(Inspected::default())
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        box_file(path).is_some()
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        if path.as_str().starts_with(DOCUMENTS) {
            return Some("application/json");
        }
        box_file(path).map(|_| "application/octet-stream")
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        BoxVersion::parse(version).is_ok_and(|version| version.is_prerelease())
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

/// Provider and architecture of the box at this path.
pub(super) fn box_file(path: &FilePath) -> Option<(BoxProvider, BoxArchitecture)> {
    match BoxPath::parse(path.as_str()) {
        Ok(BoxPath::File(_, _, provider, architecture)) => Some((provider, architecture)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
