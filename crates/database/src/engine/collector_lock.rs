//! The lock for removing content. Only one process holds it at a time, across all nodes.
//!
//! It is released when its process ends, for whatever reason: it is a file lock next to an embedded database, or a
//! session lock on PostgreSQL. Without it, one collector could remove bytes that were uploaded again after another
//! collector had removed them.

use std::{fs::File, path::Path, time::Duration};

use tokio_postgres::Client;

use crate::{
    Error, Result,
    engine::{postgres::Postgres, process_lock::try_lock},
};

/// The id of the advisory lock. Each database has its own set of them.
const LOCK: i64 = 7_226_418;

/// The time limit for PostgreSQL's answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The lock for removing content, held until it is dropped.
#[derive(Debug)]
pub struct CollectorLock(Holder);

#[derive(Debug)]
enum Holder {
    File { _file: File },
    Session(Client),
}

impl CollectorLock {
    pub(crate) fn of_file(database: &Path) -> Result<Option<CollectorLock>> {
        let locked = try_lock(&database.with_extension("garbage.lock"))?;
        Ok(locked.map(|file| CollectorLock(Holder::File { _file: file })))
    }

    /// Opens a separate session for the lock, because the lock lives as long as the connection.
    pub(crate) async fn of_session(postgres: &Postgres) -> Result<Option<CollectorLock>> {
        let asked = async {
            let client = postgres.connect_apart(|_| {}).await?;
            let is_taken: bool = client.query_one("SELECT pg_try_advisory_lock($1)", &[&LOCK]).await?.try_get(0)?;
            Ok(is_taken.then_some(CollectorLock(Holder::Session(client))))
        };
        let asked = tokio::time::timeout(ANSWER_TIMEOUT, asked).await;
        asked.unwrap_or_else(|_| Err(Error::Unavailable("the lock of the collector timed out".into())))
    }

    /// Returns whether this process still holds the lock. If the session breaks, other processes can take it.
    pub fn is_held(&self) -> bool {
        match &self.0 {
            Holder::File { .. } => true,
            Holder::Session(client) => !client.is_closed(),
        }
    }

    /// Returns whether nothing that the last holder started can still be running.
    pub fn ends_with_process(&self) -> bool {
        matches!(self.0, Holder::File { .. })
    }
}
