//! The catalogue document of a box as the index of its package.

use model::file_path::FilePath;
use operations::format::{FileView, IndexText, PackageIndexes, PackageView, VersionView};

use super::{
    BoxName, BoxVersion,
    document::{self, BoxFile, BoxProfile, BoxRelease},
    format::{Vagrant, box_file},
    layout::document_path,
};
use crate::{base::REPO, documents::clean};

/// Marks of versions that are not listed. Their boxes can still be downloaded by address.
const HIDING: [&str; 2] = ["yanked", "unlisted"];

/// The maximum length of a description.
const DESCRIPTION_CHARACTERS: usize = 10_000;

/// The maximum length of a short description.
const SHORT_CHARACTERS: usize = 150;

impl PackageIndexes for Vagrant {
    fn needs_about(&self) -> bool {
        false
    }

    fn build(&self, package: &PackageView) -> Result<Vec<IndexText>, String> {
        // A package whose name no box can have has no document.
        let Ok(name) = BoxName::parse(package.name.as_str()) else { return Ok(Vec::new()) };
        let path = FilePath::parse(&document_path(&name)).map_err(|error| error.to_string())?;
        let description = clean(&package.profile.description, DESCRIPTION_CHARACTERS);
        let short_description = clean(description.lines().next().unwrap_or_default(), SHORT_CHARACTERS);
        let profile = BoxProfile { repo: REPO.to_owned(), name, short_description, description };
        let is_listed = |version: &&VersionView| HIDING.iter().all(|mark| version.mark(mark).is_none());
        let releases: Vec<BoxRelease> = package.versions.iter().filter(is_listed).filter_map(release).collect();
        let text = document::document(&profile, &releases).map(|content| IndexText { path, content });
        Ok(text.into_iter().collect())
    }
}

fn release(version: &VersionView) -> Option<BoxRelease> {
    let files = version.files.iter().filter_map(listed).collect();
    Some(BoxRelease { version: BoxVersion::parse(version.name.as_str()).ok()?, notes: String::new(), files })
}

fn listed(file: &FileView) -> Option<BoxFile> {
    let (provider, architecture) = box_file(&file.path)?;
    Some(BoxFile { provider, architecture, sha256: file.sha256.to_string() })
}

#[cfg(test)]
mod tests {
    use model::package::PackageProfile;
    use serde_json::Value;

    use super::*;
    use crate::{
        base::BASE,
        native_samples::{file, mark, package, version_with},
    };

    fn with(name: &str, marks: &[&str]) -> VersionView {
        let path = FilePath::parse(&format!("ubuntu/{name}/libvirt/amd64.box")).expect("a path");
        let mut view = version_with(name, file(&path, None, None));
        view.marks = marks.iter().map(|name| mark(name, "")).collect();
        view
    }

    fn built(versions: Vec<VersionView>) -> Option<(String, Value)> {
        let description = "<b>a box</b>\nmore".to_owned();
        let profile = PackageProfile { description, ..PackageProfile::default() };
        let text = Vagrant.build(&PackageView { versions, profile, ..package("ubuntu") }).expect("built").pop()?;
        let content = text.content.replace(BASE, "BASE").replace(REPO, "boxes");
        Some((text.path.to_string(), serde_json::from_str(&content).expect("JSON")))
    }

    #[test]
    fn a_box_has_a_document() {
        let (path, document) = built(vec![with("1.0.0", &[]), with("1.10.0", &[])]).expect("a document");
        assert_eq!((path.as_str(), &document["name"]), ("api/v2/vagrant/ubuntu", &"boxes/ubuntu".into()));
        assert_eq!(document["short_description"], "<b>a box</b>");
        assert_eq!(document["description"], "<b>a box</b>\nmore");
        let newest = &document["versions"][0];
        assert_eq!((&newest["version"], &newest["description_html"]), (&"1.10.0".into(), &Value::Null));
        assert_eq!(newest["providers"][0]["url"], "BASE/ubuntu/1.10.0/libvirt/amd64.box");
        assert_eq!(newest["providers"][0]["checksum"], "ab".repeat(32));
    }

    #[test]
    fn yanked_versions_are_not_listed() {
        let (_, document) = built(vec![with("1.0.0", &[]), with("1.1.0", &["yanked"])]).expect("a document");
        assert_eq!(document["versions"].as_array().map(Vec::len), Some(1));
        assert_eq!(built(vec![with("1.0.0", &["unlisted"])]), None);
    }

    #[test]
    fn other_packages_have_no_document() {
        assert_eq!(Vagrant.build(&package("a:b")), Ok(Vec::new()));
    }
}
