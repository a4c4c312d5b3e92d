//! Compresses log lines of the database to members of a gzip file.

use std::io::Write;

use bytes::Bytes;
use database::downloads::download_logs::{self as rows, OpenLines};
use flate2::{Compression, write::GzEncoder};
use model::{day::Day, id::PackageId};

use crate::{Error, House, Result, blocking};

/// The number of rows per member: typically a few hundred kilobytes of lines.
const ROWS: i64 = 500;

/// The lines of a log that are still in the database, member by member.
#[derive(Debug)]
pub(super) struct Members {
    package_id: PackageId,
    day: Day,
    until_second: i64,
    after: (i64, i64),
    /// The number of rows read so far.
    pub(super) rows: u64,
}

impl Members {
    /// Reads the lines of a package and day, up to a second.
    pub(super) fn of(package_id: PackageId, day: Day, until_second: i64) -> Self {
        Self { package_id, day, until_second, after: (i64::MIN, i64::MIN), rows: 0 }
    }

    /// The second of the last line read.
    pub(super) fn last_second(&self) -> i64 {
        self.after.0
    }

    /// Returns the next member; `None` after the last.
    pub(super) async fn next(&mut self, house: &House) -> Result<Option<Bytes>> {
        let (package_id, day, until) = (self.package_id, self.day, self.until_second);
        let lines = rows::list_lines(&house.db, package_id, day, self.after, until, ROWS).await?;
        let Some(last) = lines.last() else { return Ok(None) };
        self.after = (last.second, last.id);
        self.rows += lines.len() as u64;
        blocking::run(move || compress(&lines)).await?.map(Some)
    }
}

fn compress(lines: &[OpenLines]) -> Result<Bytes> {
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    for OpenLines { text, .. } in lines {
        member.write_all(text.as_bytes()).map_err(|error| Error::Internal(error.to_string()))?;
    }
    member.finish().map(Bytes::from).map_err(|error| Error::Internal(error.to_string()))
}
