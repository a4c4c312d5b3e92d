//! Reading a row of either engine.

use crate::Result;

/// A row as its driver has it.
pub enum Row<'r> {
    /// A row of SQLite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// A row of PostgreSQL.
    Postgres(&'r tokio_postgres::Row),
}

/// A column type that both drivers can decode.
pub trait Column: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a> {}
impl<T> Column for T where T: rusqlite::types::FromSql + for<'a> tokio_postgres::types::FromSql<'a> {}

impl Row<'_> {
    /// The column at this place of the select list.
    pub fn get<T: Column>(&self, index: usize) -> Result<T> {
        match self {
            Row::Sqlite(row) => Ok(row.get(index)?),
            Row::Postgres(row) => Ok(row.try_get(index)?),
        }
    }
}

/// A value that is made of one row.
pub trait FromRow: Sized + Send + 'static {
    /// Reads the columns in the order of the select list.
    fn from_row(row: &Row<'_>) -> Result<Self>;
}

/// A select list of one column.
impl FromRow for i64 {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        row.get(0)
    }
}

/// A select list of one column.
impl FromRow for String {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        row.get(0)
    }
}

/// A key, and what belongs to it.
impl FromRow for (i64, String) {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok((row.get(0)?, row.get(1)?))
    }
}

/// A key, and a number that belongs to it.
impl FromRow for (i64, i64) {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok((row.get(0)?, row.get(1)?))
    }
}

/// Declares a row struct whose fields stand in the order of the select list.
macro_rules! row {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $visibility struct $name { $($(#[$field_meta])* pub $field: $type),* }

        impl $crate::engine::row::FromRow for $name {
            fn from_row(row: &$crate::engine::row::Row<'_>) -> $crate::Result<Self> {
                let mut columns = 0..;
                $(let $field = row.get(columns.next().unwrap_or_default())?;)*
                Ok(Self { $($field),* })
            }
        }
    };
}
pub(crate) use row;
