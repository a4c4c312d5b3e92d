//! Ratings of packages by users. The sum and the number of a package's ratings are also stored in its row.

use model::{
    id::{PackageId, SubjectId},
    rating::Rating,
};

use crate::{
    Read, Result, Tx,
    engine::statement::{insert, sql},
};

/// Sets a user's rating of a package, whose row is locked. Returns the previous rating.
pub async fn upsert(tx: &mut Tx, package_id: PackageId, user_id: SubjectId, rating: Rating) -> Result<Option<i64>> {
    let before: Option<i64> =
        tx.one(sql!("SELECT rating FROM ratings WHERE package_id = $1 AND user_id = $2", package_id, user_id)).await?;
    tx.run(insert!(
        ratings { package_id, user_id, rating: rating.stars() },
        "ON CONFLICT (package_id, user_id) DO UPDATE SET rating = excluded.rating",
    ))
    .await?;
    tx.run(sql!(
        "UPDATE packages SET rating_sum = rating_sum + $2, rating_count = rating_count + $3 WHERE id = $1",
        package_id,
        rating.stars() - before.unwrap_or_default(),
        i64::from(before.is_none()),
    ))
    .await?;
    Ok(before)
}

/// Returns the stars that a user has given to a package.
pub async fn find(db: &dyn Read, package_id: PackageId, user_id: SubjectId) -> Result<Option<i64>> {
    db.one(sql!("SELECT rating FROM ratings WHERE package_id = $1 AND user_id = $2", package_id, user_id)).await
}

/// Deletes all ratings of a user. The rows of the packages are locked.
pub async fn delete_all(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    tx.run(sql!(
        "UPDATE packages SET rating_count = rating_count - 1,
             rating_sum = rating_sum - (SELECT g.rating FROM ratings g WHERE g.package_id = packages.id AND g.user_id = $1)
         WHERE id IN (SELECT package_id FROM ratings WHERE user_id = $1)",
        user_id,
    ))
    .await?;
    tx.run(sql!("DELETE FROM ratings WHERE user_id = $1", user_id).long()).await?;
    Ok(())
}

/// Locks every package that a user follows or has rated. The order is the same for everyone, so that no deadlock can
/// occur.
pub async fn lock_packages_of(tx: &mut Tx, user_id: SubjectId) -> Result<()> {
    let packages = sql!(
        "SELECT id
         FROM packages
         WHERE id IN (
             SELECT package_id FROM package_followers WHERE follower_id = $1
             UNION
             SELECT package_id FROM ratings WHERE user_id = $1)
         ORDER BY id",
        user_id,
    );
    tx.all::<i64>(packages.locking_rows()).await?;
    Ok(())
}
