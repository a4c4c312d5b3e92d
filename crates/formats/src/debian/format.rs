//! Debian as a repository format.

use std::cmp::Ordering;

use model::{checksum::ChecksumFile, file_path::FilePath};
use operations::format::{
    Command, CommandPlace, Content, Facts, Format, Inspected, Native, PathKind, PathOwner, RepoIndexes, UploadHints,
};

use super::{
    commands,
    inspect::{self, DebFacts},
    names::{deb_name, dsc_name},
    native::NATIVE,
    placement::{DebPlacement, DebPlacementRequest},
    source,
    stream::SOURCE,
    version,
};
use crate::{
    indexed::{decode, encode},
    readers::{Limits, quoted},
};

/// The maximum size of a .dsc.
const DSC_BYTES: u64 = 1 << 20;

/// Repositories of .deb files, as apt reads them.
#[derive(Debug)]
pub struct Debian;

impl Format for Debian {
    fn name(&self) -> &'static str {
        "debian"
    }

    fn title(&self) -> &'static str {
        "Debian"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str() == "dists" || path.as_str().starts_with("dists/") {
            return Ok(PathKind::Reserved);
        }
        if let Some(side) = ChecksumFile::parse(path).filter(|side| is_deb(side.main.file_name())) {
            return Ok(PathKind::Checksum(side));
        }
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn inspects(&self, path: &FilePath) -> bool {
        let name = path.file_name();
        is_deb(name) || is_dsc(name) || is_changes(name)
    }

    fn inspect(&self, path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        if !is_deb(path.file_name()) {
            if content.size() > DSC_BYTES {
                return Err(format!("a .dsc or .changes has at most {DSC_BYTES} bytes"));
            }
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes).map_err(|error| format!("the content is unreadable: {error}"))?;
            let facts = source::inspect(&bytes)?;
            if is_dsc(path.file_name()) {
                check_name(path, &dsc_name(&facts.source, &facts.version))?;
            }
            return Ok(Inspected { facts: None, about: Some(encode(&facts)) });
        }
        let facts = inspect::inspect(content, &Limits::default())?;
        check_name(path, &deb_name(&facts.package, &facts.version, &facts.architecture))?;
        Ok(Inspected { facts: None, about: Some(encode(&facts)) })
    }

    fn hints(&self) -> &'static [&'static str] {
        &["deb_distribution", "deb_component", "deb_architecture"]
    }

    fn place(&self, path: &FilePath, hints: &UploadHints<'_>, inspected: &Inspected) -> Result<Option<Facts>, String> {
        let Some(about) = inspected.about.as_ref().filter(|_| !is_changes(path.file_name())) else { return Ok(None) };
        let architecture =
            if is_dsc(path.file_name()) { SOURCE.to_owned() } else { decode::<DebFacts>(about)?.architecture };
        let request = DebPlacementRequest {
            suites: hints.value("deb_distribution"),
            components: hints.value("deb_component"),
            architectures: hints.value("deb_architecture"),
        };
        let defaults = DebPlacementRequest {
            suites: hints.repo.default_debian_distribution.as_deref(),
            components: hints.repo.default_debian_component.as_deref(),
            architectures: hints.repo.default_debian_architecture.as_deref(),
        };
        // A package that nobody has placed is stored and served, but not listed.
        if request == DebPlacementRequest::default() && defaults.suites.is_none() && defaults.components.is_none() {
            return Ok(None);
        }
        let placement = DebPlacement::resolve(&request, &defaults, &architecture)?;
        Ok(Some(Facts(placement.to_string())))
    }

    fn is_counted(&self, path: &FilePath) -> bool {
        is_deb(path.file_name()) || is_dsc(path.file_name())
    }

    fn media_type(&self, path: &FilePath) -> Option<&'static str> {
        let is_text = path.as_str().starts_with("dists/") && !path.file_name().contains('.');
        (is_text && path.file_name().len() < 64).then_some("text/plain; charset=utf-8")
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        version::compare(left, right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version::is_prerelease(version)
    }

    fn repo_indexes(&self) -> Option<&dyn RepoIndexes> {
        Some(self)
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(&NATIVE)
    }

    fn commands(&self, place: &CommandPlace<'_>) -> Vec<Command> {
        commands::commands(place)
    }
}

/// Checks that a file has the name that its content says.
fn check_name(path: &FilePath, expected: &str) -> Result<(), String> {
    let wrong = || format!("the file name '{}' is not that of the package, '{expected}'", quoted(path.file_name()));
    (path.file_name() == expected).then_some(()).ok_or_else(wrong)
}

/// Whether a file of this name is a package.
pub(super) fn is_deb(name: &str) -> bool {
    name.ends_with(".deb")
}

/// Whether a file of this name describes a source package.
pub(super) fn is_dsc(name: &str) -> bool {
    name.ends_with(".dsc")
}

/// Whether a file of this name lists the files of an upload.
pub(super) fn is_changes(name: &str) -> bool {
    name.ends_with(".changes")
}
