//! Requests of a format's own clients: they publish, change and ask in the words of their ecosystem.
//!
//! The format tells what a request means. Rights, windows, quotas, signatures, events and the audit log are those of the
//! ordinary calls.

mod ask;
mod cached_lists;
mod change;
mod drafts;
mod listed;
mod matches;
mod name_lists;
mod profile;
mod publish;
mod published;
mod refusal;
pub mod repo_tokens;
mod row_changes;
mod tag_names;
mod upload;
pub mod upload_tokens;
mod view;

pub use ask::ask;
pub use change::change;
pub(crate) use name_lists::NameLists;
pub use refusal::refused;
pub use row_changes::{delete_tag, set_mark, set_tag};
pub use upload::NativeUpload;

use database::catalogue::repos;
use model::{
    access::{GrantTarget, Right},
    address::RepoAddress,
};

use crate::{
    Caller, Error, House, RepoAccess, Result,
    access::{
        RepoGrants,
        admission::{DownloadAttempt, OriginRules, decide, wrong_origin},
    },
    format::{Format, Native},
};

/// The format of the repository at an address, if it exists at all. It only chooses the table of requests, and says
/// nothing about rights.
#[boxed::future]
pub async fn format_of(house: &House, at: &RepoAddress) -> Result<Option<&'static dyn Format>> {
    let kind = repos::find_kind(&house.db, &at.owner, &at.repo).await?;
    Ok(kind.map(|kind| house.format(&kind)))
}

/// Fails like a read of the repository if the caller may not read it, or any part of it. Returns whether it is private.
#[boxed::future]
pub async fn check_read(house: &House, caller: &Caller, at: &RepoAddress) -> Result<bool> {
    Ok(enter(house, caller, at).await?.access.repo.profile.is_private)
}

/// A repository that the caller may read, and the grants if they are for parts of it only.
struct ReadableRepo {
    access: RepoAccess,
    parts: Option<RepoGrants>,
}

/// Enters a repository to read. Anonymous callers are asked for credentials both when it is hidden and when it does not
/// exist, as for downloads.
async fn enter(house: &House, caller: &Caller, at: &RepoAddress) -> Result<ReadableRepo> {
    let entered = async {
        let reach = RepoGrants::find(&house.db, caller, at, Right::Read).await?;
        match reach.enter(caller, Right::Read, GrantTarget::default()) {
            Ok(access) => Ok(ReadableRepo { access, parts: None }),
            Err(_) => Ok(ReadableRepo { access: reach.enter_any(caller, Right::Read)?, parts: Some(reach) }),
        }
    };
    let entered = entered.await.map_err(|error| or_sign_in(caller, at, error))?;
    check_origin(house, caller, &entered.access).await?;
    Ok(entered)
}

/// Replaces the error for something that an anonymous caller does not find.
fn or_sign_in(caller: &Caller, at: &RepoAddress, error: Error) -> Error {
    match error {
        Error::NotFound { .. } if !caller.is_known_in(&at.owner, &at.repo) => Error::sign_in(),
        other => other,
    }
}

/// Rejects callers whose origin the rules of a repository do not admit.
async fn check_origin(house: &House, caller: &Caller, access: &RepoAccess) -> Result<()> {
    let rules = OriginRules::of(house, access.repo.id).await?;
    decide(house, caller, access, &rules, DownloadAttempt::OPEN).map_err(|_| wrong_origin())
}

/// The requests of a repository's own clients.
fn native_of(house: &House, access: &RepoAccess) -> Result<&'static dyn Native> {
    let format = house.format(&access.repo.kind);
    let missing = || Error::Refused(format!("Repositories of type '{}' have no such requests", access.repo.kind));
    format.native().ok_or_else(missing)
}
