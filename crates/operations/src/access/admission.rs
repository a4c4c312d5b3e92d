//! Decides whether a download may begin: by its origin, its caller, and the agreements that must be accepted first.

use std::{net::IpAddr, sync::Arc};

use database::{access::restrictions, downloads::ReadableFile};
use model::{
    access::{Country, Download, DownloadRequest, Refusal, Restrictions, Visibility, decide_download},
    id::RepoId,
};

use crate::{Caller, Error, House, RepoAccess, Result, access::agreements};

/// The origin rules that apply to a download: those of the repository that owns it, and of the one that links to it.
#[derive(Debug, Clone, Default)]
pub struct OriginRules(Option<Arc<[Restrictions]>>);

impl OriginRules {
    /// Returns the rules of a repository.
    pub(crate) async fn of(house: &House, repo_id: RepoId) -> Result<Self> {
        let found = restrictions::find(&house.db, repo_id).await?;
        Ok(Self(Some(found).filter(|found| !found.is_empty()).map(|found| Arc::from([found]))))
    }

    /// Adds the rules of another repository to these.
    pub(crate) async fn and_of(&self, house: &House, repo_id: RepoId) -> Result<Self> {
        let other = Self::of(house, repo_id).await?;
        Ok(match (&self.0, other.0) {
            (None, other) => Self(other),
            (own, None) => Self(own.clone()),
            (Some(own), Some(other)) => Self(Some(own.iter().chain(other.iter()).cloned().collect())),
        })
    }

    /// Returns whether downloads from this origin are allowed. Without rules, nothing is looked up.
    pub fn admit(&self, house: &House, address: IpAddr, told: Option<Country>) -> bool {
        let Some(rules) = &self.0 else { return true };
        let origin = house.geo.origin(address, told);
        rules.iter().all(|restrictions| restrictions.admit(origin))
    }

    /// Returns whether no rule applies: then public content may be cached by any intermediary.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn list(&self) -> Vec<&Restrictions> {
        self.0.iter().flat_map(|rules| rules.iter()).collect()
    }
}

/// A requested download, without its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DownloadAttempt {
    /// Whether it is published.
    pub(crate) is_published: bool,
    /// Whether the caller has to accept an agreement first.
    pub(crate) owes_agreement: bool,
}

impl DownloadAttempt {
    /// Content that every reader sees and that has no agreement: a folder, an index.
    pub(crate) const OPEN: Self = Self { is_published: true, owes_agreement: false };
}

/// Returns the policy's decision on a download from a repository that the caller has access to.
pub(crate) fn decide(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    rules: &OriginRules,
    wanted: DownloadAttempt,
) -> std::result::Result<(), Refusal> {
    let told = caller.origin();
    let origin = if rules.is_empty() { told } else { house.geo.origin(told.address, told.country) };
    let visibility = if access.repo.profile.is_private { Visibility::Private } else { Visibility::Public };
    decide_download(DownloadRequest {
        origin,
        granted: access.right,
        is_signed_in: caller.is_known_in(&access.repo.owner, &access.repo.name),
        owes_agreement: wanted.owes_agreement,
        file: Download { restrictions: &rules.list(), visibility, is_published: wanted.is_published },
    })
}

/// Returns whether a file may be downloaded; false if it must look as if it did not exist. Otherwise the error gives
/// the reason.
pub(crate) async fn admit(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    rules: &OriginRules,
    file: &ReadableFile,
) -> Result<bool> {
    let owed = agreements::owed(house, caller, access, file).await?;
    let wanted = DownloadAttempt { is_published: file.published.is_some(), owes_agreement: owed.is_some() };
    match decide(house, caller, access, rules, wanted) {
        Ok(()) => Ok(true),
        Err(Refusal::Hidden) => Ok(false),
        Err(Refusal::Origin) => Err(wrong_origin()),
        Err(Refusal::Agreement) => Err(owed.unwrap_or_else(wrong_origin)),
    }
}

/// Returns the error for a download from a disallowed origin.
pub(crate) fn wrong_origin() -> Error {
    Error::Denied("Downloads from this repository are not allowed from your network or country".into())
}
