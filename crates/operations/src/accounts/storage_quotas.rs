//! Storage quotas of subjects and repositories: for published and staged files, and signatures.
//!
//! An upload is checked against the quotas before its body is read, if its size is known, and again at the end of its
//! transaction, when uploads add to the owner's total one at a time.

use database::{
    Read, ScopedFutureExt, Tx,
    accounts::{storage_quotas, subjects},
    content::stored_bytes,
};
use model::{
    access::{Action, Decision, Right, decide},
    address::RepoAddress,
    id::SubjectId,
    names::SubjectName,
    plan::Plan,
    repo::{Repo, RepoQuotas},
    subject::Subject,
};

use crate::{
    Caller, Error, House, RepoAccess, Result, access,
    audit::{entry, record},
};

/// A quota and its usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// The maximum number of bytes; without one, only the free space of the storage limits them.
    pub bytes: Option<i64>,
    /// The number of bytes used.
    pub used: i64,
}

/// The subject or repository of a quota.
enum Whose<'q> {
    Repo(&'q Repo),
    Owner(&'q Repo),
}

/// The quotas that apply to a repository.
fn binding<'q>(house: &House, repo: &'q Repo) -> Vec<(Whose<'q>, i64)> {
    let RepoQuotas { of_repo, of_owner } = repo.quotas;
    let of_owner = of_owner.or(of_plan(house, repo.plan));
    let of_repo = of_repo.map(|bytes| (Whose::Repo(repo), bytes));
    of_repo.into_iter().chain(of_owner.map(|bytes| (Whose::Owner(repo), bytes))).collect()
}

/// The quota of a plan.
fn of_plan(house: &House, plan: Plan) -> Option<i64> {
    let bytes = match plan {
        Plan::Free => house.policy.free_storage_bytes,
        Plan::Premium => house.policy.premium_storage_bytes,
        Plan::Enterprise => house.policy.enterprise_storage_bytes,
    };
    (bytes < i64::MAX).then_some(bytes)
}

impl Whose<'_> {
    async fn used(&self, db: &dyn Read) -> Result<i64> {
        Ok(match self {
            Whose::Repo(repo) => stored_bytes::of_repo(db, repo.id).await?,
            Whose::Owner(repo) => stored_bytes::of_owner(db, repo.owner_id).await?,
        })
    }

    /// Returns the error. Callers who manage the owner of the quota see how much is used; others only that it is
    /// exceeded.
    async fn refusal(&self, db: &dyn Read, by: By<'_>, quota: i64, used: i64, needed: i64) -> Result<Error> {
        let repo = &by.access.repo;
        let (whose, is_told) = match self {
            Whose::Repo(_) => (format!("repository '{}/{}'", repo.owner, repo.name), by.access.right >= Right::Own),
            Whose::Owner(_) => (format!("'{}'", repo.owner), is_manager(db, by.caller, repo.owner_id).await?),
        };
        let told =
            if is_told { format!("is {quota} bytes, {used} of them are used, and") } else { "is reached:".into() };
        Ok(Error::QuotaReached(format!("The storage quota of {whose} {told} {needed} more bytes are needed")))
    }
}

/// The caller who adds content, and the target.
#[derive(Clone, Copy)]
pub(crate) struct By<'b> {
    pub(crate) caller: &'b Caller,
    pub(crate) access: &'b RepoAccess,
}

async fn is_manager(db: &dyn Read, caller: &Caller, owner_id: SubjectId) -> Result<bool> {
    let Some(owner) = subjects::find_by_id(db, owner_id).await? else { return Ok(false) };
    Ok(decide(Action::EditProfile, access::standing(db, caller, &owner).await?) == Decision::Allowed)
}

/// Returns whether any quota applies to the repository.
pub(crate) fn is_bound(house: &House, repo: &Repo) -> bool {
    !binding(house, repo).is_empty()
}

/// Rejects an upload of this size that exceeds a quota, before its body is read.
pub(crate) async fn check_before(house: &House, by: By<'_>, needed: i64) -> Result<()> {
    for (whose, quota) in binding(house, &by.access.repo) {
        let used = whose.used(&house.db).await?;
        if used.saturating_add(needed) > quota {
            return Err(whose.refusal(&house.db, by, quota, used, needed).await?);
        }
    }
    Ok(())
}

