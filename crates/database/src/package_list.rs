//! The packages of a repository: its own, and those that are linked into it.

use model::prefix::NameRange;

use crate::{Read, Result, repos::Reader, row::row, statement::sql};

row! {
    /// A package in a list.
    pub struct Listed {
        /// Its name.
        name: String,
        /// Whether it is linked in from another repository.
        is_linked: bool,
    }
}

/// Which part of a list.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// The position of the first one.
    pub start: i64,
    /// The most of them.
    pub limit: i64,
}

/// The repository's own packages of a range, by name.
pub async fn list_own(db: &impl Read, repo_id: i64, range: &NameRange, window: Window) -> Result<Vec<Listed>> {
    db.all(sql!(
        "SELECT name, FALSE
         FROM packages
         WHERE repo_id = $1 AND name >= $2 AND name < $3
         ORDER BY name
         LIMIT $4 OFFSET $5",
        repo_id,
        &range.from,
        &range.to,
        window.limit,
        window.start,
    ))
    .await
}

/// The same with the linked ones among them whose source the reader may read. Each part is ordered and bounded by itself:
/// PostgreSQL would else sort all of them.
pub async fn list_with_linked(
    db: &impl Read,
    repo_id: i64,
    range: &NameRange,
    reader: Reader,
    window: Window,
) -> Result<Vec<Listed>> {
    db.all(sql!(
        "SELECT name, is_linked
         FROM (
             SELECT own.name, own.is_linked
             FROM (
                 SELECT p.name, FALSE AS is_linked
                 FROM packages p
                 WHERE p.repo_id = $1 AND p.name >= $2 AND p.name < $3
                 ORDER BY p.name
                 LIMIT $6) own
             UNION ALL
             SELECT linked.name, linked.is_linked
             FROM (
                 SELECT l.package_name AS name, TRUE AS is_linked
                 FROM links l
                 JOIN packages q ON q.id = l.package_id
                 JOIN repos r ON r.id = q.repo_id
                 WHERE l.repo_id = $1 AND l.package_name >= $2 AND l.package_name < $3
                     AND (NOT r.is_private OR $5
                         OR EXISTS (SELECT 1 FROM private_readers v WHERE v.repo_id = r.id AND v.reader_id = $4))
                 ORDER BY l.package_name
                 LIMIT $6) linked) both_kinds
         ORDER BY name
         LIMIT $7 OFFSET $8",
        repo_id,
        &range.from,
        &range.to,
        reader.id,
        reader.sees_everything,
        window.start.saturating_add(window.limit),
        window.limit,
        window.start,
    ))
    .await
}

/// How many packages of its own the repository has in a range.
pub async fn count_own(db: &impl Read, repo_id: i64, range: &NameRange) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT)
             FROM packages
             WHERE repo_id = $1 AND name >= $2 AND name < $3",
            repo_id,
            &range.from,
            &range.to,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// How many linked packages of a range the reader may see.
pub async fn count_linked(db: &impl Read, repo_id: i64, range: &NameRange, reader: Reader) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT)
             FROM links l
             JOIN packages q ON q.id = l.package_id
             JOIN repos r ON r.id = q.repo_id
             WHERE l.repo_id = $1 AND l.package_name >= $2 AND l.package_name < $3
                 AND (NOT r.is_private OR $5
                     OR EXISTS (SELECT 1 FROM private_readers v WHERE v.repo_id = r.id AND v.reader_id = $4))",
            repo_id,
            &range.from,
            &range.to,
            reader.id,
            reader.sees_everything,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}
