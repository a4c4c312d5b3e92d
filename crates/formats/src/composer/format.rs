//! Composer as a format of repositories.

use std::cmp::Ordering;

use model::{digest::Digest, file_path::FilePath};
use operations::format::{
    Command, CommandPlace, Content, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner, TakenName,
};

use super::{
    Stability, commands,
    facts::ComposerFacts,
    inspect,
    name::ComposerName,
    publish::{check_name, dist_path, parse_dist_path, version_of_upload},
    version::{self, ComposerVersion},
};
use crate::{indexed::encode, readers::Limits};

/// The format of Composer.
#[derive(Debug)]
pub struct Composer;

/// Documents that the server makes.
const DOCUMENTS: [&str; 5] = ["packages.json", "list.json", "search.json", "p2", UPLOADED];

/// The path of an uploaded zip until its content has said what it is.
pub(super) const UPLOADED: &str = "upload";

impl Format for Composer {
    fn name(&self) -> &'static str {
        "composer"
    }

    fn title(&self) -> &'static str {
        "Composer"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        let first = path.as_str().split('/').next().unwrap_or_default();
        if DOCUMENTS.contains(&first) {
            return Ok(PathKind::Reserved);
        }
        let (name, version) = parse_dist_path(path.as_str())?;
        let owner = PathOwner { package: Some(name.package()?), version: Some(version.version_name()?) };
        Ok(PathKind::Payload(owner))
    }

    fn is_lasting(&self, path: &FilePath) -> bool {
        dist(path).is_none_or(|(_, version)| version.stability() != Stability::Dev)
    }

    fn inspects(&self, path: &FilePath) -> bool {
        dist(path).is_some() || path.as_str() == UPLOADED
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        if !self.inspects(path) {
            return Ok(Inspected::default());
        }
        let package = inspect::inspect(content, &Limits::default())?;
        if let Some((name, version)) = dist(path) {
            check_name(&package, &name)?;
            version_of_upload(&package, Some(version.as_str()))?;
        }
        Ok(Inspected { facts: None, about: Some(encode(&ComposerFacts::from(package))) })
    }

    /// All spellings of a version are one name. A release also keeps its content: lock files remember its checksum.
    fn taken_names(&self, path: &FilePath, sha256: Digest) -> Vec<TakenName> {
        let Some((name, version)) = dist(path) else { return Vec::new() };
        let lasting = |key: String, holder: String| TakenName { key, holder, is_lasting: true };
        let mut names = vec![lasting(version_key(&name, &version), version.as_str().to_owned())];
        if self.is_lasting(path) {
            names.push(lasting(format!("file {}", dist_path(&name, &version)), sha256.to_string()));
        }
        names
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        dist(path).is_some()
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(&foreign(left), &foreign(right))
    }

    fn is_prerelease(&self, version: &str) -> bool {
        ComposerVersion::parse(&foreign(version)).is_ok_and(|version| version.is_prerelease())
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

/// The name that all spellings of a version share.
pub(super) fn version_key(name: &ComposerName, version: &ComposerVersion) -> String {
    format!("version {} {}", name.as_str(), version.normalized())
}

/// Name and version of the zip at this path.
pub(super) fn dist(path: &FilePath) -> Option<(ComposerName, ComposerVersion)> {
    parse_dist_path(path.as_str()).ok()
}

/// The version that one of ours stands for.
fn foreign(version: &str) -> String {
    version.replace(':', "/")
}

#[cfg(test)]
mod tests;
