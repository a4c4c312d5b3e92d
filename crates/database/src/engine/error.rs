//! Errors of statements and transactions.

/// The result of a statement.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why a statement or a transaction failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A row with this key exists. The caller knows which row it was inserting.
    #[error("a row with this key exists")]
    Conflict,
    /// The row that this one refers to no longer exists. The caller knows which one it was.
    #[error("a row that this one refers to does not exist")]
    Missing,
    /// The database is unreachable, frozen or overloaded; the same call may succeed later.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The commit got no answer: the changes may or may not be stored.
    #[error("the database did not answer a commit: {0}")]
    Unanswered(String),
    /// Concurrent transactions conflicted; running again may succeed.
    #[error("the transaction must run again: {0}")]
    Again(String),
    /// The database is full.
    #[error("the database is full")]
    Full,
    /// The folder is in use by another process.
    #[error("{0} is in use by another packhouse process")]
    InUse(String),
    /// A bug or a damaged database.
    #[error("{0}")]
    Broken(String),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ffi;
        match error.sqlite_error().map(|e| (e.extended_code, e.extended_code & 0xff)) {
            Some((ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY, _)) => Error::Conflict,
            Some((ffi::SQLITE_CONSTRAINT_FOREIGNKEY, _)) => Error::Missing,
            Some((_, ffi::SQLITE_FULL)) => Error::Full,
            Some((_, ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED)) => Error::Unavailable(error.to_string()),
            Some((_, ffi::SQLITE_INTERRUPT)) => Error::Unavailable("the statement took too long".into()),
            _ => Error::Broken(error.to_string()),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        use tokio_postgres::error::SqlState;
        let Some(code) = error.code() else {
            // Without an SQLSTATE, the statement never reached the server, or the connection broke.
            return Error::Unavailable(chain(&error));
        };
        match *code {
            SqlState::UNIQUE_VIOLATION => Error::Conflict,
            SqlState::FOREIGN_KEY_VIOLATION => Error::Missing,
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => Error::Again(chain(&error)),
            SqlState::DISK_FULL => Error::Full,
            SqlState::ADMIN_SHUTDOWN
            | SqlState::CRASH_SHUTDOWN
            | SqlState::CANNOT_CONNECT_NOW
            | SqlState::TOO_MANY_CONNECTIONS
            | SqlState::QUERY_CANCELED
            // The process was stopped for so long that PostgreSQL ended the session.
            | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            | SqlState::READ_ONLY_SQL_TRANSACTION
            | SqlState::LOCK_NOT_AVAILABLE => Error::Unavailable(chain(&error)),
            _ => Error::Broken(chain(&error)),
        }
    }
}

impl From<deadpool_postgres::PoolError> for Error {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            // The text names a refused login or an unknown database; to the caller, the database is unavailable all the
            // same.
            deadpool_postgres::PoolError::Backend(error) => Error::Unavailable(chain(&error)),
            other => Error::Unavailable(other.to_string()),
        }
    }
}

/// Formats an error with its causes; the outer text alone is often only "db error".
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
