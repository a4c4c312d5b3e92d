//! The database interface over the two engines. Only this module knows that two exist.

pub(crate) mod collector_lock;
pub(crate) mod error;
pub(crate) mod external_changes;
pub(crate) mod invalidation;
pub(crate) mod keys;
pub(crate) mod lines;
pub(crate) mod migrations;
pub(crate) mod postgres;
pub(crate) mod process_lock;
pub(crate) mod read;
pub(crate) mod row;
pub(crate) mod shown_tables;
pub(crate) mod sqlite;
pub(crate) mod statement;
pub(crate) mod text;
pub(crate) mod tx;
pub(crate) mod value;
pub(crate) mod work;

pub mod epochs;
pub mod meta;

#[cfg(test)]
mod tests;

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use scoped_futures::ScopedBoxFuture;
use tokio::sync::Mutex;

use crate::{
    CollectorLock, Error, ProcessLock, Read, Result,
    engine::{
        epochs::Epochs,
        invalidation::Invalidation,
        postgres::{Postgres, notify},
        read::{Reading, Rows},
        sqlite::{Readers, group_member::Rollback, writer::Writer},
        statement::{RowLock, Statement, sql},
        tx::{Tx, TxEngine},
        work::{Attempt, Work},
    },
};

/// The number of attempts for a transaction that conflicts with another one.
const ATTEMPTS: u32 = 8;

/// Options for opening a database.
#[derive(Debug, Clone)]
pub struct Options {
    /// Size of the connection pool, or the number of SQLite's reader threads.
    pub connections: usize,
    /// The time limit for one statement; on SQLite, only for reads.
    pub timeout: Duration,
    /// CA certificates for PostgreSQL's certificate; the system's when absent.
    pub ca_file: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { connections: 16, timeout: Duration::from_secs(10), ca_file: None }
    }
}

/// The metadata of the service. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    engine: Arc<Engine>,
    changes: Epochs,
    /// The number of statements run, including those in transactions.
    statements: Arc<AtomicU64>,
}

pub(crate) enum Engine {
    Sqlite { readers: Readers, writer: Writer, path: PathBuf, is_owner: AtomicBool },
    Postgres(Postgres),
}

/// The connections of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolStatus {
    /// The most that may be open.
    pub size: usize,
    /// Those that work on a statement or a transaction.
    pub in_use: usize,
    /// Requests that wait for one.
    pub waiting: usize,
}

impl Database {
    /// Opens `sqlite://path` or `postgres://...`. Writes nothing before `migrate`.
    pub async fn open(url: &str, options: &Options) -> Result<Database> {
        let engine = match url.split_once("://") {
            Some(("sqlite", path)) => {
                let path = PathBuf::from(path);
                let writer = Writer::start(&path)?;
                let readers = Readers::start(&path, options.connections, options.timeout)?;
                Engine::Sqlite { readers, writer, path, is_owner: AtomicBool::new(false) }
            }
            Some(("postgres" | "postgresql", _)) => {
                let postgres = Postgres::open(url, options)?;
                postgres.connect().await?;
                Engine::Postgres(postgres)
            }
            _ => return Err(Error::Broken("database_url must begin with sqlite:// or postgres://".into())),
        };
        Ok(Database { engine: Arc::new(engine), changes: Epochs::default(), statements: Arc::default() })
    }

