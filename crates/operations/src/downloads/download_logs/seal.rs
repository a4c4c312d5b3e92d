//! Moves log lines from the database to segments in the blob store, for past days and for logs that grow fast.

use blobs::ReceiveOptions;
use database::{
    ScopedFutureExt,
    content::blobs as blob_rows,
    downloads::download_logs::{self as rows, NewLogSegment, Open},
};
use futures_util::stream;
use model::{blob::Blob, day::Day};

use crate::{Error, House, Result, downloads::download_logs::members::Members, storage::store};

/// Lines may arrive this many seconds late; later ones go into a separate segment.
const GRACE_SECS: i64 = 120;

/// Lines of the current day are moved to the blob store in segments of at least this many characters.
const PART_CHARACTERS: i64 = 4 << 20;

/// The number of logs that are sealed per call.
const AT_ONCE: i64 = 100;

/// The maximum size of a segment; log lines stay far below it.
const MAX_BYTES: u64 = 1 << 40;

/// Seals some logs; returns whether more may be left.
pub(crate) async fn seal(house: &House) -> Result<bool> {
    let now = house.clock.now();
    let until = now.millis().div_euclid(1_000) - GRACE_SECS;
    let open = rows::list_open(&house.db, Day::of(now), until, PART_CHARACTERS, AT_ONCE).await?;
    for log in &open {
        seal_one(house, log, until).await?;
    }
    Ok(i64::try_from(open.len()).is_ok_and(|count| count == AT_ONCE))
}

/// Deletes expired logs.
pub(crate) async fn delete_expired(house: &House) -> Result<()> {
    let first = Day::of(house.clock.now()).plus(1 - house.policy.download_log_days);
    let deleted = house.db.write(|tx| rows::delete_before(tx, first).scope_boxed()).await;
    deleted.map_err(|error: database::Error| Error::from(error))
}

async fn seal_one(house: &House, log: &Open, until: i64) -> Result<()> {
    let day = Day::from_number(log.day);
    let mut members = Members::of(log.package_id, day, until);
    let blob = store(house, &mut members).await?;
    let part = NewLogSegment {
        id: house.next_id(),
        package_id: log.package_id,
        day,
        blob_id: blob.id,
        last_second: members.last_second(),
    };
    let (taken, check) = (members.rows, blob.check);
    house
        .db
        .write(|tx| {
            async move {
                // Another node was faster, or a line arrived late. The next run will seal them.
                if rows::delete_lines(tx, part.package_id, part.day, until).await? != taken {
                    return Err(Error::Unavailable("the lines of a log have changed meanwhile".into()));
                }
                if rows::insert_part(tx, &part).await? && !blob_rows::mark_used(tx, part.blob_id, check).await? {
                    return Err(Error::Unavailable("the part of a log went meanwhile".into()));
                }
                Ok(())
            }
            .scope_boxed()
        })
        .await
}

async fn store(house: &House, members: &mut Members) -> Result<Blob> {
    let lines = stream::try_unfold(members, async |members| {
        Ok::<_, Error>(members.next(house).await?.map(|member| (member, members)))
    });
    let options = ReceiveOptions { max_bytes: MAX_BYTES, md5: true, ..ReceiveOptions::PLAIN };
    let pending = house.blobs.receive(lines, options).await?;
    store::commit(house, pending).await
}
