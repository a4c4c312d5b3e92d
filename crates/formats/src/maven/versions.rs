//! The versions of one artifact.

use std::collections::BTreeSet;

use super::{
    layout::{Artifact, is_snapshot},
    timestamp::compact,
    version_order,
    xml::Xml,
};

/// The versions of one artifact, while an index is built.
#[derive(Debug, Default)]
pub(super) struct Versions<'a> {
    names: BTreeSet<&'a str>,
    artifact: Option<Artifact<'a>>,
    last_published: i64,
}

impl<'a> Versions<'a> {
    /// Takes in a file.
    pub(super) fn add(&mut self, artifact: Artifact<'a>, published: i64) {
        self.last_published = self.last_published.max(published);
        self.names.insert(artifact.version);
        self.artifact = Some(artifact);
    }

    /// Any file, which knows the artifact that all belong to.
    pub(super) fn artifact(&self) -> Option<Artifact<'a>> {
        self.artifact
    }

    /// Writes the artifact's part of the index.
    pub(super) fn write(&self, xml: &mut Xml) {
        let versions = version_order::sorted(self.names.iter().copied());
        if let Some(latest) = versions.last() {
            xml.leaf("latest", latest);
        }
        if let Some(release) = versions.iter().rfind(|version| !is_snapshot(version)) {
            xml.leaf("release", release);
        }
        xml.element("versions", |xml| versions.iter().for_each(|version| xml.leaf("version", version)));
        xml.leaf("lastUpdated", &compact(self.last_published));
    }
}
