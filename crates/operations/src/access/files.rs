//! Access to files.

use database::{
    Read,
    content::{derived_files, files},
    indexes::heads,
};
use model::{
    access::{GrantScope, GrantTarget, Right},
    address::RepoAddress,
    checksum::ChecksumFile,
    file_path::FilePath,
    repo::Repo,
};

use crate::{Caller, RepoAccess, Result, access::RepoGrants};

/// Returns the repository, for a caller who has this right at a path in it: a file, its checksum, an index, a folder.
pub(crate) async fn file(
    db: &impl Read,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    needed: Right,
) -> Result<RepoAccess> {
    let reach = RepoGrants::find(db, caller, at, needed).await?;
    if !reach.has_parts() {
        return reach.enter(caller, needed, GrantTarget::default());
    }
    let side = ChecksumFile::parse(path).map(|side| side.main);
    // A file may have the name of a checksum file; then the path means that file.
    for path in [Some(path), side.as_ref()].into_iter().flatten() {
        if let Some((package_id, version_id)) = files::find_place(db, reach.repo_id(), path).await? {
            let (package_id, version_id) = (Some(package_id), Some(version_id));
            return reach.enter(caller, needed, GrantTarget { package_id, version_id, path: Some(path.as_str()) });
        }
    }
    if is_index_of_part(db, &reach, side.as_ref().unwrap_or(path), needed).await? {
        return reach.enter_part(caller, needed);
    }
    reach.enter(caller, needed, GrantTarget { path: Some(path.as_str()), ..GrantTarget::default() })
}

/// Returns the scopes of a repository that a caller may read; `None` if the caller may read all of it.
pub(crate) async fn scopes(db: &impl Read, caller: &Caller, repo: &Repo) -> Result<Option<Vec<GrantScope>>> {
    if caller.key().is_none() || !repo.profile.is_private {
        return Ok(None);
    }
    let at = RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() };
    let grants = RepoGrants::find(db, caller, &at, Right::Read).await?;
    let reads_all = grants.enter(caller, Right::Read, GrantTarget::default()).is_ok();
    Ok((!reads_all).then(|| grants.parts().cloned().collect()))
}

/// Returns the repository, for a caller who may read a whole folder of it. A right in a file with the same path is not
/// enough.
pub(crate) async fn folder(db: &impl Read, caller: &Caller, at: &RepoAddress, path: &FilePath) -> Result<RepoAccess> {
    let reach = RepoGrants::find(db, caller, at, Right::Read).await?;
    reach.enter(caller, Right::Read, GrantTarget { path: Some(path.as_str()), ..GrantTarget::default() })
}

/// Returns whether the path is an index of a folder that contains files in the caller's grants: clients need it to find
/// them.
async fn is_index_of_part(db: &impl Read, reach: &RepoGrants, path: &FilePath, needed: Right) -> Result<bool> {
    if derived_files::find(db, reach.repo_id(), path).await?.is_none() {
        // Indexes of the whole repository are made for exactly the files in the caller's grants.
        return Ok(needed == Right::Read && heads::find(db, reach.repo_id()).await?.is_some());
    }
    let parts: Vec<_> = reach.parts().collect();
    Ok(files::is_in_folder(db, &parts, path.folder_prefix()).await?)
}

/// Returns whether a path is inside a folder, compared by whole segments.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| folder.is_empty() || rest.is_empty() || rest.starts_with('/'))
}
