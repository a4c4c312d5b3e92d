//! Followers of users, organisations and packages. The number of a package's followers is also stored in its row.

use std::collections::HashMap;

use model::{
    id::{PackageId, SubjectId},
    timestamp::Timestamp,
};

use crate::{
    Read, Result, Tx,
    engine::{
        keys,
        statement::{insert, sql},
    },
};

/// Counts the followers of a subject.
pub async fn count(db: &dyn Read, subject_id: SubjectId) -> Result<i64> {
    let count =
        db.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM followers WHERE subject_id = $1", subject_id)).await?;
    Ok(count.unwrap_or_default())
}

/// Counts the followers of each subject; subjects without followers are left out.
pub async fn count_of(db: &dyn Read, subject_ids: &[SubjectId]) -> Result<HashMap<SubjectId, i64>> {
    let statement = sql!(
        "SELECT subject_id, CAST(COUNT(*) AS BIGINT)
         FROM followers
         WHERE subject_id IN ($keys)
         GROUP BY subject_id
         ORDER BY subject_id"
    );
    Ok(keys::all::<(SubjectId, i64)>(db, statement, subject_ids).await?.into_iter().collect())
}

/// Returns a page of the names of a subject's followers, by name.
pub async fn list(db: &dyn Read, subject_id: SubjectId, start: i64, limit: i64) -> Result<Vec<String>> {
    db.all(sql!(
        "SELECT s.name
         FROM followers f
         JOIN subjects s ON s.id = f.follower_id
         WHERE f.subject_id = $1
         ORDER BY s.name
         LIMIT $3 OFFSET $2",
        subject_id,
        start,
        limit,
    ))
    .await
}

/// Adds a follower of a subject; returns false if the user already follows it.
pub async fn insert(tx: &mut Tx, subject_id: SubjectId, follower_id: SubjectId, since: Timestamp) -> Result<bool> {
    let added = tx
        .run(insert!(followers { subject_id, follower_id, since }, "ON CONFLICT (subject_id, follower_id) DO NOTHING"))
        .await?;
    Ok(added == 1)
}

/// Removes a follower of a subject; returns false if the user did not follow it.
pub async fn delete(tx: &mut Tx, subject_id: SubjectId, follower_id: SubjectId) -> Result<bool> {
    let removed = tx
        .run(sql!("DELETE FROM followers WHERE subject_id = $1 AND follower_id = $2", subject_id, follower_id).long())
        .await?;
    Ok(removed == 1)
}

/// Returns whether a user follows a subject.
pub async fn is_follower(db: &dyn Read, subject_id: SubjectId, follower_id: SubjectId) -> Result<bool> {
    let found: Option<i64> = db
        .one(sql!("SELECT since FROM followers WHERE subject_id = $1 AND follower_id = $2", subject_id, follower_id))
        .await?;
    Ok(found.is_some())
}

/// Returns whether a user follows a package.
pub async fn is_follower_of_package(db: &dyn Read, package_id: PackageId, follower_id: SubjectId) -> Result<bool> {
    let follows = sql!(
        "SELECT since FROM package_followers WHERE package_id = $1 AND follower_id = $2",
        package_id,
        follower_id,
    );
    Ok(db.one::<i64>(follows).await?.is_some())
}

/// Adds a follower of a package, whose row is locked; returns false if the user already follows it.
pub async fn insert_of_package(
    tx: &mut Tx,
    package_id: PackageId,
    follower_id: SubjectId,
    since: Timestamp,
) -> Result<bool> {
    let added = tx
        .run(insert!(
            package_followers { package_id, follower_id, since },
            "ON CONFLICT (package_id, follower_id) DO NOTHING",
        ))
        .await?;
    if added == 1 {
        tx.run(sql!("UPDATE packages SET followers_count = followers_count + 1 WHERE id = $1", package_id)).await?;
    }
    Ok(added == 1)
}

/// Removes a follower of a package; returns false if the user did not follow it.
pub async fn delete_of_package(tx: &mut Tx, package_id: PackageId, follower_id: SubjectId) -> Result<bool> {
    let removed = tx
        .run(
            sql!("DELETE FROM package_followers WHERE package_id = $1 AND follower_id = $2", package_id, follower_id)
                .long(),
        )
        .await?;
    if removed == 1 {
        tx.run(sql!("UPDATE packages SET followers_count = followers_count - 1 WHERE id = $1", package_id)).await?;
    }
    Ok(removed == 1)
}

/// Removes a user from the followers of all packages, whose rows are locked.
pub async fn delete_all_of_packages(tx: &mut Tx, follower_id: SubjectId) -> Result<()> {
    tx.run(sql!(
        "UPDATE packages SET followers_count = followers_count - 1
         WHERE id IN (SELECT package_id FROM package_followers WHERE follower_id = $1)",
        follower_id,
    ))
    .await?;
    tx.run(sql!("DELETE FROM package_followers WHERE follower_id = $1", follower_id).long()).await?;
    Ok(())
}
