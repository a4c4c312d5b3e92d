//! Decoding rows of either engine.

use model::id;

use crate::{
    Result,
    engine::{lines::Lines, statement::Value},
};

/// A row in its driver's format.
pub enum Row<'r> {
    /// An SQLite row.
    Sqlite(&'r rusqlite::Row<'r>),
    /// A PostgreSQL row.
    Postgres(&'r tokio_postgres::Row),
}

/// A column type that can be decoded from the rows of both drivers.
pub trait Column: Sized + Send + 'static {
    /// Decodes the column at this position in the select list.
    fn decode(row: &Row<'_>, index: usize) -> Result<Self>;
}

/// Columns of types that both drivers know.
macro_rules! driver_columns {
    ($($type:ty),+ $(,)?) => { $(
        impl Column for $type {
            fn decode(row: &Row<'_>, index: usize) -> Result<Self> {
                match row {
                    Row::Sqlite(row) => Ok(row.get(index)?),
                    Row::Postgres(row) => Ok(row.try_get(index)?),
                }
            }
        }
    )+ };
}
driver_columns! { i64, f64, bool, String, Vec<u8>, Lines, Option<i64>, Option<f64>, Option<bool>, Option<String>, Option<Vec<u8>> }

/// Columns of ids.
macro_rules! id_columns {
    ($($id:ty),+ $(,)?) => { $(
        impl Column for $id {
            fn decode(row: &Row<'_>, index: usize) -> Result<Self> {
                i64::decode(row, index).map(Self::new)
            }
        }

        impl Column for Option<$id> {
            fn decode(row: &Row<'_>, index: usize) -> Result<Self> {
                Ok(Option::<i64>::decode(row, index)?.map(<$id>::new))
            }
        }

        impl FromRow for $id {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                row.get(0)
            }
        }
    )+ };
}
id_columns! {
    id::RepoId, id::PackageId, id::VersionId, id::SubjectId, id::BlobId, id::KeyId, id::TokenId, id::PublisherId,
    id::InvitationId
}

impl Row<'_> {
    /// Returns the column at this position in the select list.
    pub fn get<T: Column>(&self, index: usize) -> Result<T> {
        T::decode(self, index)
    }
}

/// A value decoded from one row.
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

/// A select list of one column.
impl FromRow for Vec<u8> {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        row.get(0)
    }
}

/// A select list of two columns, such as an id and a text that belongs to it.
impl<A: Column, B: Column> FromRow for (A, B) {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok((row.get(0)?, row.get(1)?))
    }
}

/// A row that knows its select list.
pub(crate) trait Columns: Sized {
    /// The select list, in the order of the fields.
    const COLUMNS: &'static str;

    /// Reads the fields, starting at the reader's current column.
    fn read(row: &mut ColumnReader<'_>) -> Result<Self>;
}

/// A row whose fields can also be written.
pub(crate) trait WritableColumns {
    /// The columns, in the order of the fields.
    const NAMES: &'static [&'static str];

    /// The values, in that order.
    fn into_values(self) -> Vec<Value>;
}

/// Reads the columns of a row in order.
pub(crate) struct ColumnReader<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> ColumnReader<'r> {
    pub(crate) fn new(row: &'r Row<'r>) -> Self {
        Self { row, next: 0 }
    }

    pub(crate) fn next<T: Column>(&mut self) -> Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }
}

