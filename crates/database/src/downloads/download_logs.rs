//! Download logs, one per day and package: segments in the blob store, and lines that are still rows.

use model::{
    day::Day,
    digest::Digest,
    id::{BlobId, PackageId},
};

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
        /// The number of the day.
        day: i64,
        /// The bytes of its segments.
        stored_bytes: i64 = "CAST(SUM(l.size) AS BIGINT)",
        /// The second of its last line.
        last_second: i64 = "MAX(l.last_second)",
        /// Whether it has lines that are in no segment yet.
        has_lines: bool = "MAX(l.lines) > 0",
    }
}

row! {
    /// Lines that are still a row.
    pub struct OpenLines {
        /// The second of the downloads.
        second: i64,
        /// The id of the row.
        id: i64,
        /// The lines, each with its line break.
        text: String = "lines",
    }
}

row! {
    /// A log with lines that are not stored yet.
    pub struct Open {
        /// The id of the package.
        package_id: PackageId,
        /// The number of the day.
        day: i64,
    }
}

row! {
    struct PartRow in "p" { id: i64, sha256: String = "b.sha256" }
}

/// A segment of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogSegment {
    /// Its database id.
    pub id: i64,
    /// The digest of its content.
    pub sha256: Digest,
}

/// A segment to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewLogSegment {
    /// Its database id.
    pub id: i64,
    /// The id of the package.
    pub package_id: PackageId,
    /// The day.
    pub day: Day,
    /// The id of its blob.
    pub blob_id: BlobId,
    /// The second of its last line.
    pub last_second: i64,
}

/// Returns the days for which a package has logs.
pub async fn list_days(db: &dyn Read, package_id: PackageId) -> Result<Vec<LogDay>> {
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

/// Returns the segments of a log, in order.
pub async fn list_parts(db: &dyn Read, package_id: PackageId, day: Day) -> Result<Vec<LogSegment>> {
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

/// Returns some of a log's lines that are still rows: those after a second and a row id, up to a second.
pub async fn list_lines(
    db: &dyn Read,
    package_id: PackageId,
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

/// Returns some logs with lines up to a second that are from a day before today, or have at least this many characters.
/// Only lines that are not stored yet are rows, so the table is small.
pub async fn list_open(db: &dyn Read, today: Day, until_second: i64, characters: i64, limit: i64) -> Result<Vec<Open>> {
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

/// Adds a segment, unless its package was deleted; returns whether it was added.
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

/// Deletes a log's lines up to a second, and returns the number of rows.
pub async fn delete_lines(tx: &mut Tx, package_id: PackageId, day: Day, until_second: i64) -> Result<u64> {
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
