//! SQLite on threads of its own: several readers, one writer. A statement is a message to a thread.

use std::{
    path::Path,
    sync::{Mutex, PoisonError, mpsc},
    time::Duration,
};

use rusqlite::{
    Connection, ToSql,
    config::DbConfig,
    types::{Null, ToSqlOutput},
};
use tokio::sync::{Semaphore, oneshot};

use crate::{
    Error, Result,
    row::{FromRow, Row},
    statement::{Statement, Value},
};

/// How long a statement waits for another process that holds the write lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a read waits for a free reader before the caller is told to come back.
const TURN_TIMEOUT: Duration = Duration::from_secs(5);

/// Prepared statements kept by each connection: more than the crate has.
const STATEMENTS: usize = 512;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// A connection on its own thread. Its queue holds what its single owner sent: one job, or a rollback before the next.
pub(crate) struct Worker(mpsc::Sender<Job>);

impl Worker {
    pub(crate) fn start(path: &Path, name: &str) -> Result<Worker> {
        let connection = connect(path)?;
        let (sender, jobs) = mpsc::channel::<Job>();
        std::thread::Builder::new()
            .name(format!("sqlite-{name}"))
            .spawn(move || jobs.iter().for_each(|job| job(&connection)))
            .map_err(|error| Error::Broken(format!("no thread for SQLite: {error}")))?;
        Ok(Worker(sender))
    }

    /// Runs a job on the thread and waits for its answer.
    pub(crate) async fn call<R: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (answer, result) = oneshot::channel();
        self.post(move |connection| drop(answer.send(job(connection))));
        result.await.unwrap_or_else(|_| Err(Error::Broken("the SQLite thread has ended".into())))
    }

    /// Queues a job without waiting for it.
    pub(crate) fn post(&self, job: impl FnOnce(&Connection) + Send + 'static) {
        // A thread that has ended drops the job, and with it the sender of its answer.
        drop(self.0.send(Box::new(job)));
    }

    pub(crate) async fn all<T: FromRow>(&self, statement: Statement) -> Result<Vec<T>> {
        self.call(move |connection| {
            let mut prepared = connection.prepare_cached(&statement.sql)?;
            bind(&mut prepared, &statement)?;
            let mut rows = prepared.raw_query();
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(T::from_row(&Row::Sqlite(row))?);
            }
            drop(rows);
            if !statement.is_kept {
                prepared.discard();
            }
            Ok(found)
        })
        .await
    }

    pub(crate) async fn run(&self, statement: Statement) -> Result<u64> {
        self.call(move |connection| {
            let mut prepared = connection.prepare_cached(&statement.sql)?;
            bind(&mut prepared, &statement)?;
            Ok(prepared.raw_execute()? as u64)
        })
        .await
    }
}

/// To SQLite `$2` is a name, and names are numbered as they appear: each is given the argument it names.
fn bind(prepared: &mut rusqlite::Statement<'_>, statement: &Statement) -> Result<()> {
    for index in 1..=prepared.parameter_count() {
        let number = prepared.parameter_name(index).and_then(|name| name.strip_prefix('$')?.parse::<usize>().ok());
        let argument = number.and_then(|number| statement.arguments.get(number.checked_sub(1)?));
        let argument = argument.ok_or_else(|| Error::Broken(format!("an argument is missing: {}", statement.sql)))?;
        prepared.raw_bind_parameter(index, argument)?;
    }
    Ok(())
}

fn connect(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path)?;
    // The time-out comes first: switching the journal needs a lock that another connection may hold.
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0",
    )?;
    // Without this the planner prepares a join anew for each new argument, at eight times the cost.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Idle readers, the most recently used first, so that a light load keeps one thread warm.
pub(crate) struct Readers {
    turns: Semaphore,
    idle: Mutex<Vec<Worker>>,
}

impl Readers {
    pub(crate) fn start(path: &Path, count: usize) -> Result<Readers> {
        let workers: Result<Vec<_>> = (0..count).map(|n| Worker::start(path, &format!("read-{n}"))).collect();
        Ok(Readers { turns: Semaphore::new(count), idle: Mutex::new(workers?) })
    }

    pub(crate) async fn all<T: FromRow>(&self, statement: Statement) -> Result<Vec<T>> {
        let turn = tokio::time::timeout(TURN_TIMEOUT, self.turns.acquire()).await;
        let _turn =
            turn.ok().and_then(|turn| turn.ok()).ok_or_else(|| Error::Unavailable("all readers are busy".into()))?;
        Borrowed::from(self)?.worker()?.all(statement).await
    }
}

/// A reader that goes back to the idle ones, also when its caller goes away.
struct Borrowed<'r> {
    readers: &'r Readers,
    worker: Option<Worker>,
}

impl<'r> Borrowed<'r> {
    fn from(readers: &'r Readers) -> Result<Self> {
        let worker = readers.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(Borrowed { readers, worker })
    }

    fn worker(&self) -> Result<&Worker> {
        self.worker.as_ref().ok_or_else(|| Error::Broken("a reader is missing".into()))
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        self.readers.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.worker.take());
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Value::Null => Ok(ToSqlOutput::from(Null)),
            Value::Int(value) => value.to_sql(),
            Value::Real(value) => value.to_sql(),
            Value::Text(value) => value.to_sql(),
            Value::Bool(value) => value.to_sql(),
        }
    }
}
