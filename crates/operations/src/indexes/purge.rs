//! Deletes files of old generations, and the blocks that only they need.

use std::collections::BTreeSet;

use database::{
    ScopedFutureExt,
    indexes::{
        blocks,
        index_files::{self, EndedFile},
        view_files,
    },
};

use crate::{House, Result};

/// Files of this many generations stay in any case.
const GENERATIONS: i64 = 3;

/// The number of files that one transaction deletes.
const FILES: i64 = 200;

/// Deletes replaced files whose time is over.
pub(super) async fn delete_unneeded(house: &House) -> Result<()> {
    let now = house.clock.now();
    if view_files::has_ended(&house.db, now).await? {
        house.db.write(|tx| view_files::delete_ended(tx, now).scope_boxed()).await?;
    }
    loop {
        let ended = index_files::list_ended(&house.db, house.clock.now(), GENERATIONS, FILES).await?;
        if ended.is_empty() {
            return Ok(());
        }
        delete(house, &ended).await?;
    }
}

async fn delete(house: &House, ended: &[EndedFile]) -> Result<()> {
    let ids: Vec<i64> = ended.iter().map(|file| file.id).collect();
    let streams: BTreeSet<i64> =
        ended.iter().flat_map(|file| [file.stream_id, file.second_stream_id]).flatten().collect();
    let (ids, streams) = (&ids, &streams);
    let deleted = house.db.write(|tx| {
        async move {
            index_files::delete(tx, ids).await?;
            for stream_id in streams {
                blocks::delete_unneeded(tx, *stream_id).await?;
            }
            Ok::<_, database::Error>(())
        }
        .scope_boxed()
    });
    Ok(deleted.await?)
}
