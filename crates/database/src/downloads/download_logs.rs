//! Logs of downloads, one a day and package: parts that lie in the store, and lines that are still rows.

use model::{day::Day, digest::Digest};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{select, sql},
    },
};

row! {
    /// A day that has a log.
    pub struct LogDay in "l" {
        /// The day's number.
        day: i64,
        /// The bytes of its parts.
        stored_bytes: i64 = "CAST(SUM(l.size) AS BIGINT)",
        /// The second of its last line.
        last_second: i64 = "MAX(l.last_second)",
        /// Whether there are lines that lie in no part.
        has_lines: bool = "MAX(l.lines) > 0",
    }
}

row! {
    /// Some lines that are still a row.
    pub struct OpenLines {
        /// The second in which they were delivered.
        second: i64,
        /// The key of the row.
        id: i64,
        /// The lines, each with its end.
        text: String = "lines",
    }
}

row! {
    /// A log that has lines to be stored.
    pub struct Open {
        /// The key of the package.
        package_id: i64,
        /// The day's number.
        day: i64,
    }
}

row! {
    struct PartRow in "p" { id: i64, sha256: String = "b.sha256" }
}

/// A part of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogSegment {
    /// The key of its row.
    pub id: i64,
    /// Its content.
    pub sha256: Digest,
}

/// A part that is to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewLogSegment {
    /// The key of its row.
    pub id: i64,
    /// The key of the package.
    pub package_id: i64,
    /// The day.
    pub day: Day,
    /// The key of its content.
    pub blob_id: i64,
    /// The second of its last line.
    pub last_second: i64,
}

/// The days that a package has logs of.
pub async fn list_days(db: &impl Read, package_id: i64) -> Result<Vec<LogDay>> {
    db.all(select!(
        LogDay,
        "FROM (
             SELECT p.day, b.size, p.last_second, 0 AS lines
             FROM download_log_parts p
             JOIN blobs b ON b.id = p.blob_id
             WHERE p.package_id = $1
             UNION ALL
             SELECT day, 0, second, 1
             FROM download_lines
             WHERE package_id = $1
         ) l
         GROUP BY l.day
         ORDER BY l.day",
        package_id,
    ))
    .await
}

/// The parts of a log, in their order.
pub async fn list_parts(db: &impl Read, package_id: i64, day: Day) -> Result<Vec<LogSegment>> {
    let rows: Vec<PartRow> = db
        .all(select!(
            PartRow,
            "FROM download_log_parts p
             JOIN blobs b ON b.id = p.blob_id
             WHERE p.package_id = $1 AND p.day = $2
             ORDER BY p.id",
            package_id,
            day.number(),
        ))
        .await?;
    let part = |row: PartRow| {
        let damaged = |_| Error::Broken(format!("part {} of a log has a damaged row", row.id));
        Ok(LogSegment { id: row.id, sha256: row.sha256.parse().map_err(damaged)? })
    };
    rows.into_iter().map(part).collect()
}

/// Some of a log's lines that are still rows, after a second and a key, up to a second.
pub async fn list_lines(
    db: &impl Read,
    package_id: i64,
    day: Day,
    after: (i64, i64),
    until_second: i64,
    limit: i64,
) -> Result<Vec<OpenLines>> {
    db.all(select!(
        OpenLines,
        "FROM download_lines
         WHERE package_id = $1 AND day = $2 AND (second, id) > ($3, $4) AND second <= $5
         ORDER BY second, id
         LIMIT $6",
        package_id,
        day.number(),
        after.0,
        after.1,
        until_second,
        limit,
    ))
    .await
}

/// Some logs with lines up to a second that are of a day before today, or take so many characters. What is a row is what
/// was not stored yet, which is little.
pub async fn list_open(
    db: &impl Read,
    today: Day,
    until_second: i64,
    characters: i64,
    limit: i64,
) -> Result<Vec<Open>> {
    db.all(select!(
        Open,
        "FROM download_lines
         WHERE day <= $2 AND second <= $1
         GROUP BY day, package_id
         HAVING day < $2 OR SUM(LENGTH(lines)) >= $3
         ORDER BY day, package_id
         LIMIT $4",
        until_second,
        today.number(),
        characters,
        limit,
    ))
    .await
}

/// Adds a part, unless its package has gone; says whether it did.
pub async fn insert_part(tx: &mut Tx, part: &NewLogSegment) -> Result<bool> {
    let inserted = tx
        .run(sql!(
            "INSERT INTO download_log_parts (id, package_id, day, blob_id, last_second)
             SELECT $1, p.id, $3, $4, $5
             FROM packages p
             WHERE p.id = $2",
            part.id,
            part.package_id,
            part.day.number(),
            part.blob_id,
            part.last_second,
        ))
        .await?;
    Ok(inserted == 1)
}

/// Deletes a log's lines up to a second, and says how many rows they were.
pub async fn delete_lines(tx: &mut Tx, package_id: i64, day: Day, until_second: i64) -> Result<u64> {
    tx.run(
        sql!(
            "DELETE FROM download_lines WHERE package_id = $1 AND day = $2 AND second <= $3",
            package_id,
            day.number(),
            until_second,
        )
        .long(),
    )
    .await
}

/// Deletes all logs of days before this one.
pub async fn delete_before(tx: &mut Tx, day: Day) -> Result<()> {
    tx.run(sql!("DELETE FROM download_log_parts WHERE day < $1", day.number()).long()).await?;
    tx.run(sql!("DELETE FROM download_lines WHERE day < $1", day.number()).long()).await?;
    Ok(())
}
