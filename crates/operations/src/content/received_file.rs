//! One file of an upload, from stored content to its row.

use database::{
    Tx,
    content::{
        blobs, content_facts, damage,
        files::{self, NewFile},
        stored_bytes,
    },
};
use model::{
    blob::Blob,
    file::{File, FileContent},
    file_path::FilePath,
};

use crate::{
    Error, Result,
    catalogue::tombstones,
    content::{
        UploadFlags,
        publish::{publish_file, subtract_staged_bytes},
        taken_names,
        upload_plan::{FileChange, PlannedUpload},
        version_target::VersionTarget,
    },
    format::Inspected,
    storage::store::StoredBytes,
};

/// Stored content that will become a file.
#[derive(Debug)]
pub(super) struct ReceivedFile {
    /// The id of a new row, used if the path has no row yet.
    pub(super) id: i64,
    pub(super) path: FilePath,
    pub(super) blob: Blob,
    /// Present when the content was stored for this upload.
    pub(super) stored: Option<StoredBytes>,
    /// What the format of the repository has found in it.
    pub(super) inspected: Inspected,
}

impl PlannedUpload<'_> {
    /// Writes the file.
    pub(super) async fn apply(self, tx: &mut Tx, target: &VersionTarget<'_>, flags: UploadFlags) -> Result<()> {
        let received = self.received;
        let file = match self.change {
            FileChange::Insert => return received.insert(tx, target, flags).await,
            FileChange::Keep(file) => {
                taken_names::take(tx, target, &file.path, received.blob.sha256, flags.publish).await?;
                received.store_facts(tx, target).await?;
                if let Some(stored) = received.stored {
                    damage::heal(tx, received.blob.id, stored.check).await?;
                }
                file
            }
            FileChange::Replace { before, stale } => {
                subtract_staged_bytes(tx, &before).await?;
                taken_names::free_file(tx, target, &before).await?;
                taken_names::take(tx, target, &before.path, received.blob.sha256, flags.publish).await?;
                let content = received.mark_used(tx, target).await?;
                files::stage(tx, &before, &content).await?;
                if let Some(stale) = stale {
                    stale.apply(tx, target.now).await?;
                }
                File { staged: Some(content), ..before }
            }
        };
        if flags.publish && file.staged.is_some() {
            publish_file(tx, &file, target.now).await?;
        }
        Ok(())
    }
}

impl ReceivedFile {
    /// The content for its path.
    pub(super) fn content(&self) -> FileContent {
        FileContent { blob_id: self.blob.id, facts: self.inspected.facts.as_ref().map(|facts| facts.0.clone()) }
    }

    /// Returns a new file with its content staged, for a path that has no file.
    pub(super) fn new_file(&self, target: &VersionTarget<'_>) -> File {
        let package = &target.package.package;
        File {
            id: self.id,
            repo_id: package.repo_id,
            package_id: package.id,
            version_id: target.version.id,
            path: self.path.clone(),
            published: None,
            staged: Some(self.content()),
        }
    }

    /// Inserts the file of a path that has none.
    async fn insert(&self, tx: &mut Tx, target: &VersionTarget<'_>, flags: UploadFlags) -> Result<()> {
        let File { id, repo_id, package_id, version_id, path, .. } = self.new_file(target);
        let (content, is_published, created) = (self.mark_used(tx, target).await?, flags.publish, target.now);
        let begins_draft = target.version.first_published.is_none() && !target.version.is_draft;
        let new = NewFile { id, repo_id, package_id, version_id, path, content, is_published, begins_draft, created };
        match files::insert(tx, &new).await {
            // Another upload inserted this path first; it is still running or finished a moment ago.
            Err(database::Error::Conflict) => {
                return Err(Error::Conflict(format!("The path '{}' is being uploaded by another call", self.path)));
            }
            other => other?,
        }
        taken_names::take(tx, target, &self.path, self.blob.sha256, flags.publish).await?;
        // Check after the insert: a concurrent deletion of this path has committed by now, and its tombstone is
        // visible.
        tombstones::check(tx, target.house, target.repo(), &self.path, self.blob.sha256).await
    }

    /// Marks the content as used by a file of this transaction.
    async fn mark_used(&self, tx: &mut Tx, target: &VersionTarget<'_>) -> Result<FileContent> {
        if !blobs::mark_used(tx, self.blob.id, self.stored.map(|stored| stored.check)).await? {
            return Err(Error::Unavailable(format!("the content of '{}' was removed meanwhile", self.path)));
        }
        if self.stored.is_some_and(|stored| stored.replaces) {
            damage::end_answers(tx, self.blob.id).await?;
        }
        stored_bytes::add(tx, target.package.package.repo_id, target.version.id, self.blob.size).await?;
        self.store_facts(tx, target).await?;
        Ok(self.content())
    }

    /// Stores what indexes need beside the content.
    async fn store_facts(&self, tx: &mut Tx, target: &VersionTarget<'_>) -> Result<()> {
        let Some(about) = &self.inspected.about else { return Ok(()) };
        let format = target.house.format(&target.repo().kind).name();
        Ok(content_facts::insert(tx, self.blob.id, format, about).await?)
    }
}
