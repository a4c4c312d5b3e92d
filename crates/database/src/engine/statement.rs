//! A statement is SQL text that both engines accept, with its arguments.

use std::borrow::Cow;

pub(crate) use crate::engine::value::Value;

/// SQL text and the arguments of its `$1`, `$2` ...
#[derive(Clone, Debug)]
pub struct Statement {
    pub(crate) sql: Cow<'static, str>,
    pub(crate) arguments: Vec<Value>,
    /// The lock on the rows that it reads, until the transaction ends.
    pub(crate) lock: RowLock,
    /// Whether connections cache the prepared statement.
    pub(crate) is_cached: bool,
    /// The amount of rows that it may read or change.
    pub(crate) cost: Cost,
}

/// The amount of rows that a statement may read or change. On SQLite it decides on which thread the statement runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// One or a few rows, found by a unique index: so little that handing it to another thread would cost more.
    Lookup,
    /// A few rows, found by an index.
    Short,
    /// Possibly very many rows: deletions cascade, and statements built from callers' input may do anything.
    Long,
}

/// The locks that a statement takes on rows until its transaction ends. On SQLite, a writing transaction runs alone
/// anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowLock {
    /// No lock.
    None,
    /// Locks all rows that it reads, after waiting for other locks on them.
    ForUpdate,
    /// Protects all rows that it reads against deletion only: others may take the same lock, and may update the rows.
    ForKeyShare,
    /// Locks the rows that are not locked, and skips the others.
    SkipLocked,
    /// Like [`Self::SkipLocked`], but shared with other readers.
    SkipLockedShare,
    /// Locks rows for updates that leave their keys alone, and skips rows that others are changing. Rows with the lock
    /// [`Self::ForKeyShare`] are not skipped.
    SkipLockedNoKey,
}

impl Statement {
    pub(crate) fn new(sql: impl Into<Cow<'static, str>>, arguments: Vec<Value>) -> Self {
        Self { sql: sql.into(), arguments, lock: RowLock::None, is_cached: true, cost: Cost::Short }
    }

    /// Locks the rows that the statement reads against changes until the transaction ends.
    pub(crate) fn locking_rows(self) -> Self {
        self.locking(RowLock::ForUpdate)
    }

    /// Sets the lock on the rows that the statement reads.
    pub(crate) fn locking(mut self, lock: RowLock) -> Self {
        self.lock = lock;
        self
    }

    /// Marks the statement as a look-up, which runs on the calling thread.
    pub(crate) fn looking_up(mut self) -> Self {
        self.cost = Cost::Lookup;
        self
    }

    /// Marks the statement as long-running, so that it runs on the thread of its connection.
    pub(crate) fn long(mut self) -> Self {
        self.cost = Cost::Long;
        self
    }

    /// Does not cache the prepared statement: SQL built from callers' input has unlimited variants and would fill the
    /// cache.
    pub(crate) fn prepared_once(mut self) -> Self {
        self.is_cached = false;
        self.long()
    }
}

/// `sql!("SELECT name FROM subjects WHERE id = $1", id)`
macro_rules! sql {
    ($text:literal $(, $argument:expr)* $(,)?) => {
        $crate::engine::statement::Statement::new($text, vec![$($crate::engine::statement::Value::from($argument)),*])
    };
}
pub(crate) use sql;

/// `select!(SubjectRow, "FROM subjects s WHERE s.id = $1", id)`: selects the columns of the row.
macro_rules! select {
    ($row:ty, $rest:literal $(, $argument:expr)* $(,)?) => {
        $crate::engine::statement::Statement::new(
            $crate::engine::text::text!(push("SELECT ")
                .push(<$row as $crate::engine::row::Columns>::COLUMNS)
                .push(" ")
                .push($rest)),
            vec![$($crate::engine::statement::Value::from($argument)),*],
        )
    };
}
pub(crate) use select;

/// `insert!(members { org_id, user_id, role: role.as_str() }, "ON CONFLICT (org_id, user_id) DO NOTHING")`: lists each
/// column with its value. `..ProfileRow::from(profile)` at the end adds the columns of a row.
macro_rules! insert {
    ($table:ident { $($column:ident $(: $value:expr)?),+ $(, ..$row:ident::from($from:expr))? $(,)? }
        $(, $tail:literal)? $(,)?
    ) => {
        $crate::engine::statement::Statement::new(
            $crate::engine::text::text!(insert(
                stringify!($table),
                $crate::engine::statement::columns!(names $($column),+ $(; $row)?),
                concat!($($tail)?)
            )),
            $crate::engine::statement::columns!(values [] $($column $(: $value)?),+ $(; $row::from($from))?),
        )
    };
}
pub(crate) use insert;

/// `update!(members { role: role.as_str() }, "WHERE org_id = $1 AND user_id = $2", org_id, user_id)`: lists columns
/// like `insert!`.
macro_rules! update {
    ($table:ident { $($column:ident $(: $value:expr)?),+ $(, ..$row:ident::from($from:expr))? $(,)? },
        $rest:literal $(, $argument:expr)* $(,)?
    ) => {
        $crate::engine::statement::Statement::new(
            $crate::engine::text::text!(update(
                stringify!($table),
                $crate::engine::statement::columns!(names $($column),+ $(; $row)?),
                $rest,
                [$(stringify!($argument)),*].len()
            )),
            $crate::engine::statement::columns!(values [$($argument),*] $($column $(: $value)?),+ $(; $row::from($from))?),
        )
    };
}
pub(crate) use update;

/// The names and the values that `insert!` and `update!` write.
macro_rules! columns {
    (names $($column:ident),+ $(; $row:ident)?) => {
        [&[$(stringify!($column)),+], $crate::engine::statement::columns!(names_of $($row)?)]
    };
    (names_of) => { &[] };
    (names_of $row:ident) => { <$row as $crate::engine::row::WritableColumns>::NAMES };
    (values [$($first:expr),*] $($column:ident $(: $value:expr)?),+ $(; $row:ident::from($from:expr))?) => {{
        let values = vec![
            $($crate::engine::statement::Value::from($first),)*
            $($crate::engine::statement::Value::from($crate::engine::statement::columns!(value $column $(: $value)?))),+
        ];
        $(let values = [values, $crate::engine::row::WritableColumns::into_values($row::from($from))].concat();)?
        values
    }};
    (value $column:ident) => { $column };
    (value $column:ident: $value:expr) => { $value };
}
pub(crate) use columns;
