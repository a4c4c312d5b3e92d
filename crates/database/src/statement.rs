//! A statement is SQL text that both engines accept, with its arguments.

use model::{names, timestamp::Timestamp};

/// One argument.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Text(String),
    Bool(bool),
}

/// SQL text and the arguments of its `$1`, `$2` ...
#[derive(Clone, Debug)]
pub struct Statement {
    pub(crate) sql: &'static str,
    pub(crate) arguments: Vec<Value>,
    /// Whether the rows it reads are held until the transaction ends.
    pub(crate) holds_rows: bool,
}

impl Statement {
    pub(crate) fn new(sql: &'static str, arguments: Vec<Value>) -> Self {
        Self { sql, arguments, holds_rows: false }
    }

    /// Holds the rows that the statement reads, so that nobody changes them before the transaction ends.
    ///
    /// On SQLite a transaction that writes is alone anyway.
    pub(crate) fn holding_rows(mut self) -> Self {
        self.holds_rows = true;
        self
    }
}

/// `sql!("SELECT name FROM subjects WHERE id = $1", id)`
macro_rules! sql {
    ($text:literal $(, $argument:expr)* $(,)?) => {
        $crate::statement::Statement::new($text, vec![$($crate::statement::Value::from($argument)),*])
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
    bool => |value| Value::Bool(value),
    &str => |value| Value::Text(value.to_owned()),
    String => |value| Value::Text(value),
    &String => |value| Value::Text(value.clone()),
    Timestamp => |value| Value::Int(value.millis()),
    &names::SubjectName => |value| Value::Text(value.as_str().to_owned()),
}

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Value::from)
    }
}
