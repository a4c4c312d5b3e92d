//! Lists of all files of a package or a version, of any length, read in batches.

use database::content::file_list::{self, FileListOwner};
use model::{
    address::{PackageAddress, VersionAddress},
    file::{FileListState, ListedFile},
    id::RepoId,
    page::PageRequest,
    prefix::NameRange,
};

use super::{FileListTarget, of_package, of_version, visible_paths};
use crate::{Caller, House, Result};

/// The number of files read in one batch.
const PART: usize = 500;

/// A list being read.
#[derive(Debug)]
pub struct WholeList {
    /// The number of files when the list was opened.
    pub total: u64,
    repo_id: RepoId,
    of: FileListOwner,
    shown: FileListState,
    /// The paths not read yet.
    rest: NameRange,
    is_over: bool,
}

/// Lists all files of a package, by path. Staged files are for publishers.
#[boxed::future]
pub async fn all_of_package(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    shown: FileListState,
) -> Result<WholeList> {
    WholeList::begin(house, at, of_package(house, caller, at, shown).await?, shown).await
}

/// Lists all files of a version, by path. Staged files are for publishers.
#[boxed::future]
pub async fn all_of_version(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    shown: FileListState,
) -> Result<WholeList> {
    WholeList::begin(house, &at.package, of_version(house, caller, at, shown).await?, shown).await
}

impl WholeList {
    async fn begin(house: &House, at: &PackageAddress, listed: FileListTarget, shown: FileListState) -> Result<Self> {
        let rest = visible_paths(&house.db, at, &listed.access).await?;
        let total = file_list::count(&house.db, listed.of, shown, &rest).await?.unsigned_abs();
        Ok(Self { total, repo_id: listed.access.package.repo_id, of: listed.of, shown, rest, is_over: false })
    }

    /// Returns the next files; empty at the end.
    #[boxed::future]
    pub async fn next(&mut self, house: &House) -> Result<Vec<ListedFile>> {
        if self.is_over {
            return Ok(Vec::new());
        }
        let window = PageRequest { start: 0, limit: PART as i64 };
        let files = file_list::list(&house.db, self.repo_id, self.of, self.shown, &self.rest, window).await?;
        match files.last() {
            // No path contains a control character, so no other path sorts between a path and the same path followed by
            // one.
            Some(last) if files.len() == PART => self.rest.from = format!("{}\u{1}", last.path),
            _ => self.is_over = true,
        }
        Ok(files)
    }

    /// Returns whether the list is read to its end.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}
