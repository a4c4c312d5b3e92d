//! Versions in lists, with the answers that people look for.

use std::collections::HashMap;

use model::{address::VersionAddress, overview::VersionOverview, page::PageRequest, timestamp::Timestamp};
use operations::{PackageAccess, catalogue::overviews};
use web::{App, error::Result};

use crate::{address, sizes};

/// A version in a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct VersionLine {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) released: Option<Timestamp>,
    pub(crate) files: i64,
    pub(crate) size: String,
    /// Its downloads in thirty days.
    pub(crate) downloads: String,
    pub(crate) is_latest: bool,
    pub(crate) is_draft: bool,
    pub(crate) is_prerelease: bool,
    pub(crate) is_signed: bool,
    pub(crate) is_yanked: bool,
    /// What a tag of an image is, such as a signature; empty for an image.
    pub(crate) purpose: String,
    /// The platforms of an image.
    pub(crate) platforms: Vec<String>,
}

impl VersionLine {
    /// The number of its files with the noun.
    pub(crate) fn files_text(&self) -> String {
        sizes::counted(self.files.unsigned_abs(), "file")
    }
}

/// The lines of versions of a package with this page.
pub(crate) fn lines(
    app: &App,
    kind: &str,
    page: &str,
    versions: Vec<VersionOverview>,
    latest: Option<&str>,
    downloads: &HashMap<String, i64>,
) -> Vec<VersionLine> {
    let line = |version: VersionOverview| VersionLine {
        address: format!("{page}{}", address::path([version.name.as_str()])),
        released: version.released,
        files: version.files,
        size: sizes::bytes(version.bytes.unsigned_abs()),
        downloads: sizes::number(downloads.get(&version.name).copied().unwrap_or_default()),
        is_latest: latest == Some(version.name.as_str()) && version.files > 0 && !version.is_draft,
        is_draft: version.is_draft,
        is_prerelease: is_prerelease(app, kind, &version.name),
        is_signed: version.is_signed,
        is_yanked: version.is_yanked,
        name: version.name,
        purpose: String::new(),
        platforms: Vec::new(),
    };
    versions.into_iter().map(line).collect()
}

/// The most other versions that the page of a version offers.
const OTHERS: usize = 10;

/// The newest versions of a package without this one.
pub(crate) async fn others(app: &App, at: &VersionAddress, package: &PackageAccess) -> Result<Vec<VersionLine>> {
    let window = PageRequest { start: 0, limit: OTHERS as i64 + 1 };
    let mut versions = overviews::list_versions(app.house(), package, window).await?;
    versions.retain(|version| version.name != at.version.as_str());
    versions.truncate(OTHERS);
    let page = address::package(&at.package);
    Ok(lines(app, &package.repo.repo.kind, &page, versions, None, &HashMap::new()))
}

/// The line of a version; if it is not in the list, with nothing but its name.
pub(crate) fn find(lines: &[VersionLine], name: &str, page: &str) -> VersionLine {
    let only_name = || VersionLine {
        name: name.to_owned(),
        address: format!("{page}{}", address::path([name])),
        ..VersionLine::default()
    };
    lines.iter().find(|line| line.name == name).cloned().unwrap_or_else(only_name)
}

/// Whether a version is a pre-release in the format of its repository.
pub(crate) fn is_prerelease(app: &App, kind: &str, version: &str) -> bool {
    app.house().formats.iter().find(|format| format.name() == kind).is_some_and(|format| format.is_prerelease(version))
}
