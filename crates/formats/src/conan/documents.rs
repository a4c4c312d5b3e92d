//! Answers from the files of a version. A revision counts once its manifest is there.

use std::collections::BTreeMap;

use operations::format::{FileView, NativeCall, PackageView};

use super::{
    answers::{self, ConanRevision},
    files::{INFO, MANIFEST},
    layout::ConanFile,
    reference::ConanReference,
    revision::{ConanPackageId, RevisionId},
    routes,
};

/// The document that a request about a version asks for; `None` if there is no such thing.
pub(super) fn document(call: &NativeCall<'_>, package: &PackageView) -> Option<String> {
    let reference = routes::reference(call).ok()?;
    let files = Files::of(&package.versions.first()?.files);
    let revision = || RevisionId::parse(call.value("revision")).ok();
    let id = || ConanPackageId::parse(call.value("id")).ok();
    match call.route.path {
        routes::LATEST => answers::latest_answer(&files.recipes()),
        routes::REVISIONS => listed(&reference.to_string(), &files.recipes()),
        routes::FILES => files.names(&revision()?, None),
        routes::PACKAGES => {
            let recipes = files.recipes();
            files.packages(&answers::latest(&recipes)?.id)
        }
        routes::PACKAGES_OF => files.packages(&revision()?),
        routes::PACKAGE_LATEST => answers::latest_answer(&files.binaries(&revision()?, &id()?)),
        routes::PACKAGE_REVISIONS => package_revisions(&reference, &files, &revision()?, &id()?),
        routes::PACKAGE_FILES => {
            let package_revision = RevisionId::parse(call.value("package_revision")).ok()?;
            files.names(&revision()?, Some((id()?, package_revision)))
        }
        _ => None,
    }
}

fn listed(reference: &str, revisions: &[ConanRevision]) -> Option<String> {
    (!revisions.is_empty()).then(|| answers::revisions_answer(reference, revisions))
}

fn package_revisions(
    reference: &ConanReference,
    files: &Files<'_>,
    revision: &RevisionId,
    id: &ConanPackageId,
) -> Option<String> {
    listed(&answers::package_reference(reference, revision, id), &files.binaries(revision, id))
}

/// The files of a version.
struct Files<'f>(Vec<(ConanFile, &'f FileView)>);

impl<'f> Files<'f> {
    fn of(files: &'f [FileView]) -> Self {
        Self(files.iter().filter_map(|file| Some((ConanFile::parse(file.path.as_str()).ok()?, file))).collect())
    }

    /// The complete revisions of the recipe.
    fn recipes(&self) -> Vec<ConanRevision> {
        let manifests = self.0.iter().filter(|(file, _)| file.package.is_none() && file.name == MANIFEST);
        manifests.map(|(file, view)| ConanRevision { id: file.revision.clone(), time: view.published }).collect()
    }

    /// The complete revisions of a binary package.
    fn binaries(&self, revision: &RevisionId, id: &ConanPackageId) -> Vec<ConanRevision> {
        let manifests = self.0.iter().filter(|(file, _)| file.revision == *revision && file.name == MANIFEST);
        let of_package = manifests.filter_map(|(file, view)| {
            let (found, package_revision) = file.package.as_ref()?;
            (found == id).then(|| ConanRevision { id: package_revision.clone(), time: view.published })
        });
        of_package.collect()
    }

    /// The names of the files of a complete revision.
    fn names(&self, revision: &RevisionId, package: Option<(ConanPackageId, RevisionId)>) -> Option<String> {
        let own = self.0.iter().filter(|(file, _)| file.revision == *revision && file.package == package);
        let names: Vec<&str> = own.map(|(file, _)| file.name.as_str()).collect();
        names.contains(&MANIFEST).then(|| answers::files_answer(&names))
    }

    /// The descriptions of the binary packages of a complete revision, each from its newest revision.
    fn packages(&self, revision: &RevisionId) -> Option<String> {
        if !self.recipes().iter().any(|recipe| recipe.id == *revision) {
            return None;
        }
        let mut newest: BTreeMap<&ConanPackageId, (&FileView, &RevisionId)> = BTreeMap::new();
        let mut infos: BTreeMap<(&ConanPackageId, &RevisionId), &FileView> = BTreeMap::new();
        for (file, view) in self.0.iter().filter(|(file, _)| file.revision == *revision) {
            let (view, Some((id, package_revision))) = (*view, &file.package) else { continue };
            match file.name.as_str() {
                INFO => drop(infos.insert((id, package_revision), view)),
                MANIFEST if newest.get(id).is_none_or(|(other, _)| other.published <= view.published) => {
                    newest.insert(id, (view, package_revision));
                }
                _ => {}
            }
        }
        let text = |view: &FileView| String::from_utf8_lossy(view.about.as_deref().unwrap_or_default()).into_owned();
        let packages: Vec<(ConanPackageId, String)> = newest
            .into_iter()
            .map(|(id, (_, revision))| {
                (id.clone(), infos.get(&(id, revision)).map(|view| text(view)).unwrap_or_default())
            })
            .collect();
        answers::packages_answer(&packages).ok()
    }
}
