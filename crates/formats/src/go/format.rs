//! Go modules as a format of repositories.

use std::cmp::Ordering;

use model::{digest::Digest, file_path::FilePath, names::VersionName, timestamp::Timestamp};
use operations::format::{
    Command, CommandPlace, Content, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner, TakenName,
};

use super::{GoPath, GoVersion, ModulePath, commands, index, inspect, layout::file_path, version};
use crate::readers::Limits;

/// The format of the go command.
#[derive(Debug)]
pub struct Go;

impl Format for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn title(&self) -> &'static str {
        "Go"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str() == "sumdb" || path.as_str().starts_with("sumdb/") {
            return Ok(PathKind::Reserved);
        }
        match GoPath::parse(path.as_str())? {
            Some(GoPath::Zip(module, version)) => {
                module.check_version(&version)?;
                let version = VersionName::parse(version.as_str()).map_err(|error| error.to_string())?;
                Ok(PathKind::Payload(PathOwner { package: Some(module.package()?), version: Some(version) }))
            }
            // Tools that copy modules from another proxy send them; they are made of the zip.
            Some(_) => Ok(PathKind::Index),
            None => Err(format!("'{path}' is not '<module>/@v/<version>.zip' with a version like v1.2.3")),
        }
    }

    fn inspects(&self, path: &FilePath) -> bool {
        zip(path).is_some()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let Some((module, version)) = zip(path) else { return Ok(Inspected::default()) };
        let go_mod = inspect::inspect(content, &Limits::default(), &module, &version)?;
        Ok(Inspected { facts: None, about: Some(go_mod) })
    }

    /// The files go.sum of other modules remember the content of a version for ever. Paths that differ in case only
    /// would share a folder on some machines.
    fn taken_names(&self, path: &FilePath, sha256: Digest) -> Vec<TakenName> {
        let Some((module, version)) = zip(path) else { return Vec::new() };
        let lasting = |key: String, holder: String| TakenName { key, holder, is_lasting: true };
        vec![
            lasting(format!("module {}", module.as_str().to_lowercase()), module.as_str().to_owned()),
            lasting(format!("version {}@{}", module.as_str(), version.as_str()), sha256.to_string()),
        ]
    }

    fn main_file(&self, path: &FilePath) -> Option<FilePath> {
        match GoPath::parse(path.as_str()).ok()?? {
            GoPath::Info(module, version) | GoPath::GoMod(module, version) => {
                FilePath::parse(&file_path(&module, &version, "zip")).ok()
            }
            GoPath::List(_) | GoPath::Latest(_) | GoPath::Zip(..) => None,
        }
    }

    fn dated_part_text(&self, path: &FilePath, about: &[u8], published: Timestamp) -> Option<String> {
        match GoPath::parse(path.as_str()).ok()?? {
            GoPath::Info(_, version) => Some(index::info(&version, published)),
            GoPath::GoMod(..) => String::from_utf8(about.to_vec()).ok(),
            GoPath::List(_) | GoPath::Latest(_) | GoPath::Zip(..) => None,
        }
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        zip(path).is_some()
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        Some(match GoPath::parse(path.as_str()).ok()?? {
            GoPath::Info(..) | GoPath::Latest(_) => "application/json",
            GoPath::List(_) | GoPath::GoMod(..) => "text/plain; charset=utf-8",
            GoPath::Zip(..) => "application/zip",
        })
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        GoVersion::parse(version).is_ok_and(|version| version.is_prerelease())
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

/// Module and version of the zip at this path.
pub(super) fn zip(path: &FilePath) -> Option<(ModulePath, GoVersion)> {
    match GoPath::parse(path.as_str()) {
        Ok(Some(GoPath::Zip(module, version))) => Some((module, version)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
