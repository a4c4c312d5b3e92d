//! Lists of all files of a package or a version, however many there are: read a part at a time.

use database::{
    catalogue::package_list::PageRequest,
    content::file_list::{self, FileListOwner, FileListState, ListedFile},
};
use model::{
    address::{PackageAddress, VersionAddress},
    prefix::NameRange,
};

use super::{Listed, of_package, of_version, visible_paths};
use crate::{Caller, House, Result};

/// Files that are read in one go.
const PART: usize = 500;

/// A list that is being read.
#[derive(Debug)]
pub struct WholeList {
    /// How many files there were when it was begun.
    pub total: u64,
    repo_id: i64,
    of: FileListOwner,
    shown: FileListState,
    /// The paths that are still to come.
    rest: NameRange,
    is_over: bool,
}

/// All files of a package, by path. What is not published is for publishers.
pub async fn all_of_package(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    shown: FileListState,
) -> Result<WholeList> {
    WholeList::begin(house, at, of_package(house, caller, at, shown).await?, shown).await
}

/// All files of a version, by path. What is not published is for publishers.
pub async fn all_of_version(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    shown: FileListState,
) -> Result<WholeList> {
    WholeList::begin(house, &at.package, of_version(house, caller, at, shown).await?, shown).await
}

impl WholeList {
    async fn begin(house: &House, at: &PackageAddress, listed: Listed, shown: FileListState) -> Result<Self> {
        let rest = visible_paths(&house.db, at, &listed.access).await?;
        let total = file_list::count(&house.db, listed.of, shown, &rest).await?.unsigned_abs();
        Ok(Self { total, repo_id: listed.access.package.repo_id, of: listed.of, shown, rest, is_over: false })
    }

    /// The next files; none when all were read.
    pub async fn next(&mut self, house: &House) -> Result<Vec<ListedFile>> {
        if self.is_over {
            return Ok(Vec::new());
        }
        let window = PageRequest { start: 0, limit: PART as i64 };
        let files = file_list::list(&house.db, self.repo_id, self.of, self.shown, &self.rest, window).await?;
        match files.last() {
            // No path holds a control character, so nothing lies between a path and the same with one behind it.
            Some(last) if files.len() == PART => self.rest.from = format!("{}\u{1}", last.path),
            _ => self.is_over = true,
        }
        Ok(files)
    }

    /// Whether there is nothing left to read.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}