/// Rejects the bytes that a transaction has added if they exceed a quota. This must be its last step before the commit.
pub(crate) async fn check_added(tx: &mut Tx, house: &House, by: By<'_>, added: i64) -> Result<()> {
    let quotas = binding(house, &by.access.repo);
    if added <= 0 || quotas.is_empty() {
        return Ok(());
    }
    storage_quotas::lock(tx, by.access.repo.owner_id).await?;
    for (whose, quota) in quotas {
        let used = whose.used(tx).await?;
        if used > quota {
            return Err(whose.refusal(tx, by, quota, (used - added).max(0), added).await?);
        }
    }
    Ok(())
}

/// Returns the quota of a subject and its usage, for callers who manage the subject.
#[boxed::future]
pub async fn show_of_subject(house: &House, caller: &Caller, name: &SubjectName) -> Result<Quota> {
    caller.check_known_to(name)?;
    let subject = find(house, name).await?;
    access::check_account(&house.db, caller, &subject, Action::EditProfile).await?;
    let own = storage_quotas::find_of_subject(&house.db, subject.id).await?;
    let used = stored_bytes::of_owner(&house.db, subject.id).await?;
    Ok(Quota { bytes: own.or(of_plan(house, subject.plan)), used })
}

/// Returns those of these subjects that have a quota and that the caller manages, with the quota and its usage.
#[boxed::future]
pub async fn list_of_subjects(
    house: &House,
    caller: &Caller,
    names: &[SubjectName],
) -> Result<Vec<(SubjectName, Quota)>> {
    let mut quotas = Vec::new();
    for name in names {
        let Some(subject) = subjects::find(&house.db, name).await? else { continue };
        let own = storage_quotas::find_of_subject(&house.db, subject.id).await?;
        let Some(bytes) = own.or(of_plan(house, subject.plan)) else { continue };
        if decide(Action::EditProfile, access::standing(&house.db, caller, &subject).await?) == Decision::Allowed {
            let used = stored_bytes::of_owner(&house.db, subject.id).await?;
            quotas.push((name.clone(), Quota { bytes: Some(bytes), used }));
        }
    }
    Ok(quotas)
}

/// Returns the quota of a repository and its usage, for its owners.
#[boxed::future]
pub async fn show_of_repo(house: &House, caller: &Caller, at: &RepoAddress) -> Result<Quota> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    Ok(Quota { bytes: repo.quotas.of_repo, used: stored_bytes::of_repo(&house.db, repo.id).await? })
}

/// Sets the quota of a subject; `None` leaves it to the plan.
#[boxed::future]
pub async fn set_of_subject(house: &House, caller: &Caller, name: &SubjectName, bytes: Option<i64>) -> Result<()> {
    access::check_site(caller, Action::Administer)?;
    let subject = &find(house, name).await?;
    let before = storage_quotas::find_of_subject(&house.db, subject.id).await?;
    let log = &entry(house, caller, "quota.set", name, change(before, bytes));
    house
        .db
        .write(|tx| {
            async move {
                access::lock(tx, subject).await?;
                storage_quotas::set_of_subject(tx, subject.id, bytes).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

/// Sets the quota of a repository, or removes it.
#[boxed::future]
pub async fn set_of_repo(house: &House, caller: &Caller, at: &RepoAddress, bytes: Option<i64>) -> Result<()> {
    access::check_site(caller, Action::Administer)?;
    let before = access::repo(&house.db, caller, at, Right::Own).await?.repo.quotas.of_repo;
    let log = &entry(house, caller, "quota.set", at, change(before, bytes));
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                storage_quotas::set_of_repo(tx, repo.id, bytes).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}

async fn find(house: &House, name: &SubjectName) -> Result<Subject> {
    let not_found = || Error::NotFound { what: "Subject", name: name.to_string() };
    subjects::find(&house.db, name).await?.ok_or_else(not_found)
}

fn change(before: Option<i64>, after: Option<i64>) -> String {
    let text = |bytes: Option<i64>| bytes.map_or_else(|| "none".to_owned(), |bytes| bytes.to_string());
    format!("quota_bytes {} to {}", text(before), text(after))
}
