//! Lists of words, stored as the lines of one text. Words contain no line breaks; their types guarantee that.

use std::error::Error;

use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use tokio_postgres::types::{FromSql as FromPostgres, Type};

use crate::engine::statement::Value;

/// A column that contains a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines(String);

impl From<Vec<String>> for Lines {
    fn from(words: Vec<String>) -> Self {
        Self(join(&words))
    }
}

impl From<Lines> for Vec<String> {
    fn from(lines: Lines) -> Self {
        split(&lines.0)
    }
}

impl From<Lines> for Value {
    fn from(lines: Lines) -> Self {
        Value::Text(lines.0)
    }
}

impl FromSql for Lines {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        String::column_result(value).map(Self)
    }
}

impl<'a> FromPostgres<'a> for Lines {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        <String as FromPostgres>::from_sql(kind, raw).map(Self)
    }

    fn accepts(kind: &Type) -> bool {
        <String as FromPostgres>::accepts(kind)
    }
}

/// Joins a list into lines.
pub(crate) fn join(words: &[String]) -> String {
    words.join("\n")
}

/// Splits lines into a list.
pub(crate) fn split(lines: &str) -> Vec<String> {
    lines.lines().map(str::to_owned).collect()
}
