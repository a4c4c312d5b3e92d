//! Reads a package with its published versions, as indexes need it, by a fixed number of statements.

use std::collections::HashMap;

use database::{
    Read,
    catalogue::packages,
    content::{
        marks,
        package_files::{self, Ordinals, PackageFile},
        tags,
    },
};
use model::{
    id::{PackageId, VersionId},
    repo::Repo,
};

use crate::{
    Result,
    format::{Facts, FileView, MarkView, PackageView, VersionView},
};

/// Returns the package with its tags, and these of its published versions with marks, and files with what this format has
/// found in them; `None` if the package is gone.
pub(crate) async fn read(
    db: &dyn Read,
    repo: &Repo,
    package_id: PackageId,
    format: &str,
    ordinals: &Ordinals,
) -> Result<Option<PackageView>> {
    let Some(package) = packages::find_by_id(db, package_id).await? else { return Ok(None) };
    let tags = tags::list(db, package_id).await?;
    let mut marks = grouped(marks::of_package(db, package_id, ordinals).await?, |mark| {
        (mark.version_id, MarkView { name: mark.name, text: mark.text })
    });
    let files = package_files::list(db, package_id, format, ordinals).await?;
    let mut files = grouped(files, |file| (file.version_id, view(file)));
    let versions =
        package_files::list_versions(db, package_id, ordinals).await?.into_iter().map(|version| VersionView {
            name: version.name,
            published: version.first_published,
            marks: marks.remove(&version.id).unwrap_or_default(),
            files: files.remove(&version.id).unwrap_or_default(),
        });
    Ok(Some(PackageView {
        name: package.name,
        owner: repo.owner.to_string(),
        created: package.created,
        updated: package.updated,
        profile: package.profile,
        tags: tags.into_iter().filter(|tag| tag.is_published).map(|tag| (tag.name, tag.version)).collect(),
        versions: versions.filter(|version| !version.files.is_empty()).collect(),
    }))
}

fn grouped<R, T>(rows: Vec<R>, split: impl Fn(R) -> (VersionId, T)) -> HashMap<VersionId, Vec<T>> {
    let mut groups: HashMap<VersionId, Vec<T>> = HashMap::new();
    for (version, value) in rows.into_iter().map(split) {
        groups.entry(version).or_default().push(value);
    }
    groups
}

fn view(file: PackageFile) -> FileView {
    FileView {
        path: file.path,
        size_bytes: u64::try_from(file.size).unwrap_or_default(),
        sha256: file.sha256,
        sha1: file.sha1,
        md5: file.md5,
        sha512: file.sha512,
        published: file.published,
        facts: file.facts.map(Facts),
        about: file.about,
    }
}
