//! Access to files.

use database::{Read, content::files, downloads::index_texts, oci::uses};
use model::{
    access::{GrantScope, GrantTarget, Right},
    address::RepoAddress,
    checksum::ChecksumFile,
    file_path::FilePath,
    id::VersionId,
    repo::Repo,
};

use crate::{Caller, House, RepoAccess, Result, access::RepoGrants, format::Format};

/// Returns the repository, for a caller who may read a path in it: a file, a part of it, its checksum, an index, a
/// folder.
pub(crate) async fn readable_path(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
) -> Result<RepoAccess> {
    let reach = RepoGrants::find(&house.db, caller, at, Right::Read).await?;
    let format = house.format(reach.repo_kind());
    enter_file(&house.db, caller, &reach, path, Right::Read, Some(format)).await
}

/// Returns the repository, for a caller who has this right at a path in it: a file, its checksum, an index, a folder.
pub(crate) async fn file(
    db: &dyn Read,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    needed: Right,
) -> Result<RepoAccess> {
    let reach = RepoGrants::find(db, caller, at, needed).await?;
    enter_file(db, caller, &reach, path, needed, None).await
}

async fn enter_file(
    db: &dyn Read,
    caller: &Caller,
    reach: &RepoGrants,
    path: &FilePath,
    needed: Right,
    format: Option<&'static dyn Format>,
) -> Result<RepoAccess> {
    if !reach.has_parts() {
        return reach.enter(caller, needed, GrantTarget::default());
    }
    let main = format.and_then(|format| format.main_file(path));
    let side = ChecksumFile::parse(path).map(|side| side.main);
    let stand_in = format.and_then(|format| format.stand_in(path));
    // A file may have the name of a part or of a checksum file; then the path means that file.
    for path in [Some(path), main.as_ref(), side.as_ref(), stand_in.as_ref()].into_iter().flatten() {
        if let Some((package_id, version_id)) = files::find_place(db, reach.repo_id(), path).await? {
            let version_id = find_using(db, reach, path).await?.unwrap_or(version_id);
            let (package_id, version_id) = (Some(package_id), Some(version_id));
            return reach.enter(caller, needed, GrantTarget { package_id, version_id, path: Some(path.as_str()) });
        }
    }
    if is_index_of_part(db, reach, side.as_ref().unwrap_or(path), format).await? {
        return reach.enter_part(caller, needed);
    }
    reach.enter(caller, needed, GrantTarget { path: Some(path.as_str()), ..GrantTarget::default() })
}

/// Returns a version in the caller's grants that uses the file of an image at a path; the file may belong to another
/// one.
async fn find_using(db: &dyn Read, reach: &RepoGrants, path: &FilePath) -> Result<Option<VersionId>> {
    let granted = reach.parts().filter_map(|part| match part {
        GrantScope::Version(id) => Some(*id),
        GrantScope::Package(_) | GrantScope::Path(_) => None,
    });
    let granted: Vec<VersionId> = granted.collect();
    Ok(uses::find_among(db, reach.repo_id(), path, &granted).await?)
}

/// Returns the scopes of a repository that a caller may read; `None` if the caller may read all of it.
pub(crate) async fn scopes(db: &dyn Read, caller: &Caller, repo: &Repo) -> Result<Option<Vec<GrantScope>>> {
    if caller.part_grantee_id().is_none() || !repo.profile.is_private {
        return Ok(None);
    }
    let at = RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() };
    let grants = RepoGrants::find(db, caller, &at, Right::Read).await?;
    let reads_all = grants.enter(caller, Right::Read, GrantTarget::default()).is_ok();
    Ok((!reads_all).then(|| grants.parts().cloned().collect()))
}

/// Returns the repository, for a caller who may read a whole folder of it. A right in a file with the same path is not
/// enough.
pub(crate) async fn folder(db: &dyn Read, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<RepoAccess> {
    let reach = RepoGrants::find(db, caller, at, Right::Read).await?;
    reach.enter(caller, Right::Read, GrantTarget { path: Some(path.as_str()), ..GrantTarget::default() })
}

/// Returns whether the path is an index that lists files in the caller's grants: clients need it to find them. Indexes of
/// whole repositories are made for exactly those files, for callers who read.
async fn is_index_of_part(
    db: &dyn Read,
    reach: &RepoGrants,
    path: &FilePath,
    format: Option<&'static dyn Format>,
) -> Result<bool> {
    // Only formats with indexes of packages have both kinds; the others need no look-up.
    let has_repo_indexes = format.is_some_and(|format| format.repo_indexes().is_some());
    if has_repo_indexes && format.is_some_and(|format| format.package_indexes().is_none()) {
        return Ok(true);
    }
    let found = index_texts::find_package(db, reach.repo_id(), path).await?;
    let Some(package_id) = found else { return Ok(has_repo_indexes) };
    let parts: Vec<_> = reach.parts().collect();
    if let Some(package_id) = package_id {
        return Ok(index_texts::is_in_package(db, &parts, package_id).await?);
    }
    Ok(files::is_in_folder(db, &parts, path.folder_prefix()).await?)
}

/// Returns whether a path is inside a folder, compared by whole segments.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| folder.is_empty() || rest.is_empty() || rest.starts_with('/'))
}
