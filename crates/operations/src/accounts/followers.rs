//! Who follows a user, an organisation or a package.

use database::{
    Read, ScopedFutureExt, Tx,
    accounts::{
        followers,
        subjects::{self, Subject, SubjectKind},
    },
};
use model::{access::Right, address::PackageAddress, names::SubjectName, page::PAGE_SIZE};

use crate::{
    Caller, House, Page, Result, UserIdentity, access,
    audit::{entry, record},
};

/// The names of those who follow a user or an organisation, for anyone who has signed in.
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

/// Follows a user or an organisation. Doing so twice changes nothing.
pub async fn follow(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    let (follower, subject) = (access::identity(caller)?, &subject(&house.db, caller, name).await?);
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

/// Follows a user or an organisation no longer.
pub async fn unfollow(house: &House, caller: &Caller, name: &SubjectName) -> Result<()> {
    let (follower, subject) = (access::identity(caller)?, &subject(&house.db, caller, name).await?);
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

/// Organisations have no address of their own here: they are followed like users.
async fn subject(db: &impl Read, caller: &Caller, name: &SubjectName) -> Result<Subject> {
    access::identity(caller)?;
    subjects::find(db, name).await?.ok_or_else(|| access::not_found(SubjectKind::User, name))
}

/// Follows a package that the caller may read. Doing so twice changes nothing.
pub async fn follow_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    let follower = access::identity(caller)?;
    access::package(&house.db, caller, at, Right::Read).await?;
    let log = &entry(house, caller, "package.follow", at, "");
    house
        .db
        .write(|tx| {
            async move {
                hold_oneself(tx, follower).await?;
                let package = access::hold_package(tx, caller, at, Right::Read).await?.package;
                let is_new = followers::insert_of_package(tx, package.id, follower.id, log.at).await?;
                if is_new { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// Follows a package no longer.
pub async fn unfollow_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<()> {
    let follower = access::identity(caller)?;
    access::package(&house.db, caller, at, Right::Read).await?;
    let log = &entry(house, caller, "package.unfollow", at, "");
    house
        .db
        .write(|tx| {
            async move {
                hold_oneself(tx, follower).await?;
                let package = access::hold_package(tx, caller, at, Right::Read).await?.package;
                let was_so = followers::delete_of_package(tx, package.id, follower.id).await?;
                if was_so { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// Holds the caller's own row. It comes before the package, as when a user is deleted: so no two wait for each other.
pub(crate) async fn hold_oneself(tx: &mut Tx, oneself: &UserIdentity) -> Result<()> {
    let held = subjects::hold(tx, oneself.id).await?;
    held.map(|_| ()).ok_or_else(|| access::not_found(SubjectKind::User, &oneself.name))
}
