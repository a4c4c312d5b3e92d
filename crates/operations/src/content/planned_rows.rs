//! Files as a plan sees them: the rows of the database, with what the plan has changed so far.

use std::collections::{BTreeMap, btree_map::Entry};

use database::{
    Read,
    content::files::{self, Content, File},
    signing::signatures::{self, Signature},
};
use model::{file_path::FilePath, timestamp::Timestamp};

use crate::{
    Result,
    format::{Facts, PublishedFile},
};

/// The files of a repository during a plan. Each row is read once, and locked where a transaction reads it.
pub(crate) struct PlannedRows<'d, D> {
    pub(crate) db: &'d D,
    pub(crate) repo_id: i64,
    now: Timestamp,
    files: BTreeMap<FilePath, Option<File>>,
    signatures: BTreeMap<i64, Option<Signature>>,
    published: Published,
}

/// What readers will see at paths where the plan changes that; `None` is no file.
pub(crate) type Published = BTreeMap<String, Option<PublishedFile>>;

impl<'d, D: Read> PlannedRows<'d, D> {
    /// The rows as they are. What is published from here on is published now.
    pub(crate) fn new(db: &'d D, repo_id: i64, now: Timestamp) -> Self {
        let (files, signatures, published) = (BTreeMap::new(), BTreeMap::new(), Published::new());
        Self { db, repo_id, now, files, signatures, published }
    }

    /// The file at a path, as the plan leaves it.
    pub(crate) async fn find(&mut self, path: &FilePath) -> Result<Option<File>> {
        if let Some(found) = self.files.get(path) {
            return Ok(found.clone());
        }
        let file = files::hold(self.db, self.repo_id, path).await?;
        self.set(path, file.clone());
        Ok(file)
    }

    /// What some content signs, if it is a signature that this server has made.
    pub(crate) async fn signature(&mut self, content: Option<&Content>) -> Result<Option<Signature>> {
        let Some(content) = content else { return Ok(None) };
        match self.signatures.entry(content.blob_id) {
            Entry::Occupied(found) => Ok(found.get().clone()),
            Entry::Vacant(missing) => Ok(missing.insert(signatures::find(self.db, content.blob_id).await?).clone()),
        }
    }

    /// Leaves this file at a path. The path of its row may have the same characters in another form.
    pub(crate) fn set(&mut self, path: &FilePath, file: Option<File>) {
        if let Some(file) = file.as_ref().filter(|file| file.path != *path) {
            self.files.insert(file.path.clone(), Some(file.clone()));
        }
        self.files.insert(path.clone(), file);
    }

    /// Publishes what is staged in the file at a path.
    pub(crate) fn publish(&mut self, path: &FilePath, file: &File) {
        let facts = file.staged.as_ref().and_then(|content| content.facts.clone());
        self.publish_path(&file.path, facts);
        self.set(path, Some(File { published: file.staged.clone(), staged: None, ..file.clone() }));
    }

    /// Publishes something with these facts at a path.
    pub(crate) fn publish_path(&mut self, path: &FilePath, facts: Option<String>) {
        let file = PublishedFile { path: path.clone(), facts: facts.map(Facts), published: self.now.millis() };
        self.published.insert(path.to_string(), Some(file));
    }

    /// Leaves nothing published at a path.
    pub(crate) fn unpublish(&mut self, path: &FilePath) {
        self.published.insert(path.to_string(), None);
    }

    /// What readers will see where the plan changes that.
    pub(crate) fn published(&self) -> &Published {
        &self.published
    }
}
