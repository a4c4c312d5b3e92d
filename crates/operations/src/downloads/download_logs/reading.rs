//! Reads a log.

use std::{collections::VecDeque, fmt};

use bytes::Bytes;
use database::downloads::download_logs::{self as rows, LogSegment};
use futures_util::{TryStreamExt, stream::BoxStream};
use model::{day::Day, id::PackageId};

use crate::{Error, House, Result, downloads::download_logs::members::Members};

type Pieces = BoxStream<'static, std::result::Result<Bytes, blobs::Error>>;

/// Reads a log piece by piece.
pub struct LogReader {
    package_id: PackageId,
    day: Day,
    parts: VecDeque<LogSegment>,
    last_part_id: Option<i64>,
    open: Option<Pieces>,
    members: Members,
}

impl LogReader {
    /// Opens the log of a package and day, if it exists.
    pub(super) async fn open(house: &House, package_id: PackageId, day: Day) -> Result<Option<Self>> {
        let parts: VecDeque<LogSegment> = rows::list_parts(&house.db, package_id, day).await?.into();
        let is_empty =
            rows::list_lines(&house.db, package_id, day, (i64::MIN, i64::MIN), i64::MAX, 1).await?.is_empty();
        let last_part_id = parts.back().map(|part| part.id);
        let members = Members::of(package_id, day, i64::MAX);
        let reading = Self { package_id, day, parts, last_part_id, open: None, members };
        Ok((last_part_id.is_some() || !is_empty).then_some(reading))
    }

    /// Returns the next piece; `None` after the last.
    #[boxed::future]
    pub async fn next(&mut self, house: &House) -> Result<Option<Bytes>> {
        loop {
            if let Some(open) = &mut self.open {
                match open.try_next().await? {
                    Some(piece) => return Ok(Some(piece)),
                    None => self.open = None,
                }
            }
            match self.parts.pop_front() {
                Some(part) => self.open = Some(content(house, part).await?),
                None => break,
            }
        }
        let member = self.members.next(house).await?;
        if member.is_none() {
            check_whole(house, self.package_id, self.day, self.last_part_id).await?;
        }
        Ok(member)
    }
}

/// Fails if lines were moved to a segment during the read, because the reader has missed them: no log is better than an
/// incomplete one.
async fn check_whole(house: &House, package_id: PackageId, day: Day, last_part_id: Option<i64>) -> Result<()> {
    let parts = rows::list_parts(&house.db, package_id, day).await?;
    if parts.last().map(|part| part.id) == last_part_id {
        Ok(())
    } else {
        Err(Error::Unavailable("the log was rearranged while it was read".into()))
    }
}

async fn content(house: &House, part: LogSegment) -> Result<Pieces> {
    let content = house.blobs.read(part.sha256, None).await?;
    Ok(content.ok_or_else(|| Error::Internal(format!("blob {} is not in the store", part.sha256)))?.stream)
}

impl fmt::Debug for LogReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("package_id", &self.package_id).field("day", &self.day).finish_non_exhaustive()
    }
}
