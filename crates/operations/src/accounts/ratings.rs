//! Ratings of packages by users.

use database::{
    ScopedFutureExt, Tx,
    accounts::{followers, ratings},
};
use model::{access::Right, address::PackageAddress, id::SubjectId, rating::Rating};

use crate::{
    Caller, House, Result, access,
    accounts::followers::lock_oneself,
    audit::{entry, record_edits},
    change::Edits,
};

/// Rates a package that the caller may read, or changes the caller's rating.
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
