//! A statement is SQL text that both engines accept, with its arguments.

use std::borrow::Cow;

use model::{digest::Digest, file_path::FilePath, names, timestamp::Timestamp};

/// One argument.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Bool(bool),
}

/// SQL text and the arguments of its `$1`, `$2` ...
#[derive(Clone, Debug)]
pub struct Statement {
    pub(crate) sql: Cow<'static, str>,
    pub(crate) arguments: Vec<Value>,
    /// Which of the rows it reads are held until the transaction ends.
    pub(crate) hold: RowLock,
    /// Whether connections keep it prepared for the next time.
    pub(crate) is_kept: bool,
    /// Whether it finds a row or a few by a unique index.
    pub(crate) is_look_up: bool,
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
        Self { sql: sql.into(), arguments, hold: RowLock::None, is_kept: true, is_look_up: false }
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

    /// Whether it may read or change very many rows: deletions take along what hangs on them, and texts that callers shape
    /// may be anything. All others look up a few rows by an index.
    pub(crate) fn may_take_long(&self) -> bool {
        !self.is_kept || self.sql.starts_with("DELETE")
    }

    /// Runs it where it is asked for: it reads so little that telling another thread would cost more.
    pub(crate) fn looking_up(mut self) -> Self {
        self.is_look_up = true;
        self
    }

    /// Prepares it for this once: a text that callers shape has no bound of forms, and would fill what is kept.
    pub(crate) fn prepared_once(mut self) -> Self {
        self.is_kept = false;
        self
    }
}

/// `sql!("SELECT name FROM subjects WHERE id = $1", id)`
macro_rules! sql {
    ($text:literal $(, $argument:expr)* $(,)?) => {
        $crate::engine::statement::Statement::new($text, vec![$($crate::engine::statement::Value::from($argument)),*])
    };
}
pub(crate) use sql;

macro_rules! value_from {
    ($($type:ty => |$value:ident| $made:expr),* $(,)?) => { $(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $made
            }
        }
    )* };
}
value_from! {
    i64 => |value| Value::Int(value),
    f64 => |value| Value::Real(value),
    bool => |value| Value::Bool(value),
    &str => |value| Value::Text(value.to_owned()),
    String => |value| Value::Text(value),
    &String => |value| Value::Text(value.clone()),
    Timestamp => |value| Value::Int(value.millis()),
    Digest => |value| Value::Text(value.to_string()),
    &FilePath => |value| Value::Text(value.as_str().to_owned()),
    &names::SubjectName => |value| Value::Text(value.as_str().to_owned()),
    &names::RepoName => |value| Value::Text(value.as_str().to_owned()),
    &names::PackageName => |value| Value::Text(value.as_str().to_owned()),
    &names::VersionName => |value| Value::Text(value.as_str().to_owned()),
    &names::LicenseName => |value| Value::Text(value.as_str().to_owned()),
    &names::TeamName => |value| Value::Text(value.as_str().to_owned()),
    &names::AccessKeyName => |value| Value::Text(value.as_str().to_owned()),
    &names::ProductName => |value| Value::Text(value.as_str().to_owned()),
    &names::EulaName => |value| Value::Text(value.as_str().to_owned()),
}

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Value::from)
    }
}
