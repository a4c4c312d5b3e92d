//! Lists a folder, limited to the files that the caller may see.

use std::collections::BTreeMap;

use database::content::folders::{self, FolderOwner};
use model::{prefix::NameRange, timestamp::Timestamp};

use crate::{
    Caller, House, RepoAccess, Result, access,
    access::files::is_below,
    downloads::{DownloadAttempt, OriginRules, decide, find::AdmittedRepo},
};

/// The maximum number of entries listed per folder.
const ENTRIES: usize = 10_000;

/// The number of rows read at once.
const BATCH: i64 = 500;

/// A folder with its entries, sorted by name.
#[derive(Debug, Clone)]
pub struct Folder {
    /// The entries.
    pub entries: Vec<FolderEntry>,
    /// Whether entries were left out.
    pub is_cut: bool,
}

/// A file or a folder in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// The name.
    pub name: String,
    /// The details of a file; `None` for a folder.
    pub file: Option<FileEntry>,
}

/// A file in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// The size in bytes.
    pub size: i64,
    /// The time of its publication, or of its upload while it is staged.
    pub changed: Timestamp,
    /// Whether the file is published.
    pub is_published: bool,
}

/// Lists the folder with this prefix, which ends in a slash or is empty.
pub(super) async fn list(house: &House, caller: &Caller, entered: &AdmittedRepo, prefix: &str) -> Result<Folder> {
    let access = &entered.access;
    let mut entries = BTreeMap::new();
    let owner = if access.is_publisher() {
        FolderOwner::RepoWithStaged(access.repo.id)
    } else {
        FolderOwner::Repo(access.repo.id)
    };
    let mut is_cut = walk(house, owner, prefix, None, &mut entries).await?;
    for linked in folders::list_linked_packages(&house.db, access.repo.id).await? {
        let Some(source) = access::readable_repo(&house.db, caller, linked.source_repo_id).await? else { continue };
        let rules = OriginRules::of(house, source.repo.id).await?;
        if decide(house, caller, &source, &rules, DownloadAttempt::OPEN).is_ok() {
            let owner = FolderOwner::Package(linked.package_id);
            is_cut |= walk(house, owner, prefix, linked.path_prefix.as_deref(), &mut entries).await?;
        }
    }
    add_indexes(house, access, prefix, &mut entries).await?;
    Ok(Folder { entries: entries.into_iter().map(|(name, file)| FolderEntry { name, file }).collect(), is_cut })
}

type Entries = BTreeMap<String, Option<FileEntry>>;

/// Adds the entries of one owner. One file of a subfolder is enough to list it; the walk then skips the rest of the
/// subfolder. Returns whether entries were left out.
async fn walk(
    house: &House,
    owner: FolderOwner,
    prefix: &str,
    shown: Option<&str>,
    entries: &mut Entries,
) -> Result<bool> {
    let mut range = NameRange::beginning_with(prefix);
    loop {
        let rows = folders::list(&house.db, owner, &range, BATCH).await?;
        let is_last = rows.len() < usize::try_from(BATCH).unwrap_or(usize::MAX);
        let Some(last) = rows.last().map(|row| row.path.clone()) else { return Ok(false) };
        for row in rows.into_iter().filter(|row| shown.is_none_or(|shown| is_below(&row.path, shown))) {
            let below = &row.path[prefix.len()..];
            match below.split_once('/') {
                Some((folder, _)) => drop(entries.entry(folder.to_owned()).or_insert(None)),
                None => {
                    let changed = Timestamp::from_millis(row.changed);
                    let file = FileEntry { size: row.size, changed, is_published: row.is_published };
                    entries.insert(below.to_owned(), Some(file));
                }
            }
            if entries.len() >= ENTRIES {
                return Ok(true);
            }
        }
        if is_last {
            return Ok(false);
        }
        range.from = after(prefix, &last);
    }
}

/// Returns where the walk continues after this path: after its subfolder, if it is in one.
fn after(prefix: &str, path: &str) -> String {
    match path[prefix.len()..].split_once('/') {
        // `0` is the character after the slash.
        Some((folder, _)) => format!("{prefix}{folder}0"),
        None => format!("{path}\u{1}"),
    }
}

/// Adds index files, which are listed like uploaded files.
async fn add_indexes(house: &House, access: &RepoAccess, prefix: &str, entries: &mut Entries) -> Result<()> {
    let range = NameRange::beginning_with(prefix);
    let limit = i64::try_from(ENTRIES).unwrap_or(i64::MAX);
    for row in folders::list_derived(&house.db, access.repo.id, &range, limit).await? {
        if let Some(name) = row.path.strip_prefix(prefix).filter(|name| !name.contains('/')) {
            let changed = Timestamp::from_millis(row.changed);
            entries.entry(name.to_owned()).or_insert(Some(FileEntry { size: row.size, changed, is_published: true }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_goes_on_behind_a_folder_and_after_a_file() {
        assert_eq!(after("a/", "a/b/c.tar"), "a/b0");
        assert!(after("a/", "a/b").as_str() > "a/b" && after("a/", "a/b").as_str() < "a/b.tar");
    }
}
