//! PyPI as a format of repositories.

use std::cmp::Ordering;

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Command, CommandPlace, Content, Facts, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner, TakenName,
};

use super::{
    accept::PageForm,
    commands,
    file_name::DistributionName,
    inspect,
    layout::{self, PypiPath},
    name::ProjectName,
    page_facts::PageFacts,
    version::{self, PypiVersion},
};
use crate::readers::Limits;

/// The format of pip, uv, poetry and twine.
#[derive(Debug)]
pub struct Pypi;

/// Follows the name of a wheel for the metadata inside it.
const METADATA: &str = ".metadata";

impl Format for Pypi {
    fn name(&self) -> &'static str {
        "pypi"
    }

    fn title(&self) -> &'static str {
        "PyPI"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str() == "simple" || path.as_str().starts_with("simple/") || self.main_file(path).is_some() {
            return Ok(PathKind::Reserved);
        }
        match layout::classify(path)? {
            PypiPath::Distribution(file) => owner(&file).map(PathKind::Payload),
            PypiPath::Beside(file) if !path.as_str().ends_with(METADATA) => owner(&file).map(PathKind::Payload),
            PypiPath::Beside(_) => Err(format!("'{path}' is not valid: only wheels have metadata beside them")),
            PypiPath::ProjectPage(_) | PypiPath::ProjectList => Ok(PathKind::Reserved),
        }
    }

    fn inspects(&self, path: &FilePath) -> bool {
        distribution(path).is_some()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let Some(file) = distribution(path) else { return Ok(Inspected::default()) };
        let inspected = inspect::inspect(&file, content, &Limits::whole_archive())?;
        let facts = PageFacts::from(inspected.facts).encode();
        Ok(Inspected { facts: Some(Facts(facts)), about: inspected.metadata })
    }

    fn taken_names(&self, path: &FilePath, sha256: Digest) -> Vec<TakenName> {
        let Some(file) = distribution(path) else { return Vec::new() };
        let lasting = |key: String, holder: String| TakenName { key, holder, is_lasting: true };
        vec![
            lasting(format!("file {}", file.file_name), sha256.to_string()),
            lasting(version_key(&file.project, &file.version), file.version.to_string()),
        ]
    }

    fn main_file(&self, path: &FilePath) -> Option<FilePath> {
        let main = FilePath::parse(path.as_str().strip_suffix(METADATA)?).ok()?;
        distribution(&main).filter(DistributionName::is_wheel).map(|_| main)
    }

    fn part_text(&self, path: &FilePath, about: &[u8]) -> Option<String> {
        self.main_file(path)?;
        String::from_utf8(about.to_vec()).ok()
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        distribution(path).is_some()
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        match layout::classify(path).ok()? {
            PypiPath::Distribution(_) => Some("application/octet-stream"),
            PypiPath::Beside(_) if path.as_str().ends_with(METADATA) => Some("text/plain; charset=utf-8"),
            PypiPath::ProjectPage(_) if path.as_str().ends_with(".json") => Some(PageForm::Json.content_type()),
            _ => None,
        }
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        PypiVersion::parse(version).is_ok_and(|version| version.is_prerelease())
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
pub(super) fn version_key(project: &ProjectName, version: &PypiVersion) -> String {
    format!("version {project} {}", version.unique())
}

/// The distribution file at this path.
pub(super) fn distribution(path: &FilePath) -> Option<DistributionName> {
    match layout::classify(path) {
        Ok(PypiPath::Distribution(file)) => Some(file),
        _ => None,
    }
}

fn owner(file: &DistributionName) -> Result<PathOwner, String> {
    let package = PackageName::parse(file.project.normalized()).map_err(|error| error.to_string())?;
    let version = VersionName::parse(&file.version.to_string()).map_err(|error| error.to_string())?;
    Ok(PathOwner { package: Some(package), version: Some(version) })
}

#[cfg(test)]
mod tests;
