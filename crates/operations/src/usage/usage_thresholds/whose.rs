//! The owners of thresholds: organisations and repositories.

use database::{Tx, usage::usage_thresholds as rows};
use model::{
    access::{Action, Right},
    address::RepoAddress,
    names::SubjectName,
    plan::Plan,
    subject::SubjectKind,
    usage::{Thresholds, UsageScope},
};

use crate::{Caller, Error, House, Result, access};

/// The owner of thresholds.
#[derive(Debug, Clone)]
pub enum ThresholdOwner {
    /// An organisation, with all its repositories together.
    Org(SubjectName),
    /// A repository.
    Repo(RepoAddress),
}

impl ThresholdOwner {
    /// Returns the scope that is measured, for a caller who owns it, and the plan of its owner.
    pub(super) async fn find(&self, house: &House, caller: &Caller) -> Result<(UsageScope, Plan)> {
        match self {
            ThresholdOwner::Org(name) => {
                let org = access::account(&house.db, caller, SubjectKind::Org, name, Action::EditProfile).await?;
                Ok((UsageScope { owner_id: org.id, repo_id: None }, org.plan))
            }
            ThresholdOwner::Repo(at) => {
                let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
                Ok((UsageScope { owner_id: repo.owner_id, repo_id: Some(repo.id) }, repo.plan))
            }
        }
    }

    /// Like `find`, with the owner locked until the transaction ends.
    pub(super) async fn lock(&self, tx: &mut Tx, caller: &Caller) -> Result<(UsageScope, Plan)> {
        match self {
            ThresholdOwner::Org(name) => {
                let org = access::account(tx, caller, SubjectKind::Org, name, Action::EditProfile).await?;
                let org = access::lock(tx, &org).await?;
                access::check_account(tx, caller, &org, Action::EditProfile).await?;
                Ok((UsageScope { owner_id: org.id, repo_id: None }, org.plan))
            }
            ThresholdOwner::Repo(at) => {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                Ok((UsageScope { owner_id: repo.owner_id, repo_id: Some(repo.id) }, repo.plan))
            }
        }
    }

    /// Finds the thresholds of a locked owner.
    pub(super) async fn find_locked(&self, tx: &mut Tx, scope: UsageScope) -> Result<(i64, Thresholds)> {
        let id = rows::find_id(tx, scope).await?.ok_or_else(|| self.not_found())?;
        let thresholds = rows::find(tx, id).await?.ok_or_else(|| self.not_found())?;
        Ok((id, thresholds))
    }

    pub(super) fn name(&self) -> String {
        match self {
            ThresholdOwner::Org(name) => name.to_string(),
            ThresholdOwner::Repo(at) => at.to_string(),
        }
    }

    pub(super) fn not_found(&self) -> Error {
        Error::NotFound { what: "Usage threshold", name: self.name() }
    }
}
