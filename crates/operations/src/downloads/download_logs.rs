//! Download logs for the publishers of a package: one gzip file per day. A file is a sequence of gzip members: first
//! the segments in the blob store, then the lines that are still in the database.

mod members;
mod reading;
mod seal;

use database::downloads::download_logs::{self as rows, LogDay};
use model::{access::Right, address::PackageAddress, day::Day, id::PackageId, timestamp::Timestamp};

use crate::{Caller, Error, House, Result, access};

pub use reading::LogReader;
pub(crate) use seal::{delete_expired, seal};

/// A log file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// The name.
    pub name: String,
    /// The size in bytes.
    pub size: i64,
    /// The time of its last line.
    pub updated: Timestamp,
}

/// Lists the logs of a package, oldest first.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, at: &PackageAddress) -> Result<Vec<LogFile>> {
    let package = access::package(&house.db, caller, at, Right::Publish).await?.package;
    let mut files = Vec::new();
    for log in rows::list_days(&house.db, package.id).await? {
        files.push(file(house, package.id, log).await?);
    }
    Ok(files)
}

async fn file(house: &House, package_id: PackageId, log: LogDay) -> Result<LogFile> {
    let day = Day::from_number(log.day);
    let mut size = log.stored_bytes;
    let mut members = members::Members::of(package_id, day, i64::MAX);
    while let (true, Some(member)) = (log.has_lines, members.next(house).await?) {
        size = size.saturating_add_unsigned(member.len() as u64);
    }
    Ok(LogFile { name: name(day), size, updated: Timestamp::from_millis(log.last_second.saturating_mul(1_000)) })
}

/// Opens a log by its name.
#[boxed::future]
pub async fn read(house: &House, caller: &Caller, at: &PackageAddress, log_name: &str) -> Result<LogReader> {
    let package = access::package(&house.db, caller, at, Right::Publish).await?.package;
    let not_found = || Error::NotFound { what: "Log", name: log_name.to_owned() };
    let day = parse(log_name).ok_or_else(not_found)?;
    LogReader::open(house, package.id, day).await?.ok_or_else(not_found)
}

/// Returns the name of a day's log.
fn name(day: Day) -> String {
    let date = day.to_string();
    let [year, month, rest] = date.splitn(3, '-').collect::<Vec<_>>()[..] else { return date };
    format!("downloads-{rest}-{month}-{year}.log.gz")
}

fn parse(log_name: &str) -> Option<Day> {
    let date = log_name.strip_prefix("downloads-")?.strip_suffix(".log.gz")?;
    let [day, month, year] = date.splitn(3, '-').collect::<Vec<_>>()[..] else { return None };
    let day = Day::of(Timestamp::parse(&format!("{year}-{month}-{day}")).ok()?);
    // Accept only the canonical spelling.
    (name(day) == log_name).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_a_day() {
        let day = Day::of(Timestamp::parse("2026-01-15").expect("a day"));
        assert_eq!(name(day), "downloads-15-01-2026.log.gz");
        assert_eq!(parse("downloads-15-01-2026.log.gz"), Some(day));
        for other in ["", "downloads-15-1-2026.log.gz", "downloads-31-02-2026.log.gz", "downloads-15-01-2026.log", "x"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
