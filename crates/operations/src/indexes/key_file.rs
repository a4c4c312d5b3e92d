//! The RSA key of an index by the name of its file, which clients know the key by.

use std::sync::Arc;

use model::{
    access::Right,
    address::RepoAddress,
    file_path::FilePath,
    names::{RepoName, SubjectName},
};

use crate::{
    Caller, Error, House, Result, access,
    indexes::{IndexContent, assemble},
};

/// Returns the file `<owner>-<repository>.rsa.pub`, for callers who may read the repository. What they may not read
/// looks like what does not exist.
#[boxed::future]
pub async fn rsa_key(house: &House, caller: &Caller, owner: &SubjectName, file: &str) -> Result<Arc<IndexContent>> {
    let not_found = || Error::NotFound { what: "Public key", name: file.to_owned() };
    let repo = file.strip_suffix(".rsa.pub").and_then(|stem| stem.strip_prefix(owner.as_str())?.strip_prefix('-'));
    let repo = repo.and_then(|name| RepoName::parse(name).ok()).ok_or_else(not_found)?;
    let at = RepoAddress { owner: owner.clone(), repo };
    let found = match access::repo(&house.db, caller, &at, Right::Read).await {
        Err(Error::NotFound { .. } | Error::Denied(_) | Error::Unauthenticated(_)) => return Err(not_found()),
        other => other?.repo,
    };
    let path = FilePath::parse(&format!("keys/{file}")).map_err(|_| not_found())?;
    assemble::find(house, &found, None, &path).await?.ok_or_else(not_found)
}
