//! The files that a put writes.

use database::{
    Tx,
    content::{
        blobs as blob_rows,
        files::{self, NewFile},
        stored_bytes,
    },
    oci::image_files::ImageFile,
};
use model::{
    blob::{Blob, Check},
    file::FileContent,
    file_path::FilePath,
    version::Version,
};

use crate::{Error, Result, oci::put::Put};

impl Put<'_> {
    /// Gives the file of a tag the content of the manifest.
    pub(super) async fn replace(
        &mut self,
        tx: &mut Tx,
        version: &Version,
        path: &FilePath,
        before: &ImageFile,
    ) -> Result<()> {
        let (repo_id, blob) = (self.change.package.repo.repo.id, &self.content.blob);
        let Some(file) = files::lock(tx, repo_id, path).await? else { return Ok(()) };
        self.mark_used(tx, path, blob, self.content.stored.map(|stored| stored.check)).await?;
        let content = FileContent { blob_id: blob.id, facts: Some(self.new.facts.clone()) };
        files::stage(tx, &file, &content).await?;
        files::publish(tx, &file, self.change.now).await?;
        stored_bytes::add(tx, repo_id, version.id, blob.size - before.size).await?;
        self.added += (blob.size - before.size).max(1);
        Ok(())
    }

    /// Inserts a published file.
    pub(super) async fn insert(
        &mut self,
        tx: &mut Tx,
        version: &Version,
        path: FilePath,
        blob: &Blob,
        check: Option<Check>,
    ) -> Result<ImageFile> {
        let package = &self.change.package.package;
        let (repo_id, package_id) = (package.repo_id, package.id);
        self.mark_used(tx, &path, blob, check).await?;
        let is_manifest = path.as_str().rsplit('/').nth(1) == Some("manifests");
        let facts = is_manifest.then(|| self.new.facts.clone());
        let new = NewFile {
            id: self.change.house.next_id(),
            repo_id,
            package_id,
            version_id: version.id,
            path,
            content: FileContent { blob_id: blob.id, facts: facts.clone() },
            is_published: true,
            begins_draft: false,
            created: self.change.now,
        };
        match files::insert(tx, &new).await {
            Err(database::Error::Conflict) => {
                return Err(Error::Conflict(format!("The path '{}' belongs to another package", new.path)));
            }
            other => other?,
        }
        stored_bytes::add(tx, repo_id, version.id, blob.size).await?;
        self.added += blob.size;
        self.files += 1;
        let (path, version_id) = (new.path.to_string(), version.id);
        Ok(ImageFile { id: new.id, package_id, version_id, path, blob_id: blob.id, size: blob.size, facts })
    }

    async fn mark_used(&self, tx: &mut Tx, path: &FilePath, blob: &Blob, check: Option<Check>) -> Result<()> {
        if blob_rows::mark_used(tx, blob.id, check).await? {
            return Ok(());
        }
        Err(Error::Unavailable(format!("the content of '{path}' was removed meanwhile")))
    }
}
