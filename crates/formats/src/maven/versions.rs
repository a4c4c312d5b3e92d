//! The versions of one artifact.

use std::collections::BTreeSet;

use super::{
    layout::{Artifact, is_snapshot},
    timestamp::compact,
    version_order,
    xml::Xml,
};

/// The versions of one artifact, collected while an index is built.
#[derive(Debug, Default)]
pub(super) struct Versions<'a> {
    names: BTreeSet<&'a str>,
    artifact: Option<Artifact<'a>>,
    last_published: i64,
}

impl<'a> Versions<'a> {
    /// Adds a file.
    pub(super) fn add(&mut self, artifact: Artifact<'a>, published: i64) {
        self.last_published = self.last_published.max(published);
        self.names.insert(artifact.version);
        self.artifact = Some(artifact);
    }

    /// Any of the files; all belong to the same artifact.
    pub(super) fn artifact(&self) -> Option<Artifact<'a>> {
        self.artifact
    }

    /// Writes the artifact's section of the index.
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
