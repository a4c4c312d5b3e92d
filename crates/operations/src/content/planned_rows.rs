//! Files as a plan sees them: the rows of the database, plus the changes that the plan has made so far.

use std::collections::{BTreeMap, btree_map::Entry};

use database::{
    Read,
    content::files,
    signing::signatures::{self, Signature},
};
use model::{
    file::{File, FileContent},
    file_path::FilePath,
    id::{BlobId, RepoId},
    timestamp::Timestamp,
};

use crate::{
    Result,
    format::{Facts, PublishedFile},
};

/// The files of a repository during a plan. Each row is read once, and locked if it is read in a transaction.
pub(crate) struct PlannedRows<'d> {
    pub(crate) db: &'d dyn Read,
    pub(crate) repo_id: RepoId,
    now: Timestamp,
    files: BTreeMap<FilePath, Option<File>>,
    signatures: BTreeMap<BlobId, Option<Signature>>,
    published: Published,
}

/// The published files at the paths that the plan changes; `None` means no file.
pub(crate) type Published = BTreeMap<String, Option<PublishedFile>>;

impl<'d> PlannedRows<'d> {
    /// Starts from the current rows. Files that the plan publishes get `now` as their time of publication.
    pub(crate) fn new(db: &'d dyn Read, repo_id: RepoId, now: Timestamp) -> Self {
        let (files, signatures, published) = (BTreeMap::new(), BTreeMap::new(), Published::new());
        Self { db, repo_id, now, files, signatures, published }
    }

    /// Returns the file at a path, as the plan leaves it.
    pub(crate) async fn find(&mut self, path: &FilePath) -> Result<Option<File>> {
        if let Some(found) = self.files.get(path) {
            return Ok(found.clone());
        }
        let file = files::lock(self.db, self.repo_id, path).await?;
        self.set(path, file.clone());
        Ok(file)
    }

    /// Returns the signature that this content is, if this server made it.
    pub(crate) async fn signature(&mut self, content: Option<&FileContent>) -> Result<Option<Signature>> {
        let Some(content) = content else { return Ok(None) };
        match self.signatures.entry(content.blob_id) {
            Entry::Occupied(found) => Ok(found.get().clone()),
            Entry::Vacant(missing) => Ok(missing.insert(signatures::find(self.db, content.blob_id).await?).clone()),
        }
    }

    /// Sets the file at a path. The path in its row may spell the same characters in another form.
    pub(crate) fn set(&mut self, path: &FilePath, file: Option<File>) {
        if let Some(file) = file.as_ref().filter(|file| file.path != *path) {
            self.files.insert(file.path.clone(), Some(file.clone()));
        }
        self.files.insert(path.clone(), file);
    }

    /// Publishes the staged content of the file at a path.
    pub(crate) fn publish(&mut self, path: &FilePath, file: &File) {
        let facts = file.staged.as_ref().and_then(|content| content.facts.clone());
        self.publish_path(&file.path, facts);
        self.set(path, Some(File { published: file.staged.clone(), staged: None, ..file.clone() }));
    }

    /// Publishes a file with these facts at a path.
    pub(crate) fn publish_path(&mut self, path: &FilePath, facts: Option<String>) {
        let file = PublishedFile { path: path.clone(), facts: facts.map(Facts), published: self.now.millis() };
        self.published.insert(path.to_string(), Some(file));
    }

    /// Removes the published file at a path.
    pub(crate) fn unpublish(&mut self, path: &FilePath) {
        self.published.insert(path.to_string(), None);
    }

    /// Returns the published files at the paths that the plan changes.
    pub(crate) fn published(&self) -> &Published {
        &self.published
    }
}
