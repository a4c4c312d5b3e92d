//! Whether a download may begin: from where it is asked for, by whom, and what has to be agreed to first.

use std::{net::IpAddr, sync::Arc};

use database::{access::restrictions, downloads::ReadableFile};
use model::access::{Country, Download, DownloadRequest, Refusal, Restrictions, Visibility, decide_download};

use crate::{Caller, Error, House, RepoAccess, Result, access::agreements};

/// The rules about origins that bind a download: those of the repository it is in, and of the one that shows it.
#[derive(Debug, Clone, Default)]
pub struct OriginRules(Option<Arc<[Restrictions]>>);

impl OriginRules {
    /// The rules of a repository.
    pub(crate) async fn of(house: &House, repo_id: i64) -> Result<Self> {
        let found = restrictions::find(&house.db, repo_id).await?;
        Ok(Self(Some(found).filter(|found| !found.is_empty()).map(|found| Arc::from([found]))))
    }

    /// These and those of another repository, too.
    pub(crate) async fn and_of(&self, house: &House, repo_id: i64) -> Result<Self> {
        let other = Self::of(house, repo_id).await?;
        Ok(match (&self.0, other.0) {
            (None, other) => Self(other),
            (own, None) => Self(own.clone()),
            (Some(own), Some(other)) => Self(Some(own.iter().chain(other.iter()).cloned().collect())),
        })
    }

    /// Whether downloads from there are fine. Where there is no rule, nothing is looked up.
    pub fn admit(&self, house: &House, address: IpAddr, told: Option<Country>) -> bool {
        let Some(rules) = &self.0 else { return true };
        let origin = house.geo.origin(address, told);
        rules.iter().all(|restrictions| restrictions.admit(origin))
    }

    /// Whether there are none: then what is public may be kept by anyone on the way.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn list(&self) -> Vec<&Restrictions> {
        self.0.iter().flat_map(|rules| rules.iter()).collect()
    }
}

/// What is asked for, besides by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DownloadAttempt {
    /// Whether readers see it.
    pub(crate) is_published: bool,
    /// Whether the caller has to agree to terms first.
    pub(crate) owes_agreement: bool,
}

impl DownloadAttempt {
    /// Something that every reader sees, and that no terms are for: a folder, an index.
    pub(crate) const OPEN: Self = Self { is_published: true, owes_agreement: false };
}

/// What the policy says to a download from a repository that the caller was found to reach.
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
        is_signed_in: caller.is_signed_in(),
        owes_agreement: wanted.owes_agreement,
        file: Download { restrictions: &rules.list(), visibility, is_published: wanted.is_published },
    })
}

/// Whether a file may be downloaded; false when it must look as if there was none. Else the refusal says why.
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

/// The refusal of a download that comes from the wrong place.
pub(crate) fn wrong_origin() -> Error {
    Error::Denied("Downloads from this repository are not allowed from your network or country".into())
}
