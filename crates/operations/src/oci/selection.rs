//! The staged manifests that go together.

use std::collections::BTreeMap;

use database::oci::staged_manifests::StagedManifest;

use crate::{Result, oci::staged::StagedNames};

/// The staged manifests that belong to one of them.
pub(super) struct Selection<'r> {
    /// Each comes after those that it names.
    pub(super) ordered: Vec<&'r StagedManifest>,
    /// What each staged manifest names, by its reference.
    names: BTreeMap<&'r str, StagedNames>,
}

impl<'r> Selection<'r> {
    /// Selects a staged manifest with all that it reaches and all that refers to these.
    pub(super) fn of(rows: &'r [StagedManifest], reference: &str) -> Result<Self> {
        let mut names = BTreeMap::new();
        for row in rows {
            names.insert(row.reference.as_str(), StagedNames::of(row)?);
        }
        let mut selection = Self { ordered: Vec::new(), names };
        selection.add(rows, reference);
        // Signatures and other manifests about what is published come with it.
        while let Some(row) = rows.iter().find(|row| selection.is_about(row)) {
            selection.add(rows, &row.reference);
        }
        Ok(selection)
    }

    /// Adds a manifest after the staged ones that it reaches.
    fn add(&mut self, rows: &'r [StagedManifest], reference: &str) {
        let mut open = vec![(reference.to_owned(), false)];
        while let Some((reference, is_done)) = open.pop() {
            let Some(row) = rows.iter().find(|row| row.reference == reference) else { continue };
            if self.has(&reference) {
                continue;
            }
            if is_done {
                self.ordered.push(row);
                continue;
            }
            let children = self.names.get(reference.as_str()).map(|names| names.manifests.clone()).unwrap_or_default();
            open.push((reference, true));
            open.extend(children.into_iter().map(|(digest, _)| (digest, false)));
        }
    }

    fn has(&self, reference: &str) -> bool {
        self.ordered.iter().any(|row| row.reference == reference)
    }

    /// Whether a manifest without a tag refers to one that is selected.
    fn is_about(&self, row: &StagedManifest) -> bool {
        let subject = self.names.get(row.reference.as_str()).and_then(|names| names.subject.as_ref());
        let Some((subject, _)) = subject.filter(|_| row.reference.contains(':') && !self.has(&row.reference)) else {
            return false;
        };
        let mut selected = self.ordered.iter().filter_map(|row| self.names.get(row.reference.as_str()));
        selected.any(|names| names.digest == *subject)
    }

    /// Whether a manifest that is not selected names this one.
    pub(super) fn is_shared(&self, row: &StagedManifest) -> bool {
        let mut others = self.names.iter().filter(|(reference, _)| !self.has(reference));
        others.any(|(_, names)| names.manifests.iter().any(|(digest, _)| *digest == row.reference))
    }
}
