//! The right to remove content, which one process at a time has, over all nodes.
//!
//! It ends with the process that has it, however that ends: a lock on a file beside an embedded database, a session's lock
//! on PostgreSQL. Without it, one collector could remove bytes that came back after another had removed them.

use std::{fs::File, path::Path, time::Duration};

use tokio_postgres::Client;

use crate::{
    Error, Result,
    engine::{postgres::Postgres, process_lock::try_lock},
};

/// The key of the lock, among those that a database has for its users.
const LOCK: i64 = 7_226_418;

/// How long PostgreSQL may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The right to remove content, held until it is dropped.
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

    /// A session of its own: the lock lives as long as the connection.
    pub(crate) async fn of_session(postgres: &Postgres) -> Result<Option<CollectorLock>> {
        let asked = async {
            let client = postgres.connect_apart(|_| {}).await?;
            let is_taken: bool = client.query_one("SELECT pg_try_advisory_lock($1)", &[&LOCK]).await?.try_get(0)?;
            Ok(is_taken.then_some(CollectorLock(Holder::Session(client))))
        };
        let asked = tokio::time::timeout(ANSWER_TIMEOUT, asked).await;
        asked.unwrap_or_else(|_| Err(Error::Unavailable("the lock of the collector is not answered".into())))
    }

    /// Whether it is still this process's. A session that breaks gives it to others.
    pub fn is_held(&self) -> bool {
        match &self.0 {
            Holder::File { .. } => true,
            Holder::Session(client) => !client.is_closed(),
        }
    }

    /// Whether nothing that its last holder began can still be under way.
    pub fn ends_with_process(&self) -> bool {
        matches!(self.0, Holder::File { .. })
    }
}
