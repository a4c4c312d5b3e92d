//! Followers of users, organizations and packages.

use database::{
    Read, ScopedFutureExt, Tx,
    accounts::{followers, subjects},
};
use model::{
    access::Right,
    address::PackageAddress,
    names::SubjectName,
    page::PAGE_SIZE,
    subject::{Subject, SubjectKind},
};

use crate::{
    Caller, House, Page, Result, UserIdentity, access,
    audit::{entry, record},
};

/// Lists the names of the followers of a user or an organization, for any signed-in caller.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, name: &SubjectName, start: u64) -> Result<Page<String>> {
    let subject = subject(&house.db, caller, name).await?;
    let total = followers::count(&house.db, subject.id).await?.unsigned_abs();
    let bounded = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let items = if start < total {
        followers::list(&house.db, subject.id, bounded(start), bounded(PAGE_SIZE)).await?
    } else {
        Vec::new()
    };
    Ok(Page { items, start, total })
}

/// Follows a user or an organization. Repeating it changes nothing.
#[boxed::future]
pub async fn follow(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    let (follower, subject) = (access::person(caller)?, &subject(&house.db, caller, name).await?);
    let log = &entry(house, caller, "user.follow", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let is_new = match followers::insert(tx, subject.id, follower.id, log.at).await {
                    Err(database::Error::Missing) => return Err(access::not_found(SubjectKind::User, name)),
                    other => other?,
                };
                if is_new { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// Unfollows a user or an organization.
#[boxed::future]
pub async fn unfollow(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    let (follower, subject) = (access::person(caller)?, &subject(&house.db, caller, name).await?);
    let log = &entry(house, caller, "user.unfollow", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let was_so = followers::delete(tx, subject.id, follower.id).await?;
                if was_so { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// Returns the user or organization. Organizations have no URL of their own here: they are followed like users.
async fn subject(db: &dyn Read, caller: &Caller, name: &SubjectName) -> Result<Subject> {
    access::identity(caller)?;
    caller.check_known_to(name)?;
    subjects::find(db, name).await?.ok_or_else(|| access::not_found(SubjectKind::User, name))
}

/// Follows a package that the caller may read. Repeating it changes nothing.
#[boxed::future]
pub async fn follow_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    let follower = access::person(caller)?;
    access::package(&house.db, caller, at, Right::Read).await?;
    caller.check_known_in(&at.repo.owner, &at.repo.repo)?;
    let log = &entry(house, caller, "package.follow", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_oneself(tx, follower).await?;
                let package = access::lock_package(tx, caller, at, Right::Read).await?.package;
                let is_new = followers::insert_of_package(tx, package.id, follower.id, log.at).await?;
                if is_new { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// Unfollows a package.
#[boxed::future]
pub async fn unfollow_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    let follower = access::person(caller)?;
    access::package(&house.db, caller, at, Right::Read).await?;
    caller.check_known_in(&at.repo.owner, &at.repo.repo)?;
    let log = &entry(house, caller, "package.unfollow", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_oneself(tx, follower).await?;
                let package = access::lock_package(tx, caller, at, Right::Read).await?.package;
                let was_so = followers::delete_of_package(tx, package.id, follower.id).await?;
                if was_so { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// Locks the caller's own row. It is locked before the package, as in the deletion of a user, to avoid deadlocks.
pub(crate) async fn lock_oneself(tx: &mut Tx, oneself: &UserIdentity) -> Result<()> {
    let held = subjects::lock(tx, oneself.id).await?;
    held.map(|_| ()).ok_or_else(|| access::not_found(SubjectKind::User, &oneself.name))
}

/// Returns whether the caller follows a subject; `None` for callers who are not users, and for oneself.
#[boxed::future]
pub async fn is_follower(house: &House, caller: &Caller, name: &SubjectName) -> Result<Option<bool>> {
    let Some(user) = caller.user().filter(|user| !user.is_org && user.name != *name) else { return Ok(None) };
    let subject = subject(&house.db, caller, name).await?;
    Ok(Some(followers::is_follower(&house.db, subject.id, user.id).await?))
}