    /// Returns the number of statements run so far, including those in transactions. Tests use it to measure the cost
    /// of a call.
    pub fn statements_run(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Returns how many connections, or readers of SQLite, are in use.
    pub fn pool_status(&self) -> PoolStatus {
        match &*self.engine {
            Engine::Sqlite { readers, .. } => readers.status(),
            Engine::Postgres(postgres) => postgres.status(),
        }
    }

    /// Locks the database for this process if its engine requires that. The lock is held until the value is dropped.
    pub fn lock(&self) -> Result<Option<ProcessLock>> {
        match &*self.engine {
            Engine::Sqlite { path, is_owner, .. } => {
                let lock = ProcessLock::take(path)?;
                is_owner.store(true, Ordering::Relaxed);
                Ok(Some(lock))
            }
            Engine::Postgres(_) => Ok(None),
        }
    }

    /// Takes the lock for removing content; `None` while another process holds it.
    pub async fn lock_collector(&self) -> Result<Option<CollectorLock>> {
        match &*self.engine {
            Engine::Sqlite { path, .. } => CollectorLock::of_file(path),
            Engine::Postgres(postgres) => CollectorLock::of_session(postgres).await,
        }
    }

    /// Runs `work` in a transaction. If this returns `Ok`, its writes are durable.
    ///
    /// `work` may run several times, so it must have no effects outside the transaction.
    pub async fn write<'w, T, E>(
        &self,
        work: impl for<'t> Fn(&'t mut Tx) -> ScopedBoxFuture<'w, 't, std::result::Result<T, E>> + Send + Sync + 'w,
    ) -> std::result::Result<T, E>
    where
        T: Send,
        E: From<Error> + Send,
    {
        self.write_with(Rollback::Group, work).await
    }

    async fn write_with<'w, T, E>(
        &self,
        undo: Rollback,
        work: impl for<'t> Fn(&'t mut Tx) -> ScopedBoxFuture<'w, 't, std::result::Result<T, E>> + Send + Sync + 'w,
    ) -> std::result::Result<T, E>
    where
        T: Send,
        E: From<Error> + Send,
    {
        let work = Work::new(work);
        self.attempt(undo, &work).await?;
        work.into_result()
    }

    /// Runs a transaction until it is committed or refused.
    async fn attempt(&self, mut undo: Rollback, work: &dyn Attempt) -> Result<()> {
        let mut attempt = 1;
        loop {
            let mut tx = self.begin(undo).await?;
            let failure = if work.run(&mut tx).await {
                match self.commit(tx).await {
                    Err(error @ Error::Again(_)) => Err(error),
                    other => return other,
                }
            } else {
                let may_retry = tx.must_run_again();
                tx.rollback().await;
                if !may_retry {
                    return Ok(());
                }
                Ok(())
            };
            if attempt == ATTEMPTS {
                return failure;
            }
            tokio::time::sleep(self.per_engine(Duration::ZERO, Duration::from_millis(2 << attempt))).await;
            attempt += 1;
            undo = Rollback::Alone;
        }
    }

    async fn commit(&self, mut tx: Tx) -> Result<()> {
        let changes = tx.take_changes();
        if changes.is_empty() {
            return tx.commit().await;
        }
        let guest_of = match &*self.engine {
            Engine::Sqlite { path, is_owner, .. } if !is_owner.load(Ordering::Relaxed) => Some(path),
            _ => None,
        };
        if guest_of.is_some() {
            external_changes::leave_mark(&mut tx).await?;
        }
        let result = tx.commit().await;
        // Also after a failure: a commit without an answer may have happened.
        changes.iter().for_each(|change| self.changes.invalidate(*change));
        if let Some(path) = guest_of {
            external_changes::wait_until_seen(self, path).await;
        }
        if let Engine::Postgres(_) = &*self.engine {
            self.notify_other_nodes(changes).await;
        }
        result
    }

    /// Notifies the other nodes in a separate task, because they must receive the invalidations even if the caller is
    /// cancelled. Waits for their receipt only if something was taken away.
    async fn notify_other_nodes(&self, changes: Vec<Invalidation>) {
        let db = self.clone();
        let told = tokio::spawn(async move {
            if let Engine::Postgres(postgres) = &*db.engine {
                let is_awaited = changes.iter().any(|change| change.is_awaited());
                notify::notify(postgres, &changes, is_awaited).await;
            }
        });
        told.await.unwrap_or_default();
    }

    /// Returns the epochs, which advance with the writes of this node and with the invalidations received from other
    /// nodes.
    pub fn changes(&self) -> &Epochs {
        &self.changes
    }

    /// Returns whether cached answers may be used: every other node that changes something waits until this one has
    /// received the invalidation. An embedded database has a single node.
    pub fn is_cache_coherent(&self) -> bool {
        self.per_engine(true, self.changes.are_awaited())
    }

    /// Returns how long a cached answer may be used without an invalidation. The time is limited because messages from
    /// other nodes can be missed.
    pub fn cache_ttl(&self) -> Duration {
        self.per_engine(Duration::from_secs(60), Duration::from_secs(1))
    }

    /// Receives other nodes' invalidations. Never returns.
    pub async fn listen(&self) {
        match &*self.engine {
            Engine::Sqlite { .. } => external_changes::listen(self, &self.changes).await,
            Engine::Postgres(postgres) => notify::listen(postgres, &self.changes).await,
        }
    }

    /// Returns the engine, for operations that bypass this interface: full copies.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    async fn begin(&self, undo: Rollback) -> Result<Tx> {
        let on = match &*self.engine {
            Engine::Sqlite { writer, .. } => TxEngine::Sqlite(writer.begin(undo).await?),
            Engine::Postgres(postgres) => TxEngine::Postgres(Box::new(Mutex::new(postgres.begin().await?))),
        };
        Ok(Tx::new(on, Arc::clone(&self.statements)))
    }

    /// Returns by how many milliseconds the database's clock is ahead of `now`; an embedded database uses the same
    /// clock.
    pub async fn clock_offset(&self, now: impl Fn() -> i64 + Send) -> Result<i64> {
        match &*self.engine {
            Engine::Sqlite { .. } => Ok(0),
            Engine::Postgres(postgres) => {
                let asked = now();
                let mut told: Vec<i64> = Vec::new();
                let clock = sql!("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)");
                postgres.fill(clock, &mut told).await?;
                // The answer is half a round trip old.
                let answered = now();
                Ok(told.first().map_or(0, |told| told - (asked + (answered - asked) / 2)))
            }
        }
    }

    /// Writes an embedded database into its single main file, so that it can be copied while it is not in use.
    pub async fn settle(&self) -> Result<()> {
        let Engine::Sqlite { readers, .. } = &*self.engine else { return Ok(()) };
        readers.all_at_leisure::<i64>(sql!("PRAGMA wal_checkpoint(TRUNCATE)")).await.map(drop)
    }

    /// Returns the problems that the engine's own check finds. PostgreSQL checks its pages itself when it reads them.
    pub async fn find_damage(&self) -> Result<Vec<String>> {
        let Engine::Sqlite { readers, .. } = &*self.engine else { return Ok(Vec::new()) };
        let mut damage: Vec<String> = readers.all_at_leisure(sql!("PRAGMA integrity_check")).await?;
        damage.retain(|line| line != "ok");
        damage.extend(readers.all_at_leisure::<String>(sql!("PRAGMA foreign_key_check")).await?);
        Ok(damage)
    }

    /// Returns one of two values where the engines have no common syntax.
    pub(crate) fn per_engine<T>(&self, sqlite: T, postgres: T) -> T {
        match &*self.engine {
            Engine::Sqlite { .. } => sqlite,
            Engine::Postgres(_) => postgres,
        }
    }
}

impl Read for Database {
    fn fill(&self, statement: Statement, mut rows: Box<dyn Rows>) -> Reading<'_> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            match &*self.engine {
                Engine::Sqlite { readers, .. } => readers.fill(statement, rows).await,
                // A row lock ends with its transaction, and none is open here.
                Engine::Postgres(postgres) => {
                    postgres.fill(statement.locking(RowLock::None), &mut *rows).await?;
                    Ok(rows)
                }
            }
        })
    }
}
