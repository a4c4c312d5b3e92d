//! The two forms of a package document as indexes of its package.

use std::ops::RangeInclusive;

use base64::{Engine, engine::general_purpose::STANDARD};
use model::file_path::FilePath;
use operations::format::{FileView, IndexFrame, IndexSections, IndexText, PackageIndexes, PackageView, build_joined};

use super::{
    format::Npm,
    layout,
    name::NpmName,
    packument::{self, Packument, PackumentVersion},
    rendered::RenderedFacts,
    version,
};

/// The mark of deprecated versions.
pub(super) const DEPRECATED: &str = "deprecated";

/// The tag that installers follow if they name no version.
const LATEST: &str = "latest";

impl PackageIndexes for Npm {
    fn in_sections(&self) -> Option<&dyn IndexSections> {
        Some(self)
    }

    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        build_joined(self, package)
    }
}

impl IndexSections for Npm {
    fn render(&self, package: &PackageView) -> Result<Vec<String>, String> {
        // A package whose name no npm package can have has no documents.
        let Ok(name) = NpmName::from_package(package.name.as_str()) else { return Ok(Vec::new()) };
        with_packument(&name, package, |packument| Ok(packument.sections()))
    }

    fn shows_latest(&self) -> bool {
        true
    }

    fn frames(&self, package: &PackageView) -> Result<Vec<IndexFrame>, String> {
        let Ok(name) = NpmName::from_package(package.name.as_str()) else { return Ok(Vec::new()) };
        with_packument(&name, package, |packument| {
            let frame = |folder: &str, frame: String, sections: RangeInclusive<u8>| {
                let path = FilePath::parse(&format!("{folder}{name}")).map_err(|error| error.to_string())?;
                Ok::<_, String>(IndexFrame { path, frame, sections })
            };
            let full = frame(layout::FULL, packument.full_frame()?, packument::FULL..=packument::TIMES)?;
            let sections = packument::ABBREVIATED..=packument::ABBREVIATED;
            Ok(vec![full, frame(layout::ABBREVIATED, packument.abbreviated_frame(), sections)?])
        })
    }
}

/// Shows a package as npm sees it.
pub(super) fn with_packument<T>(
    name: &NpmName,
    package: &PackageView,
    show: impl FnOnce(&Packument<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let tarballs = package.versions.iter().filter_map(|version| Some((version, tarball(&version.files)?)));
    let tarballs: Vec<_> = tarballs.map(|(version, file)| (version, file, integrity(file))).collect();
    let mut versions = Vec::with_capacity(tarballs.len());
    for (version, file, integrity) in &tarballs {
        versions.push(PackumentVersion {
            version: version.name.as_str(),
            facts: RenderedFacts::decode(file.about.as_deref().unwrap_or_default())?,
            shasum: &file.sha1,
            integrity: integrity.as_deref(),
            published: version.published,
            deprecated: version.mark(DEPRECATED),
        });
    }
    show(&Packument {
        name,
        revision: u64::try_from(package.updated.millis()).unwrap_or_default(),
        tags: &tags(package),
        versions: &versions,
        created: package.created,
        modified: package.updated,
        maintainers: std::slice::from_ref(&package.owner),
        readme: None,
    })
}

/// The tarball of a version. One from before its repository had this format was not inspected, and is not listed.
fn tarball(files: &[FileView]) -> Option<&FileView> {
    files.iter().find(|file| file.about.is_some() && layout::parse(&file.path).is_ok())
}

/// The SHA-512 as clients compare it.
fn integrity(file: &FileView) -> Option<String> {
    integrity_of(file.sha512.as_deref()?)
}

/// Formats a SHA-512 in hexadecimal digits as clients do.
pub(super) fn integrity_of(sha512: &str) -> Option<String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes: Option<Vec<u8>> =
        sha512.as_bytes().chunks(2).map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?)).collect();
    Some(format!("sha512-{}", STANDARD.encode(bytes?)))
}

/// The tags; `latest` is the highest release if no row says otherwise.
pub(super) fn tags(package: &PackageView) -> Vec<(String, String)> {
    let rows = package.tags.iter().map(|(tag, version)| (tag.clone(), version.to_string()));
    let mut tags: Vec<(String, String)> = rows.collect();
    if !tags.iter().any(|(tag, _)| tag == LATEST) {
        let highest = version::highest(package.versions.iter().map(|version| version.name.as_str()));
        tags.extend(highest.map(|version| (LATEST.to_owned(), version.to_owned())));
    }
    tags
}

#[cfg(test)]
pub(super) mod tests;
