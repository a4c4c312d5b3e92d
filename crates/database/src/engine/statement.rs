//! A statement is SQL text that both engines accept, with its arguments.

use std::borrow::Cow;

pub(crate) use crate::engine::value::Value;

/// SQL text and the arguments of its `$1`, `$2` ...
#[derive(Clone, Debug)]
pub struct Statement {
    pub(crate) sql: Cow<'static, str>,
    pub(crate) arguments: Vec<Value>,
    /// Which of the rows it reads are held until the transaction ends.
    pub(crate) hold: RowLock,
    /// Whether connections keep it prepared for the next time.
    pub(crate) is_kept: bool,
    /// How much it may read or change.
    pub(crate) cost: Cost,
}

/// How much a statement may read or change: on SQLite this decides where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// A row or a few, found by a unique index: so little that handing it to another thread would cost more.
    Lookup,
    /// A few rows, found by an index.
    Short,
    /// Possibly very many rows: deletions cascade, and texts that callers shape may be anything.
    Long,
}

/// Which rows a statement holds until its transaction ends. On SQLite a transaction that writes is alone anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowLock {
    /// None.
    None,
    /// All that it reads, once others have let go of them.
    ForUpdate,
    /// All that it reads, against their removal only: others may keep them so, too, and change them.
    ForKeyShare,
    /// Those that nobody else holds; the others are passed over.
    SkipLocked,
    /// The same, together with others who only look.
    SkipLockedShare,
    /// Those that nobody else changes, to change them but not their keys: rows with the lock [`Self::ForKeyShare`] are
    /// among them.
    SkipLockedNoKey,
}

impl Statement {
    pub(crate) fn new(sql: impl Into<Cow<'static, str>>, arguments: Vec<Value>) -> Self {
        Self { sql: sql.into(), arguments, hold: RowLock::None, is_kept: true, cost: Cost::Short }
    }

    /// Holds the rows that the statement reads, so that nobody changes them before the transaction ends.
    pub(crate) fn holding_rows(self) -> Self {
        self.holding(RowLock::ForUpdate)
    }

    /// Holds some of the rows that the statement reads.
    pub(crate) fn holding(mut self, hold: RowLock) -> Self {
        self.hold = hold;
        self
    }

    /// Runs it in place: it is a look-up.
    pub(crate) fn looking_up(mut self) -> Self {
        self.cost = Cost::Lookup;
        self
    }

    /// Runs it on the thread of its connection: it may take long.
    pub(crate) fn long(mut self) -> Self {
        self.cost = Cost::Long;
        self
    }

    /// Prepares it for this once: a text that callers shape has no bound of forms, and would fill what is kept.
    pub(crate) fn prepared_once(mut self) -> Self {
        self.is_kept = false;
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

/// `select!(SubjectRow, "FROM subjects s WHERE s.id = $1", id)`: the columns are those of the row.
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

/// `insert!(members { org_id, user_id, role: role.as_str() }, "ON CONFLICT (org_id, user_id) DO NOTHING")`: each column
/// beside its value. `..ProfileRow::from(profile)` at the end adds the columns of a row.
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

/// `update!(members { role: role.as_str() }, "WHERE org_id = $1 AND user_id = $2", org_id, user_id)`: columns as those of
/// `insert!`.
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

/// The names and the values of what `insert!` and `update!` write.
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
