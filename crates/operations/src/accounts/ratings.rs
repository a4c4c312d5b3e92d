//! Ratings of packages by users.

use database::{
    ScopedFutureExt, Tx,
    accounts::{followers, ratings},
};
use model::{
    access::Right,
    address::PackageAddress,
    id::{PackageId, SubjectId},
    rating::Rating,
};

use crate::{
    Caller, House, Result, access,
    accounts::followers::lock_oneself,
    audit::{entry, record_edits},
    change::Edits,
};

/// Rates a package that the caller may read, or changes the caller's rating.
#[boxed::future]
pub async fn set(house: &House, caller: &Caller, at: &PackageAddress, rating: Rating) -> Result<()> {
    let user = access::person(caller)?;
    access::package(&house.db, caller, at, Right::Read).await?;
    caller.check_known_in(&at.repo.owner, &at.repo.repo)?;
    let log = &entry(house, caller, "package.rate", at, "");
    house
        .db
        .write(|tx| {
            async move {
                lock_oneself(tx, user).await?;
                let package = access::lock_package(tx, caller, at, Right::Read).await?.package;
                let before = ratings::upsert(tx, package.id, user.id, rating).await?;
                let mut edits = Edits::default();
                edits.record_set("rating", &before, &Some(rating.stars()));
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Withdraws the ratings and follows of a user whose row is locked: packages store their own counts of followers and
/// ratings.
pub(crate) async fn withdraw(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    ratings::lock_packages_of(tx, user_id).await?;
    followers::delete_all_of_packages(tx, user_id).await?;
    Ok(ratings::delete_all(tx, user_id).await?)
}

/// What a user thinks of a package.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Opinion {
    /// Whether the user follows it.
    pub is_follower: bool,
    /// The stars that the user has given.
    pub rating: Option<i64>,
}

/// Returns what the caller thinks of a package; `None` for callers who are not users.
#[boxed::future]
pub async fn find_opinion(house: &House, caller: &Caller, package_id: PackageId) -> Result<Option<Opinion>> {
    let Some(user) = caller.user().filter(|user| !user.is_org) else { return Ok(None) };
    let is_follower = followers::is_follower_of_package(&house.db, package_id, user.id).await?;
    Ok(Some(Opinion { is_follower, rating: ratings::find(&house.db, package_id, user.id).await? }))
}
