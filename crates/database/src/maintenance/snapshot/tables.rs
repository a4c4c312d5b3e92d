//! The tables to copy, in SQLite's terms. Search indexes and their queues are derived from other tables and are left
//! out, as are unfinished pushes of images: a backup does not have their content.

use rusqlite::Connection;

use crate::{Error, Result, engine::statement::Value, maintenance::snapshot::texts};

/// A table, with its columns in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: ColumnType,
}

/// The type of a column in both engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Int,
    Real,
    Text,
    Bool,
    Bytes,
}

impl Table {
    /// Returns the names of the columns, as in a select list.
    pub(crate) fn list(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        names.join(", ")
    }
}

impl ColumnType {
    fn declared(kind: &str) -> Option<Self> {
        match kind {
            "BIGINT" | "INTEGER" => Some(ColumnType::Int),
            "DOUBLE PRECISION" => Some(ColumnType::Real),
            "ctext" => Some(ColumnType::Text),
            "BOOLEAN" => Some(ColumnType::Bool),
            "cbytes" => Some(ColumnType::Bytes),
            _ => None,
        }
    }

    /// Reads a column of an SQLite row; SQLite has no boolean type.
    pub(crate) fn read(self, row: &rusqlite::Row<'_>, index: usize) -> Result<Value> {
        Ok(match self {
            ColumnType::Int => row.get::<_, Option<i64>>(index)?.into(),
            ColumnType::Real => row.get::<_, Option<f64>>(index)?.into(),
            ColumnType::Text => row.get::<_, Option<String>>(index)?.into(),
            ColumnType::Bool => row.get::<_, Option<bool>>(index)?.into(),
            ColumnType::Bytes => row.get::<_, Option<Vec<u8>>>(index)?.into(),
        })
    }

    /// Reads a column of a PostgreSQL row.
    pub(crate) fn read_postgres(self, row: &tokio_postgres::Row, index: usize) -> Result<Value> {
        Ok(match self {
            ColumnType::Int => row.try_get::<_, Option<i64>>(index)?.into(),
            ColumnType::Real => row.try_get::<_, Option<f64>>(index)?.into(),
            ColumnType::Text => row.try_get::<_, Option<String>>(index)?.into(),
            ColumnType::Bool => row.try_get::<_, Option<bool>>(index)?.into(),
            ColumnType::Bytes => row.try_get::<_, Option<Vec<u8>>>(index)?.into(),
        })
    }
}

/// Returns all tables; a table comes after those that it refers to.
pub(crate) fn tables(connection: &Connection) -> Result<Vec<Table>> {
    let mut names = texts(
        connection,
        "SELECT name FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
             AND name NOT IN ('unlearned_files', 'uploads', 'held_blobs', 'staged_manifests', 'staged_blobs')
         ORDER BY name",
        [],
    )?;
    let mut ordered: Vec<Table> = Vec::new();
    while !names.is_empty() {
        let (before, mut waiting) = (names.len(), Vec::new());
        for name in names {
            let needed = texts(connection, "SELECT \"table\" FROM pragma_foreign_key_list(?1)", [&name])?;
            let is_there = |needed: &String| *needed == name || ordered.iter().any(|table| table.name == *needed);
            if needed.iter().all(is_there) {
                ordered.push(Table { columns: columns(connection, &name)?, name });
            } else {
                waiting.push(name);
            }
        }
        if waiting.len() == before {
            return Err(Error::Broken(format!("the tables {} point to each other", waiting.join(", "))));
        }
        names = waiting;
    }
    // Triggers on other tables write to it while those are filled, so its own rows come last.
    let (noted, mut others): (Vec<Table>, Vec<Table>) =
        ordered.into_iter().partition(|table| table.name == "index_changes");
    others.extend(noted);
    Ok(others)
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<Column>> {
    let mut statement = connection.prepare("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid")?;
    let rows = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.map(|row| {
        let (name, kind): (String, String) = row?;
        let unknown = || Error::Broken(format!("column {table}.{name} is of type {kind}, which has no copy"));
        Ok(Column { kind: ColumnType::declared(&kind).ok_or_else(unknown)?, name })
    })
    .collect()
}
