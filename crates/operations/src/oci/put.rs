//! The transaction that puts a manifest.

use database::{
    Tx,
    catalogue::{version_builds, versions},
    oci::{
        image_files::{self, ImageFile},
        pending_blobs, subjects, uses,
    },
};
use model::{event::EventKind, file_path::FilePath, names::VersionName, version::Version};

use crate::{
    Result,
    accounts::storage_quotas::{self, By},
    catalogue::{latest, window},
    oci::{
        closure::{is_manifest, list_reached, set_uses},
        digest_name, manifest_path,
        manifests::{NewManifest, Reference},
        named::{Named, find_named},
        push_access,
        versions::ImageChange,
    },
    storage::store::ReceivedContent,
};

/// A put, in its transaction.
pub(super) struct Put<'p> {
    pub(super) change: &'p ImageChange<'p>,
    pub(super) image: String,
    pub(super) name: &'p VersionName,
    pub(super) new: &'p NewManifest,
    pub(super) content: &'p ReceivedContent,
    /// The number of new bytes.
    pub(super) added: i64,
    /// The number of new files.
    pub(super) files: i64,
}

impl Put<'_> {
    /// Puts the manifest. Returns the number of new files.
    pub(super) async fn run(mut self, tx: &mut Tx) -> Result<i64> {
        let repo = self.change.package.repo.repo.clone();
        push_access::check_kind(self.change.house, &repo)?;
        let named = find_named(tx, repo.id, &self.image, self.new).await?;
        let digest_path = manifest_path(&self.image, &digest_name(self.new.digest))?;
        let existing = image_files::find(tx, repo.id, &digest_path).await?;
        if let (Reference::Digest, Some(file)) = (&self.new.reference, &existing)
            && uses::is_used(tx, file.id).await?
        {
            return Ok(0);
        }
        let version = self.change.find_or_make(tx, self.name).await?;
        let root = match existing {
            Some(root) => root,
            None => self.insert_root(tx, &version, digest_path, named).await?,
        };
        let old_root = match &self.new.reference {
            Reference::Tag(_) => self.set_tag(tx, &version, &root).await?,
            Reference::Digest => {
                set_uses(tx, version.id, &root, None).await?;
                None
            }
        };
        if let Some(old_root) = &old_root {
            self.change.insert_untagged(tx, old_root).await?;
        }
        uses::release(tx, repo.id, version.id).await?;
        self.publish(tx, &version).await?;
        Ok(self.files)
    }

    /// Inserts the file of the manifest and those of held content that it names.
    async fn insert_root(
        &mut self,
        tx: &mut Tx,
        version: &Version,
        path: FilePath,
        named: Vec<Named>,
    ) -> Result<ImageFile> {
        let repo_id = self.change.package.repo.repo.id;
        let check = self.content.stored.map(|stored| stored.check);
        let root = self.insert(tx, version, path, &self.content.blob, check).await?;
        for named in named {
            let file = match named {
                Named::File(file) => file,
                // A manifest may name the same blob twice.
                Named::Pending(path, blob) => match image_files::find(tx, repo_id, &path).await? {
                    Some(file) => file,
                    None => {
                        pending_blobs::delete(tx, repo_id, &self.image, blob.id).await?;
                        self.insert(tx, version, path, &blob, None).await?
                    }
                },
            };
            image_files::add_reference(tx, root.id, file.id).await?;
        }
        if let Some((subject, descriptor)) = &self.new.subject {
            subjects::add(tx, repo_id, &self.image, subject, root.id, descriptor).await?;
        }
        Ok(root)
    }

    /// Points the tag to the manifest. Returns the manifest that the tag had before, if it was another one.
    async fn set_tag(&mut self, tx: &mut Tx, version: &Version, root: &ImageFile) -> Result<Option<ImageFile>> {
        let (house, repo) = (self.change.house, self.change.package.repo.repo.clone());
        let path = manifest_path(&self.image, self.name.as_str())?;
        let before = image_files::find(tx, repo.id, &path).await?;
        let mut old_root = None;
        let tag_id = match &before {
            None => {
                let check = self.content.stored.map(|stored| stored.check);
                self.insert(tx, version, path, &self.content.blob, check).await?.id
            }
            Some(before) if before.blob_id == root.blob_id => before.id,
            Some(before) => {
                // A tag can move, unless the repository says that versions are closed after some days.
                if repo.profile.version_update_max_days.is_some() {
                    window::check_upload(house, &repo, version, self.change.now)?;
                }
                old_root = self.root_of(tx, before).await?;
                self.replace(tx, version, &path, before).await?;
                before.id
            }
        };
        set_uses(tx, version.id, root, Some(tag_id)).await?;
        for file in list_reached(tx, root).await?.iter().filter(|file| is_manifest(file)) {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            let Ok(name) = VersionName::parse(name) else { continue };
            if let Some(untagged) = versions::find(tx, version.package_id, &name).await? {
                self.change.end_untagged(tx, &untagged).await?;
            }
        }
        Ok(old_root)
    }

    /// The file, by its digest, of the manifest that a tag has.
    async fn root_of(&self, tx: &mut Tx, tag: &ImageFile) -> Result<Option<ImageFile>> {
        let same = image_files::list_of_content(tx, tag.package_id, tag.blob_id).await?;
        Ok(same.into_iter().find(|file| file.path.contains("/manifests/sha256:")))
    }

    /// Counts the new files, and records the events.
    async fn publish(&self, tx: &mut Tx, version: &Version) -> Result<()> {
        let change = self.change;
        if self.added == 0 && version.first_published.is_some() {
            return Ok(());
        }
        versions::publish(tx, version, self.files, change.now).await?;
        latest::published(tx, change.house.format(&change.package.repo.repo.kind), version, change.now).await?;
        change.record(tx, EventKind::Publish, version).await?;
        if version.first_published.is_none() {
            change.record(tx, EventKind::Release, version).await?;
        }
        if let Some(build) = change.caller.build() {
            version_builds::upsert(tx, version.id, build, change.now).await?;
        }
        let by = By { caller: change.caller, access: &change.package.repo };
        storage_quotas::check_added(tx, change.house, by, self.added).await
    }
}
