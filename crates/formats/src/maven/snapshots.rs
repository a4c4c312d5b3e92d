//! The builds of one snapshot version, with the newest file for each classifier and extension.

use std::collections::BTreeMap;

use super::{layout::Artifact, timestamp::compact, xml::Xml};

/// The files of one snapshot version, collected while an index is built.
#[derive(Debug, Default)]
pub(super) struct Snapshots<'a> {
    /// The newest file for each classifier and extension.
    newest: BTreeMap<(Option<&'a str>, &'a str), File<'a>>,
    last_published: i64,
}

#[derive(Debug, Clone)]
struct File<'a> {
    artifact: Artifact<'a>,
    /// The time of the build, `20260101120000`. If the name contains no build, the time of its publication.
    updated: String,
}

impl<'a> Snapshots<'a> {
    /// Adds a file.
    pub(super) fn add(&mut self, artifact: Artifact<'a>, published: i64) {
        let updated = match artifact.build {
            Some(build) => build.timestamp.replace('.', ""),
            None => compact(published),
        };
        self.last_published = self.last_published.max(published);
        let file = File { artifact, updated };
        let newest = self.newest.entry((artifact.classifier, artifact.extension)).or_insert_with(|| file.clone());
        if newest.age() < file.age() {
            *newest = file;
        }
    }

    /// Any of the files; all have the same version.
    pub(super) fn artifact(&self) -> Option<Artifact<'a>> {
        self.newest.values().next().map(|file| file.artifact)
    }

    /// Writes the version's section of the index.
    pub(super) fn write(&self, xml: &mut Xml) {
        // Without this element, clients request names that end in `SNAPSHOT`.
        if let Some(build) = self.newest.values().max_by_key(|file| file.age()).and_then(|file| file.artifact.build) {
            xml.element("snapshot", |xml| {
                xml.leaf("timestamp", build.timestamp);
                xml.leaf("buildNumber", &build.number.to_string());
            });
        }
        xml.leaf("lastUpdated", &compact(self.last_published));
        xml.element("snapshotVersions", |xml| {
            for file in self.newest.values() {
                xml.element("snapshotVersion", |xml| file.write(xml));
            }
        });
    }
}

impl File<'_> {
    fn age(&self) -> (&str, Option<i32>) {
        (&self.updated, self.artifact.build.map(|build| build.number))
    }

    fn write(&self, xml: &mut Xml) {
        if let Some(classifier) = self.artifact.classifier {
            xml.leaf("classifier", classifier);
        }
        xml.leaf("extension", self.artifact.extension);
        xml.leaf("value", &self.artifact.file_version());
        xml.leaf("updated", &self.updated);
    }
}
