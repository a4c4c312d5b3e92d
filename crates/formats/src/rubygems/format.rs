//! RubyGems as a format of repositories.

use std::cmp::Ordering;

use model::{digest::Digest, file_path::FilePath};
use operations::format::{
    Command, CommandPlace, Content, Format, Inspected, Native, PackageIndexes, PathKind, PathOwner, RepoIndexes,
    TakenName,
};

use super::{
    commands, inspect,
    layout::{self, GemPath, INFO, NAMES, VERSIONS, gem_at},
    name::{self, RUBY, split_number},
    quick,
    specification::GemSpecification,
    version::{self, GemVersion},
};
use crate::{
    indexed::{decode, encode},
    readers::Limits,
};

/// The format of gem and Bundler.
#[derive(Debug)]
pub struct Rubygems;

/// The path of a gem whose name is not known before it was inspected.
pub(super) const UNNAMED: &str = "upload.gem";

impl Format for Rubygems {
    fn name(&self) -> &'static str {
        "rubygems"
    }

    fn title(&self) -> &'static str {
        "RubyGems"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        // A full name cannot be split into name and version, so `check_owner` compares it.
        Ok(match layout::classify(path)? {
            GemPath::Gem(_) => PathKind::Payload(PathOwner::default()),
            GemPath::Quick(_) | GemPath::Reserved => PathKind::Reserved,
        })
    }

    fn check_owner(&self, path: &FilePath, package: &str, version: &str) -> Result<(), String> {
        match gem_at(path) {
            Some(full_name) if full_name != format!("{package}-{version}") => {
                Err(format!("the file of version '{version}' of gem '{package}' is gems/{package}-{version}.gem"))
            }
            _ => Ok(()),
        }
    }

    fn inspects(&self, path: &FilePath) -> bool {
        path.as_str() == UNNAMED || gem_at(path).is_some()
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let specification = inspect::inspect(content, &Limits::default())?;
        if specification.version.as_str().contains('-') {
            return Err("the version of a gem has no '-': RubyGems writes it as '.pre.'".to_owned());
        }
        if path.as_str() != UNNAMED {
            inspect::check_file_name(&specification, path.file_name())?;
        }
        Ok(Inspected { facts: None, about: Some(encode(&specification)) })
    }

    fn taken_names(&self, path: &FilePath, _sha256: Digest) -> Vec<TakenName> {
        let name = |full: String| TakenName { key: format!("gem {full}"), holder: full, is_lasting: false };
        gem_at(path).map(name).into_iter().collect()
    }

    fn main_file(&self, path: &FilePath) -> Option<FilePath> {
        match layout::classify(path) {
            Ok(GemPath::Quick(full_name)) => layout::path_of(&full_name).ok(),
            _ => None,
        }
    }

    fn part_bytes(&self, _path: &FilePath, about: &[u8]) -> Option<Vec<u8>> {
        let specification: GemSpecification = decode(about).ok()?;
        Some(quick::quick_spec(&specification))
    }

    fn has_md5_tag(&self, path: &FilePath) -> bool {
        let path = path.as_str();
        path == VERSIONS || path == NAMES || path.starts_with(INFO)
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        gem_at(path).is_some()
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        if self.has_md5_tag(path) {
            return Some("text/plain; charset=utf-8");
        }
        match layout::classify(path).ok()? {
            GemPath::Gem(_) | GemPath::Quick(_) => Some("application/octet-stream"),
            GemPath::Reserved => Some("application/gzip"),
        }
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        let ((left, left_platform), (right, right_platform)) = (split_number(left), split_number(right));
        let is_ruby = |platform: &str| platform == RUBY;
        version::compare(left, right)
            .then_with(|| is_ruby(left_platform).cmp(&is_ruby(right_platform)))
            .then_with(|| right_platform.cmp(left_platform))
    }

    fn is_prerelease(&self, version: &str) -> bool {
        GemVersion::parse(split_number(version).0).is_ok_and(|version| version.is_prerelease())
    }

    fn package_indexes(&self) -> Option<&dyn PackageIndexes> {
        Some(self)
    }

    fn repo_indexes(&self) -> Option<&dyn RepoIndexes> {
        Some(self)
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }
}

/// The specification of a gem, if its file is where the specification says.
pub(super) fn specification(path: &FilePath, about: Option<&[u8]>) -> Option<GemSpecification> {
    let specification: GemSpecification = decode(about?).ok()?;
    (path.as_str() == name::gem_path(&specification.full_name())).then_some(specification)
}

#[cfg(test)]
mod tests;
