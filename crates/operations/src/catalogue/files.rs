//! Lists files, finds their package and version, and edits their metadata.

mod whole;

pub use whole::{WholeList, all_of_package, all_of_version};

use database::{
    Read, ScopedFutureExt,
    catalogue::links,
    content::{
        file_list::{self, FileListOwner},
        files::{self, FileOwner},
    },
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file::{FileListState, ListedFile},
    file_path::FilePath,
    page::{PAGE_SIZE, PageRequest},
    prefix::NameRange,
};

use crate::{
    Caller, Error, House, PackageAccess, Page, Result, access,
    audit::{entry, record_edits},
    catalogue::{
        packages::{self, PackageDetail},
        versions::{self, VersionDetail},
    },
    change::Edits,
};

/// Lists a page of a package's files, by path. Staged files are for publishers.
#[boxed::future]
pub async fn list_of_package(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    shown: FileListState,
    start: u64,
) -> Result<Page<ListedFile>> {
    list(house, at, of_package(house, caller, at, shown).await?, shown, start).await
}

/// Lists a page of a package's published files, those of the newest version first.
#[boxed::future]
pub async fn list_by_version(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    start: u64,
) -> Result<Page<ListedFile>> {
    let FileListTarget { access, of } = of_package(house, caller, at, FileListState::Published).await?;
    let paths = visible_paths(&house.db, at, &access).await?;
    let total = file_list::count(&house.db, of, FileListState::Published, &paths).await?.unsigned_abs();
    let (repo_id, window) = (access.package.repo_id, window(start, total));
    let items = match window.limit {
        0 => Vec::new(),
        _ => file_list::list_by_version(&house.db, repo_id, access.package.id, &paths, window).await?,
    };
    Ok(Page { items, start, total })
}

/// The part of a page that a list of this length has.
fn window(start: u64, total: u64) -> PageRequest {
    PageRequest { start: start.cast_signed(), limit: total.saturating_sub(start).min(PAGE_SIZE).cast_signed() }
}

/// Lists a page of a version's files, by path. Staged files are for publishers.
#[boxed::future]
pub async fn list_of_version(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    shown: FileListState,
    start: u64,
) -> Result<Page<ListedFile>> {
    list(house, &at.package, of_version(house, caller, at, shown).await?, shown, start).await
}

/// The scope of a list of files, for a caller who may see them.
struct FileListTarget {
    access: PackageAccess,
    of: FileListOwner,
}

async fn of_package(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    shown: FileListState,
) -> Result<FileListTarget> {
    let access = access::package(&house.db, caller, at, needed(shown)).await?;
    Ok(FileListTarget { of: FileListOwner::Package(access.package.id), access })
}

async fn of_version(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    shown: FileListState,
) -> Result<FileListTarget> {
    let access = access::package(&house.db, caller, at, needed(shown)).await?;
    let version = access.version(&house.db, &at.version).await?.ok_or_else(|| Error::no_version(at))?;
    Ok(FileListTarget { of: FileListOwner::Version(version.id), access })
}

fn needed(shown: FileListState) -> Right {
    match shown {
        FileListState::Published => Right::Read,
        FileListState::Newest | FileListState::Staged => Right::Publish,
    }
}

async fn list(
    house: &House,
    at: &PackageAddress,
    FileListTarget { access, of }: FileListTarget,
    shown: FileListState,
    start: u64,
) -> Result<Page<ListedFile>> {
    let paths = visible_paths(&house.db, at, &access).await?;
    let total = file_list::count(&house.db, of, shown, &paths).await?.unsigned_abs();
    let window = window(start, total);
    let items = match window.limit {
        0 => Vec::new(),
        _ => file_list::list(&house.db, access.package.repo_id, of, shown, &paths, window).await?,
    };
    Ok(Page { items, start, total })
}

/// The paths of a package that are visible at this address: for a linked package, those below the link's folder.
async fn visible_paths(db: &dyn Read, at: &PackageAddress, access: &PackageAccess) -> Result<NameRange> {
    let repo = &access.repo.repo;
    if repo.owner == at.repo.owner && repo.name == at.repo.repo {
        return Ok(NameRange::beginning_with(""));
    }
    let not_found = || Error::NotFound { what: "Package", name: at.package.to_string() };
    let folder = links::find_folder(db, &at.repo, access.package.id).await?.ok_or_else(not_found)?;
    let prefix = if folder.is_empty() { folder } else { format!("{folder}/") };
    Ok(NameRange::beginning_with(&prefix))
}

/// Returns the package that a file belongs to.
#[boxed::future]
pub async fn show_package(house: &House, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<PackageDetail> {
    let address = owner(house, caller, at, path).await?.package;
    packages::show(house, caller, &address).await
}

/// Returns the version that a file belongs to.
#[boxed::future]
pub async fn show_version(house: &House, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<VersionDetail> {
    versions::show(house, caller, &owner(house, caller, at, path).await?).await
}

/// Returns the version of a file. A staged file is visible to publishers only.
async fn owner(house: &House, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<VersionAddress> {
    let access = access::file(&house.db, caller, at, path, Right::Read).await?;
    let found = files::find_owner(&house.db, access.repo.id, path).await?;
    let found = found.filter(|owner| owner.is_published || access.is_publisher());
    let FileOwner { package, version, .. } = found.ok_or_else(|| not_found(path))?;
    Ok(VersionAddress { package: PackageAddress { repo: at.clone(), package }, version })
}

/// The metadata of a file.
#[derive(Debug, Clone, Copy)]
pub struct Metadata {
    /// Whether it is in the list of downloads.
    pub list_in_downloads: bool,
}

/// Changes the metadata of a published file.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &RepoAddress, path: &FilePath, metadata: Metadata) -> Result<()> {
    access::file(&house.db, caller, at, path, Right::Publish).await?;
    let is_listed = metadata.list_in_downloads;
    let log = &entry(house, caller, "file.edit", at, path);
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::file(tx, caller, at, path, Right::Publish).await?.repo;
                let file = files::lock(tx, repo.id, path).await?.ok_or_else(|| not_found(path))?;
                if file.published.is_none() {
                    return Err(Error::invalid("file_path", format!("'{path}' is not published")));
                }
                let was_listed = files::is_listed(tx, file.id).await?;
                files::set_listed(tx, file.id, is_listed).await?;
                let mut edits = Edits::default();
                edits.record_set("list_in_downloads", &was_listed, &is_listed);
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

fn not_found(path: &FilePath) -> Error {
    Error::NotFound { what: "File", name: path.to_string() }
}
