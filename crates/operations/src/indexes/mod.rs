//! Indexes of whole repositories, as generations.
//!
//! A trigger records every change of a published file. After a commit, the request that made it builds the next
//! generation, or waits for the one who does: blocks are rendered and documents signed with no transaction open, and one
//! transaction switches. It needs the lease of the builder and the generation that the build began with, so a builder
//! that was too slow changes nothing. See ADR 0034.

mod assemble;
mod blocks;
mod build;
mod cache;
mod compact;
mod deflate;
mod details;
mod diff;
mod digests;
mod edit;
mod identities;
mod index_keys;
mod jobs;
mod key_file;
mod log;
mod log_blocks;
mod parts;
mod places;
mod purge;
mod rows;
mod seal;
mod settle;
mod shares;
mod slots;
mod stream;
mod switch;
mod view;
mod view_history;
mod whole;

pub(crate) use assemble::find;
pub(crate) use cache::IndexCaches;
pub(crate) use jobs::{build_due, find_outdated};
pub(crate) use settle::{rebuild, settle};

pub use assemble::{IndexBytes, IndexContent};
pub use edit::edit_repo;
pub use key_file::rsa_key;

use std::collections::BTreeMap;

use database::{Read, indexes::sources};
use model::{id::RepoId, repo::Repo, timestamp::Timestamp};

use crate::{
    Result,
    format::{Facts, FileView, Format, RepoIndexes},
};

/// The indexes of a repository, and the code of its format.
#[derive(Clone)]
pub(crate) struct IndexedRepo {
    pub(crate) repo: Repo,
    format: &'static dyn Format,
    indexes: &'static dyn RepoIndexes,
}

impl IndexedRepo {
    /// The repository, if its format has indexes of whole repositories.
    pub(crate) fn of(format: &'static dyn Format, repo: Repo) -> Option<Self> {
        Some(Self { repo, format, indexes: format.repo_indexes()? })
    }

    /// Whether the repository's GPG key signs the indexes.
    fn signs_with_gpg(&self) -> bool {
        self.repo.profile.gpg_sign_metadata && self.indexes.signing().needs_gpg_key()
    }

    fn id(&self) -> RepoId {
        self.repo.id
    }

    /// Returns those of these files that are published, by id, with what their entries are made of.
    async fn files(&self, db: &dyn Read, ids: &[i64]) -> Result<Vec<ListedFile>> {
        self.files_with(db, ids, self.format.name()).await
    }

    /// Returns the same files with the facts that the entries of a stream are made of.
    async fn files_of(&self, db: &dyn Read, stream: &str, ids: &[i64]) -> Result<Vec<ListedFile>> {
        let details = self.indexes.details(&self.repo).filter(|_| self.indexes.is_detailed(stream));
        self.files_with(db, ids, details.unwrap_or(self.format.name())).await
    }

    /// Returns these files with their details, if entries of the repository need any.
    async fn detailed_files(&self, db: &dyn Read, ids: &[i64]) -> Result<Vec<ListedFile>> {
        match self.indexes.details(&self.repo) {
            Some(name) => self.files_with(db, ids, name).await,
            None => Ok(Vec::new()),
        }
    }

    async fn files_with(&self, db: &dyn Read, ids: &[i64], facts: &str) -> Result<Vec<ListedFile>> {
        let mut sources = sources::list(db, self.id(), facts, ids).await?;
        if let Some(mark) = self.indexes.hidden_mark() {
            let hidden = sources::list_marked(db, mark, ids).await?;
            sources.retain(|file| !hidden.contains(&file.id));
        }
        sources.into_iter().map(ListedFile::try_from).collect()
    }

    /// Returns the sizes of all facts that the entries of these files are made of.
    async fn facts_sizes(&self, db: &dyn Read, ids: &[i64]) -> Result<BTreeMap<i64, i64>> {
        let mut sizes: BTreeMap<i64, i64> = BTreeMap::new();
        for name in std::iter::once(self.format.name()).chain(self.indexes.details(&self.repo)) {
            for (id, size) in sources::list_sizes(db, name, ids).await? {
                *sizes.entry(id).or_default() += size;
            }
        }
        Ok(sizes)
    }
}

/// A published file that indexes may list.
#[derive(Debug, Clone)]
struct ListedFile {
    id: i64,
    view: FileView,
}

impl TryFrom<sources::IndexSource> for ListedFile {
    type Error = crate::Error;

    fn try_from(row: sources::IndexSource) -> Result<Self> {
        let damaged = || crate::Error::Internal(format!("file {} has a damaged row", row.id));
        let view = FileView {
            path: model::file_path::FilePath::stored(&row.path).map_err(|_| damaged())?,
            size_bytes: row.size.unsigned_abs(),
            sha256: row.sha256.parse().map_err(|_| damaged())?,
            sha1: row.sha1,
            md5: row.md5,
            sha512: row.sha512,
            published: Timestamp::from_millis(row.published),
            facts: row.facts.map(Facts),
            about: row.about,
        };
        Ok(Self { id: row.id, view })
    }
}
