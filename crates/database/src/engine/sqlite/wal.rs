//! SQLite's write-ahead log: syncing it, and keeping it short.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use rusqlite::Connection;

use crate::{
    Error, Result,
    engine::sqlite::{BUSY_TIMEOUT, Worker},
};

/// The interval at which the log is copied into the database, independently of commits.
const COPY_EVERY: Duration = Duration::from_secs(1);

/// The size in bytes that the log file keeps when it restarts from the beginning: truncating it further blocks all
/// writers, and so does growing it again.
const ROOM: u64 = 64 << 20;

/// The number of pages at which writers wait until the whole log is copied. The log restarts only when nothing in it is
/// needed, which never happens while others write.
const LONG: u64 = ROOM / PAGE;

/// The bytes of a page in the log, including its header.
const PAGE: u64 = (4 << 10) + 24;

/// The time that writers wait for readers that still use the log.
const READER_PATIENCE: Duration = Duration::from_millis(50);

/// The write-ahead log of a database.
pub(crate) struct Wal {
    path: PathBuf,
    /// The number of pages that counts as long: more while somebody reads from the log.
    long: AtomicU64,
    has_failed: AtomicBool,
}

impl Wal {
    pub(crate) fn of(database: &Path) -> Self {
        let mut path = database.as_os_str().to_owned();
        path.push("-wal");
        Self { path: path.into(), long: AtomicU64::new(LONG), has_failed: AtomicBool::new(false) }
    }

    /// Makes all earlier commits durable.
    pub(crate) fn sync(&self) -> Result<()> {
        // Opened each time: a file handle that stays open might refer to a different file than the current log.
        File::open(&self.path).and_then(|log| log.sync_data()).map_err(|error| {
            self.has_failed.store(true, Ordering::Relaxed);
            let what = format!("syncing the write-ahead log failed: {error}");
            tracing::error!("{what}; writes fail until a restart");
            Error::Unanswered(what)
        })
    }

    /// Fails if a sync has failed before: the system has dropped the data that it failed to write, and the next sync
    /// would succeed all the same. The part of the log that a restart finds is consistent.
    pub(crate) fn check(&self) -> Result<()> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(Error::Unavailable("a sync has failed; restart the server".into()));
        }
        Ok(())
    }

    /// Returns whether a log with this number of pages has to be restarted.
    pub(crate) fn is_long(&self, pages: u64) -> bool {
        let is_long = pages >= self.long.load(Ordering::Relaxed);
        if is_long || pages < LONG {
            self.long.store(pages.max(LONG) + if is_long { LONG } else { 0 }, Ordering::Relaxed);
        }
        is_long
    }
}

/// Prepares a connection whose commits are synced separately.
pub(crate) fn prepare(connection: &Connection) -> Result<()> {
    Ok(connection.execute_batch(&format!("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = {ROOM}"))?)
}

/// Returns the number of pages in the log. The size of the file does not show it, because a restarted log reuses its
/// file.
pub(crate) fn count_pages(connection: &Connection) -> Result<u64> {
    let mut count = connection.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
    Ok(count.query_row([], |row| row.get::<_, u32>(1))?.into())
}

/// Copies the whole log into the database, so that the next write restarts it from the beginning.
pub(crate) fn empty(connection: &Connection) -> Result<()> {
    connection.busy_timeout(READER_PATIENCE)?;
    let emptied = copy(connection, "RESTART");
    connection.busy_timeout(BUSY_TIMEOUT)?;
    emptied
}

/// Copies as much of the log as possible without blocking anybody. Never returns.
pub(crate) async fn copy_back(worker: Worker) {
    let mut ticks = tokio::time::interval(COPY_EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = worker.call(|connection| copy(connection, "PASSIVE")).await {
            tracing::warn!("checkpoint of the write-ahead log failed: {error}");
        }
    }
}

fn copy(connection: &Connection, how: &str) -> Result<()> {
    Ok(connection.query_row(&format!("PRAGMA wal_checkpoint({how})"), [], |_| Ok(()))?)
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use model::timestamp::Timestamp;

    use super::*;
    use crate::{Database, Options, ScopedFutureExt, engine::meta};

    async fn open(path: &Path) -> Database {
        let db = Database::open(&format!("sqlite://{}", path.display()), &Options::default()).await.expect("opened");
        db.migrate(Timestamp::EPOCH).await.expect("migrated");
        db
    }

    async fn set(db: &Database, key: &str, value: &str) -> Result<()> {
        db.write(|tx| meta::set(tx, key, value).scope_boxed()).await
    }

    #[tokio::test]
    async fn it_stays_short_while_many_write_and_is_not_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("busy.db");
        let (db, mut lengths) = (open(&path).await, Vec::new());
        for round in 0..100 {
            let value = &round.to_string().repeat(128 << 10);
            let writers = (0..8).map(async |n| set(&db, &format!("key-{n}"), value).await.expect("written"));
            join_all(writers).await;
            lengths.push(std::fs::metadata(Wal::of(&path).path).expect("a log").len());
        }
        let longest = *lengths.iter().max().expect("a length");
        // A longer log is truncated to this size when it restarts.
        assert!(longest >= ROOM, "too little was written: {longest}");
        assert!(longest < 2 * ROOM, "{longest}");
        let mut once_long = lengths.iter().skip_while(|length| **length < ROOM);
        assert!(once_long.all(|length| *length >= ROOM), "{lengths:?}");
    }

    #[tokio::test]
    async fn when_it_cannot_be_synced_nothing_more_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("failing.db");
        let db = open(&path).await;
        set(&db, "one", "x").await.expect("written");
        std::fs::rename(Wal::of(&path).path, folder.path().join("away")).expect("renamed");
        let failed = set(&db, "two", "x").await;
        assert!(matches!(failed, Err(Error::Unanswered(_))), "{failed:?}");
        let refused = set(&db, "three", "x").await;
        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
        assert_eq!(meta::find(&db, "three").await.expect("reads go on"), None);
        assert_eq!(meta::find(&db, "one").await.expect("reads go on").as_deref(), Some("x"));
    }
}
