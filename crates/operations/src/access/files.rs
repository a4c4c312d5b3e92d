//! Files that a caller may do something with.

use database::{Read, derived_files, files};
use model::{
    access::{Place, Right},
    address::RepoAddress,
    checksum::SideFile,
    file_path::FilePath,
};

use crate::{Caller, RepoAccess, Result, access::Reach};

/// The repository, for a caller who may do this with what is at a path of it: a file, its checksum, an index, a folder.
pub(crate) async fn file(
    db: &impl Read,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
    needed: Right,
) -> Result<RepoAccess> {
    let reach = Reach::find(db, caller, at, needed).await?;
    if !reach.has_parts() {
        return reach.enter(caller, needed, Place::default());
    }
    let main = SideFile::parse(path).map(|side| side.main);
    let main = main.as_ref().unwrap_or(path);
    let place = match files::find_place(db, reach.repo_id(), main).await? {
        Some((package_id, version_id)) => {
            Place { package_id: Some(package_id), version_id: Some(version_id), path: None }
        }
        None if is_index_of_part(db, &reach, main).await? => return reach.enter_part(caller, needed),
        None => Place::default(),
    };
    reach.enter(caller, needed, Place { path: Some(path.as_str()), ..place })
}

/// Whether there is an index here of a folder that has files of the caller's parts: clients need it to find them.
async fn is_index_of_part(db: &impl Read, reach: &Reach, path: &FilePath) -> Result<bool> {
    if derived_files::find(db, reach.repo_id(), path).await?.is_none() {
        return Ok(false);
    }
    for part in reach.parts() {
        if files::is_in_folder(db, part, path.folder_prefix()).await? {
            return Ok(true);
        }
    }
    Ok(false)
}
