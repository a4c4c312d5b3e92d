//! Lines of the database as members of a gzip file.

use std::io::Write;

use bytes::Bytes;
use database::downloads::download_logs::{self as rows, OpenLines};
use flate2::{Compression, write::GzEncoder};
use model::day::Day;

use crate::{Error, House, Result, blocking};

/// Rows of one member: some hundred kilobytes of lines at most places.
const ROWS: i64 = 500;

/// The lines of a log that are still rows, member by member.
#[derive(Debug)]
pub(super) struct Members {
    package_id: i64,
    day: Day,
    until_second: i64,
    after: (i64, i64),
    /// How many rows were taken.
    pub(super) rows: u64,
}

impl Members {
    /// The lines of a package's day up to a second.
    pub(super) fn of(package_id: i64, day: Day, until_second: i64) -> Self {
        Self { package_id, day, until_second, after: (i64::MIN, i64::MIN), rows: 0 }
    }

    /// The second of the last line that was taken.
    pub(super) fn last_second(&self) -> i64 {
        self.after.0
    }

    /// The next member; `None` after the last.
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