/// Declares a row struct and its select list, for `select!`.
///
/// ```text
/// row! {
///     struct DeliveryRow in "d" {     // the alias of the table in the statements that read it
///         id: i64,                    // d.id
///         lease: i64 = "d.claim",     // SQL for a field that is not named like its column
///         ..hook: HookRow,            // the columns of another row, after the others
///     }
/// }
/// ```
///
/// A row that contains no other row can also be written with `insert!` and `update!`.
///
/// `struct NodeRow in "n" => Node { .. }` names the struct of `model` that has the same fields. Statements that select
/// the row then return that struct.
///
/// `struct RepoProfileRow in "r" <=> RepoProfile { .. }` names a struct of `model` with fields of the same names. The
/// two convert into each other, field by field.
macro_rules! row {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident in $alias:literal <=> $noun:ident { $($fields:tt)* }) => {
        $crate::engine::row::row! { $(#[$meta])* $visibility struct $name in $alias { $($fields)* } }
        $crate::engine::row::row! { @convert $name $noun $($fields)* }
    };
    ($(#[$meta:meta])* $visibility:vis struct $name:ident $(in $alias:literal)? => $noun:ident { $($fields:tt)* }) => {
        $crate::engine::row::row! { $(#[$meta])* $visibility struct $name $(in $alias)? { $($fields)* } }
        $crate::engine::row::row! { @noun $name $noun $($fields)* }
    };
    ($(#[$meta:meta])* $visibility:vis struct $name:ident in $alias:literal { $($fields:tt)* }) => {
        $crate::engine::row::row! { @declare ($alias, ".") [$(#[$meta])* $visibility struct $name] $($fields)* }
    };
    ($(#[$meta:meta])* $visibility:vis struct $name:ident { $($fields:tt)* }) => {
        $crate::engine::row::row! { @declare () [$(#[$meta])* $visibility struct $name] $($fields)* }
    };
    (@declare $alias:tt [$(#[$meta:meta])* $visibility:vis struct $name:ident]
        $($(#[$field_meta:meta])* $field:ident: $type:ty $(= $column:literal)?),+ $(, ..$inner:ident: $row:ty)? $(,)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $visibility struct $name { $($(#[$field_meta])* pub $field: $type,)+ $(pub(crate) $inner: $row,)? }

        impl $crate::engine::row::Columns for $name {
            const COLUMNS: &'static str = {
                const OWN: &[&str] = &[$($crate::engine::row::row!(@column $alias $field $($column)?)),+];
                $crate::engine::text::text!(list(OWN)$(.push(", ").push(<$row as $crate::engine::row::Columns>::COLUMNS))?)
            };

            fn read(row: &mut $crate::engine::row::ColumnReader<'_>) -> $crate::Result<Self> {
                $(let $field = row.next()?;)+
                $(let $inner = <$row as $crate::engine::row::Columns>::read(row)?;)?
                Ok(Self { $($field,)+ $($inner,)? })
            }
        }

        impl $crate::engine::row::FromRow for $name {
            fn from_row(row: &$crate::engine::row::Row<'_>) -> $crate::Result<Self> {
                $crate::engine::row::Columns::read(&mut $crate::engine::row::ColumnReader::new(row))
            }
        }

        $crate::engine::row::row! { @writable $name [$($inner)?] $($field $(= $column)?),+ }
    };
    (@noun $name:ident $noun:ident $($field:ident: $type:ty $(= $column:literal)?),+ $(,)?) => {
        impl From<$name> for $noun {
            fn from(row: $name) -> Self {
                Self { $($field: row.$field),+ }
            }
        }

        impl $crate::engine::row::FromRow for $noun {
            fn from_row(row: &$crate::engine::row::Row<'_>) -> $crate::Result<Self> {
                <$name as $crate::engine::row::FromRow>::from_row(row).map(Self::from)
            }
        }
    };
    (@convert $name:ident $noun:ident $($field:ident: $type:ty),+ $(,)?) => {
        impl From<$name> for $noun {
            fn from(row: $name) -> Self {
                Self { $($field: row.$field.into()),+ }
            }
        }

        impl From<$noun> for $name {
            fn from(noun: $noun) -> Self {
                Self { $($field: noun.$field.into()),+ }
            }
        }
    };
    (@writable $name:ident [] $($field:ident $(= $column:literal)?),+) => {
        impl $crate::engine::row::WritableColumns for $name {
            const NAMES: &'static [&'static str] = &[$($crate::engine::row::row!(@column () $field $($column)?)),+];

            fn into_values(self) -> Vec<$crate::engine::statement::Value> {
                vec![$(self.$field.into()),+]
            }
        }
    };
    (@writable $($inner:tt)*) => {};
    (@column ($($alias:literal),*) $field:ident) => { concat!($($alias,)* stringify!($field)) };
    (@column $alias:tt $field:ident $column:literal) => { $column };
}
pub(crate) use row;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::statement::{insert, select, update};

    row! {
        struct Inner in "i" { first: String, second: Option<i64> }
    }

    row! {
        struct Outer in "o" { id: i64, lease: i64 = "o.claim", total: i64 = "COUNT(*)", ..inner: Inner }
    }

    row! {
        struct Plain { id: i64, kind: String = "type" }
    }

    #[test]
    fn a_row_knows_its_select_list() {
        assert_eq!(Outer::COLUMNS, "o.id, o.claim, COUNT(*), i.first, i.second");
        assert_eq!(Plain::COLUMNS, "id, type");
        let statement = select!(Plain, "FROM t WHERE id = $1", 7);
        assert_eq!(statement.sql, "SELECT id, type FROM t WHERE id = $1");
        assert!(matches!(statement.sql, std::borrow::Cow::Borrowed(_)), "its text is a constant");
    }

    #[test]
    fn a_row_within_another_is_read_behind_it() {
        let connection = rusqlite::Connection::open_in_memory().expect("opened");
        let read = connection
            .query_row("SELECT 1, 2, 3, 'four', NULL", [], |row| Ok(Outer::from_row(&Row::Sqlite(row)).expect("read")));
        let Outer { id, lease, total, inner } = read.expect("a row");
        assert_eq!((id, lease, total, inner.first.as_str(), inner.second), (1, 2, 3, "four", None));
    }

    #[test]
    fn a_row_is_written_by_the_names_of_its_columns() {
        let row = || Plain { id: 1, kind: "a".into() };
        let inserted = insert!(t { size: 2, ..Plain::from(row()) }, "ON CONFLICT (id) DO NOTHING");
        assert_eq!(inserted.sql, "INSERT INTO t (size, id, type) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING");
        assert_eq!(inserted.arguments, [2.into(), 1.into(), "a".into()]);
        let updated = update!(t { size: 2, ..Plain::from(row()) }, "WHERE id = $1", 3);
        assert_eq!(updated.sql, "UPDATE t SET size = $2, id = $3, type = $4 WHERE id = $1");
        assert_eq!(updated.arguments, [3.into(), 2.into(), 1.into(), "a".into()]);
    }
}
