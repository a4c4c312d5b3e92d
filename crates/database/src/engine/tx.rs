//! A transaction on either engine.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use tokio::sync::Mutex;

use crate::{
    Error, Read, Result,
    engine::{
        invalidation::Invalidation,
        postgres::Connection,
        read::{Reading, Rows},
        shown_tables,
        sqlite::{self, group_member::GroupMember},
        statement::Statement,
    },
};

/// A transaction. If it is dropped without a commit, it is rolled back.
pub struct Tx {
    on: Option<TxEngine>,
    has_failed: AtomicBool,
    must_run_again: AtomicBool,
    changes: Vec<Invalidation>,
    /// Whether it has written to a table that objects show.
    writes_objects: AtomicBool,
    /// The database's counter of statements run.
    statements: Arc<AtomicU64>,
}

pub(crate) enum TxEngine {
    Sqlite(GroupMember),
    // A mutex so that reads can share `&Tx`; it is never contended.
    Postgres(Box<Mutex<Connection>>),
}

impl Tx {
    pub(crate) fn new(on: TxEngine, statements: Arc<AtomicU64>) -> Self {
        Self {
            on: Some(on),
            has_failed: AtomicBool::new(false),
            must_run_again: AtomicBool::new(false),
            changes: Vec::new(),
            writes_objects: AtomicBool::new(false),
            statements,
        }
    }

    /// Records that cached answers about this become stale when the transaction is durable.
    pub(crate) fn invalidate(&mut self, change: Invalidation) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    pub(crate) fn is_on_sqlite(&self) -> bool {
        matches!(self.on, Some(TxEngine::Sqlite(_)))
    }

    /// Returns whether the engine requires the whole transaction to run again.
    pub(crate) fn must_run_again(&self) -> bool {
        self.must_run_again.load(Ordering::Relaxed)
    }

    /// Runs a statement and returns the number of changed rows.
    pub async fn run(&mut self, statement: Statement) -> Result<u64> {
        self.begin_statement(&statement);
        let result = match self.on()? {
            TxEngine::Sqlite(part) => part.worker()?.step(statement, sqlite::run).await,
            TxEngine::Postgres(connection) => connection.lock().await.run(statement).await,
        };
        self.recorded(result)
    }

    /// Locks the rows that a statement reads until the transaction ends. Returns whether they may have changed since
    /// the transaction read them before. That is never so on SQLite, where a writing transaction runs alone; no query
    /// runs there.
    pub(crate) async fn lock(&mut self, statement: Statement) -> Result<bool> {
        match self.on()? {
            TxEngine::Sqlite(_) => Ok(false),
            TxEngine::Postgres(_) => self.all::<i64>(statement.locking_rows()).await.map(|_| true),
        }
    }

    /// Runs text with several statements, for migrations: without the time limit of other statements.
    pub(crate) async fn batch(&mut self, text: &str) -> Result<()> {
        let result = match self.on.as_mut().ok_or_else(ended)? {
            TxEngine::Sqlite(part) => {
                part.touch();
                let text = text.to_owned();
                part.worker()?.call(move |connection| Ok(connection.execute_batch(&text)?)).await
            }
            TxEngine::Postgres(connection) => connection.lock().await.migrate(text).await,
        };
        self.recorded(result)
    }

    /// Takes the invalidations recorded so far.
    pub(crate) fn take_changes(&mut self) -> Vec<Invalidation> {
        if *self.writes_objects.get_mut() && !self.changes.iter().any(|change| change.concerns_objects()) {
            self.changes.push(Invalidation::Objects);
        }
        std::mem::take(&mut self.changes)
    }

    pub(crate) async fn commit(mut self) -> Result<()> {
        // PostgreSQL would report success for such a commit and do nothing.
        if self.has_failed.load(Ordering::Relaxed) {
            return Err(Error::Broken("a statement failed, and the transaction went on".into()));
        }
        match self.on.take() {
            Some(TxEngine::Sqlite(part)) => part.finish().await,
            Some(TxEngine::Postgres(connection)) => {
                let ended = (*connection).into_inner().end("COMMIT").await;
                ended.map_err(|error| match error {
                    Error::Unavailable(cause) => Error::Unanswered(cause),
                    other => other,
                })
            }
            None => Err(ended()),
        }
    }

    /// Rolls back and returns the connection to the pool.
    pub(crate) async fn rollback(mut self) {
        if let Some(TxEngine::Postgres(connection)) = self.on.take() {
            // If this fails, the connection is closed, which rolls back as well.
            drop((*connection).into_inner().end("ROLLBACK").await);
        }
    }

    /// Counts a statement, and notices what it writes to.
    fn begin_statement(&self, statement: &Statement) {
        self.statements.fetch_add(1, Ordering::Relaxed);
        if shown_tables::are_written_by(&statement.sql) {
            self.writes_objects.store(true, Ordering::Relaxed);
        }
    }

    fn on(&self) -> Result<&TxEngine> {
        self.on.as_ref().ok_or_else(ended)
    }

    fn recorded<T>(&self, result: Result<T>) -> Result<T> {
        self.has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
        self.must_run_again.fetch_or(matches!(result, Err(Error::Again(_))), Ordering::Relaxed);
        result
    }
}

fn ended() -> Error {
    Error::Broken("the transaction has ended".into())
}

impl Read for Tx {
    fn fill(&self, statement: Statement, mut rows: Box<dyn Rows>) -> Reading<'_> {
        self.begin_statement(&statement);
        Box::pin(async move {
            let result = match self.on()? {
                TxEngine::Sqlite(part) => {
                    let fill = |connection: &_, statement: &_| {
                        sqlite::fill(connection, statement, &mut *rows)?;
                        Ok(rows)
                    };
                    part.worker()?.step(statement, fill).await
                }
                TxEngine::Postgres(connection) => {
                    let filled = connection.lock().await.fill(statement, &mut *rows).await;
                    filled.map(|()| rows)
                }
            };
            self.recorded(result)
        })
    }
}
