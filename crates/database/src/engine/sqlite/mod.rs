//! SQLite on separate threads: several readers, one writer. A statement is sent to a thread as a message; short
//! statements of a transaction run on the calling thread.

pub(crate) mod committer;
pub(crate) mod group_member;
pub(crate) mod wal;
pub(crate) mod writer;

use std::{
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use rusqlite::{
    Connection, InterruptHandle, ToSql,
    config::DbConfig,
    types::{Null, ToSqlOutput},
};
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

use crate::{
    Error, PoolStatus, Result,
    engine::{
        read::{Rows, typed},
        row::{FromRow, Row},
        statement::{Cost, Statement, Value},
    },
};

/// The time that a statement waits for another process that holds the write lock.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The time that a read waits for a free reader before the caller is asked to retry.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of prepared statements cached per connection: more than this crate has.
const STATEMENTS: usize = 512;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// A connection on its own thread. Its queue contains the jobs of its single owner: one job, or a rollback before the
/// next.
pub(crate) struct Worker {
    /// Only contended after a caller has abandoned a job.
    connection: Arc<Mutex<Connection>>,
    jobs: mpsc::Sender<Job>,
    /// The number of jobs that the thread has not finished yet.
    queued: Arc<AtomicUsize>,
    interrupt: InterruptHandle,
}

impl Worker {
    pub(crate) fn start(path: &Path, name: &str) -> Result<Worker> {
        let connection = connect(path)?;
        let interrupt = connection.get_interrupt_handle();
        let connection = Arc::new(Mutex::new(connection));
        let (sender, jobs) = mpsc::channel::<Job>();
        let queued = Arc::new(AtomicUsize::new(0));
        std::thread::Builder::new()
            .name(format!("sqlite-{name}"))
            .spawn({
                let (connection, queued) = (Arc::clone(&connection), Arc::clone(&queued));
                move || {
                    for job in jobs {
                        job(&lock(&connection));
                        queued.fetch_sub(1, Ordering::Release);
                    }
                }
            })
            .map_err(no_thread)?;
        Ok(Worker { connection, jobs: sender, queued, interrupt })
    }

    /// Runs a job on the thread and waits for its result.
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
        self.queued.fetch_add(1, Ordering::Relaxed);
        // If the thread has ended, the job is dropped, and with it the sender of its result.
        drop(self.jobs.send(Box::new(job)));
    }

    /// Runs a short job on the calling thread, which costs less than a message. Only for callers that have waited for
    /// all other jobs.
    pub(crate) fn here<R>(&self, job: impl FnOnce(&Connection) -> R) -> R {
        job(&lock(&self.connection))
    }

    /// Returns whether the thread has finished all jobs.
    pub(crate) fn is_idle(&self) -> bool {
        self.queued.load(Ordering::Acquire) == 0
    }

    /// Runs a short job on the calling thread, or queues it behind unfinished jobs.
    pub(crate) fn soon(&self, job: impl FnOnce(&Connection) + Send + 'static) {
        if self.is_idle() { self.here(job) } else { self.post(job) }
    }

    /// Like [`Self::soon`], but waits for the result. For callers that may block their thread.
    pub(crate) async fn in_turn<R: Send + 'static>(&self, job: fn(&Connection) -> Result<R>) -> Result<R> {
        if self.is_idle() { self.here(job) } else { self.call(job).await }
    }

    /// Runs a statement of a transaction. Many short ones in a row yield to other tasks.
    pub(crate) async fn step<R: Send + 'static>(
        &self,
        statement: Statement,
        how: impl FnOnce(&Connection, &Statement) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        if statement.cost == Cost::Long {
            return self.call(move |connection| how(connection, &statement)).await;
        }
        tokio::task::coop::consume_budget().await;
        self.here(|connection| how(connection, &statement))
    }

    async fn fill(&self, statement: Statement, mut rows: Box<dyn Rows>) -> Result<Box<dyn Rows>> {
        self.call(move |connection| fill(connection, &statement, &mut *rows).map(|()| rows)).await
    }
}

/// Returns the error for a thread that did not start.
pub(crate) fn no_thread(error: std::io::Error) -> Error {
    Error::Broken(format!("no thread for SQLite: {error}"))
}

fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds all rows of a statement.
pub(crate) fn fill(connection: &Connection, statement: &Statement, rows: &mut dyn Rows) -> Result<()> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    bind(&mut prepared, statement)?;
    let mut found = prepared.raw_query();
    while let Some(row) = found.next()? {
        rows.add(&Row::Sqlite(row))?;
    }
    drop(found);
    if !statement.is_cached {
        prepared.discard();
    }
    Ok(())
}

/// Runs a statement and returns the number of changed rows.
pub(crate) fn run(connection: &Connection, statement: &Statement) -> Result<u64> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    bind(&mut prepared, statement)?;
    Ok(prepared.raw_execute()? as u64)
}

