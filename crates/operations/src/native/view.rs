//! A package as the documents of native clients describe it.

use database::{
    Read,
    catalogue::versions,
    content::{content_facts, marks, package_files, published_files, tags},
};
use model::{
    access::{GrantTarget, Right},
    names::VersionName,
    version::Version,
};

use crate::{
    Caller, PackageAccess, Result,
    access::RepoGrants,
    format::{Facts, FileView, Format, MarkView, PackageView, VersionView},
};

/// The tag of the version that clients install unless they ask for another.
const LATEST_TAG: &str = "latest";

/// A package that the caller may read, in whole or in parts.
pub(super) struct ReadablePackage<'g> {
    pub(super) access: PackageAccess,
    /// The grants of a key that may read parts of the package only.
    pub(super) parts: Option<&'g RepoGrants>,
}

impl ReadablePackage<'_> {
    /// Returns the package with all its published versions that the caller may read, without files.
    pub(super) async fn with_versions(&self, db: &dyn Read, caller: &Caller) -> Result<Option<PackageView>> {
        let id = self.access.package.id;
        let mut found = versions::list_published(db, id).await?;
        found.retain(|version| self.reads(caller, version, None));
        let marks = marks::of_package(db, id, &package_files::ALL).await?;
        let view = |version: Version| {
            let own = marks.iter().filter(|mark| mark.version_id == version.id).map(MarkView::from).collect();
            version_view(version, own, Vec::new())
        };
        let versions: Vec<VersionView> = found.into_iter().map(view).collect();
        if versions.is_empty() && self.parts.is_some() {
            return Ok(None);
        }
        Ok(Some(self.view(db, versions).await?))
    }

    /// Returns the package with one published version and its files, by the name of the version or of a tag.
    pub(super) async fn with_version(
        &self,
        db: &dyn Read,
        caller: &Caller,
        format: &dyn Format,
        name: &str,
    ) -> Result<Option<PackageView>> {
        let Some(version) = self.find(db, format, name).await? else { return Ok(None) };
        let mut files = Vec::new();
        for file in published_files::of_version(db, version.id).await? {
            if !self.reads(caller, &version, Some(file.path.as_str())) {
                continue;
            }
            let about = if format.inspects(&file.path) {
                content_facts::find(db, file.blob_id, format.name()).await?
            } else {
                None
            };
            files.push(FileView {
                about,
                path: file.path,
                size_bytes: file.size.unsigned_abs(),
                sha256: file.sha256,
                sha1: file.sha1,
                md5: file.md5,
                sha512: file.sha512,
                published: file.published,
                facts: file.facts.map(Facts),
            });
        }
        if files.is_empty() {
            return Ok(None);
        }
        let marks = marks::of_versions(db, &[version.id]).await?;
        let marks = marks.iter().map(MarkView::from).collect();
        Ok(Some(self.view(db, vec![version_view(version, marks, files)]).await?))
    }

    /// Adds the files of the latest version.
    pub(super) async fn add_files(
        &self,
        db: &dyn Read,
        caller: &Caller,
        format: &dyn Format,
        view: &mut PackageView,
    ) -> Result<()> {
        let latest = self.with_version(db, caller, format, LATEST_TAG).await?;
        for found in latest.into_iter().flat_map(|latest| latest.versions) {
            let version = view.versions.iter_mut().find(|version| version.name == found.name);
            if let Some(version) = version {
                version.files = found.files;
            }
        }
        Ok(())
    }

    /// Finds a published version by its name or a tag. The tag `latest` exists as soon as a version does.
    async fn find(&self, db: &dyn Read, format: &dyn Format, name: &str) -> Result<Option<Version>> {
        let id = self.access.package.id;
        let is_published = |version: &Version| version.published_files > 0;
        if let Ok(exact) = VersionName::parse(name)
            && let Some(version) = versions::find(db, id, &exact).await?.filter(is_published)
        {
            return Ok(Some(version));
        }
        let tag = tags::list(db, id).await?.into_iter().find(|tag| tag.name == name && tag.is_published);
        match tag {
            Some(tag) => Ok(versions::find(db, id, &tag.version).await?.filter(is_published)),
            None if name == LATEST_TAG => Ok(latest(format, versions::list_published(db, id).await?)),
            None => Ok(None),
        }
    }

    /// Whether the caller may read a version, or a file of it.
    fn reads(&self, caller: &Caller, version: &Version, path: Option<&str>) -> bool {
        let Some(reach) = &self.parts else { return true };
        let (package_id, version_id) = (Some(version.package_id), Some(version.id));
        reach.enter(caller, Right::Read, GrantTarget { package_id, version_id, path }).is_ok()
    }

    async fn view(&self, db: &dyn Read, versions: Vec<VersionView>) -> Result<PackageView> {
        let PackageAccess { repo, package } = &self.access;
        let mut tags = tags::list(db, package.id).await?;
        tags.retain(|tag| {
            let is_listed = versions.iter().any(|version| version.name == tag.version);
            tag.is_published && (self.parts.is_none() || is_listed)
        });
        Ok(PackageView {
            name: package.name.clone(),
            owner: repo.repo.owner.to_string(),
            created: package.created,
            updated: package.updated,
            profile: package.profile.clone(),
            tags: tags.into_iter().map(|tag| (tag.name, tag.version)).collect(),
            versions,
        })
    }
}

fn version_view(version: Version, marks: Vec<MarkView>, files: Vec<FileView>) -> VersionView {
    let published = version.first_published.unwrap_or(version.created);
    VersionView { name: version.name, published, marks, files }
}

/// The highest release in the order of the format, or the highest version if none is a release.
fn latest(format: &dyn Format, found: Vec<Version>) -> Option<Version> {
    found.into_iter().max_by(|one, other| {
        let (one, other) = (one.name.as_str(), other.name.as_str());
        let is_release = |version| !format.is_prerelease(version);
        is_release(one).cmp(&is_release(other)).then_with(|| format.compare(one, other))
    })
}