/// Binds the arguments. SQLite treats `$2` as a name and numbers names in order of appearance, so each name is mapped
/// to its argument.
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
    // The time-out comes first: changing the journal mode needs a lock that another connection may hold.
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0",
    )?;
    // Without this, the planner prepares a join again for each new argument, at eight times the cost.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Idle readers, most recently used first, so that a light load keeps one thread warm.
pub(crate) struct Readers {
    count: usize,
    permits: Semaphore,
    idle: Mutex<Vec<Worker>>,
    timeout: Duration,
}

impl Readers {
    /// The use of the readers. Those that wait are not counted.
    pub(crate) fn status(&self) -> PoolStatus {
        PoolStatus { size: self.count, in_use: self.count.saturating_sub(self.permits.available_permits()), waiting: 0 }
    }

    /// Starts `count` readers; `timeout` limits each of their statements.
    pub(crate) fn start(path: &Path, count: usize, timeout: Duration) -> Result<Readers> {
        let workers: Result<Vec<_>> = (0..count).map(|n| Worker::start(path, &format!("read-{n}"))).collect();
        Ok(Readers { count, permits: Semaphore::new(count), idle: Mutex::new(workers?), timeout })
    }

    /// Adds all rows of a statement.
    pub(crate) async fn fill(&self, statement: Statement, mut rows: Box<dyn Rows>) -> Result<Box<dyn Rows>> {
        let _permit = self.permit().await?;
        let mut reader = Borrowed::from(self)?;
        if statement.cost == Cost::Lookup {
            tokio::task::coop::consume_budget().await;
            if let Some(filled) = reader.try_here(|connection| fill(connection, &statement, &mut *rows)) {
                return filled.map(|()| rows);
            }
        }
        reader.fill(statement, rows, self.timeout).await
    }

    /// Returns all rows of a statement without a time limit, for maintenance.
    pub(crate) async fn all_at_leisure<T: FromRow>(&self, statement: Statement) -> Result<Vec<T>> {
        let _permit = self.permit().await?;
        let rows = Box::new(Vec::<T>::new());
        Ok(typed(Borrowed::from(self)?.fill(statement, rows, Duration::MAX).await?))
    }

    async fn permit(&self) -> Result<SemaphorePermit<'_>> {
        let permit = tokio::time::timeout(PERMIT_TIMEOUT, self.permits.acquire()).await;
        permit.ok().and_then(|permit| permit.ok()).ok_or_else(|| Error::Unavailable("all readers are busy".into()))
    }
}

/// A reader that returns to the idle ones, even if its caller is cancelled.
struct Borrowed<'r> {
    readers: &'r Readers,
    worker: Option<Worker>,
    is_busy: bool,
}

impl<'r> Borrowed<'r> {
    fn from(readers: &'r Readers) -> Result<Self> {
        let worker = readers.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(Borrowed { readers, worker, is_busy: false })
    }

    /// Runs a short job on the calling thread, unless the reader's thread is still busy with a job of a cancelled
    /// caller.
    fn try_here<R>(&self, job: impl FnOnce(&Connection) -> R) -> Option<R> {
        Some(job(&*self.worker.as_ref()?.connection.try_lock().ok()?))
    }

    /// Runs a statement, and interrupts it if it takes too long or if its caller is cancelled.
    async fn fill(&mut self, statement: Statement, rows: Box<dyn Rows>, timeout: Duration) -> Result<Box<dyn Rows>> {
        let worker = self.worker.as_ref().ok_or_else(|| Error::Broken("a reader is missing".into()))?;
        self.is_busy = true;
        let mut work = std::pin::pin!(worker.fill(statement, rows));
        let result = match tokio::time::timeout(timeout, &mut work).await {
            Ok(result) => result,
            Err(_) => {
                worker.interrupt.interrupt();
                // Wait for it, so that the interrupt hits no other statement.
                work.await
            }
        };
        self.is_busy = false;
        result
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let Some(worker) = self.worker.take() else { return };
        if self.is_busy {
            worker.interrupt.interrupt();
        }
        self.readers.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
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
            Value::Bytes(value) => value.to_sql(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_statement_that_takes_too_long_ends_and_its_reader_goes_on() {
        let folder = std::env::temp_dir().join(format!("packhouse-interrupt-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
        let readers = Readers::start(&folder.join("slow.db"), 1, Duration::from_millis(20)).expect("a reader");
        let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0";
        let endless = Statement::new(endless, Vec::new());
        let number = async |number: i64| {
            let statement = Statement::new("SELECT $1", vec![number.into()]);
            typed::<i64>(readers.fill(statement, Box::new(Vec::<i64>::new())).await.expect("read"))
        };
        let slow = readers.fill(endless.clone(), Box::new(Vec::<i64>::new())).await;
        assert!(matches!(slow, Err(Error::Unavailable(_))));
        assert_eq!(number(7).await, [7]);
        let nobody_waits = tokio::time::timeout(Duration::from_millis(20), readers.all_at_leisure::<i64>(endless));
        assert!(nobody_waits.await.is_err());
        assert_eq!(number(8).await, [8]);
        drop(std::fs::remove_dir_all(&folder));
    }
}
