//! Fills an empty database from a snapshot.

use std::{collections::BTreeMap, path::Path};

use rusqlite::Connection;

use crate::{
    Database, Error, Result,
    content::file_names,
    engine::{Engine, meta, migrations, sqlite::Worker, statement::Statement},
    maintenance::snapshot::{
        self, Snapshot, postgres, run,
        tables::{Table, tables},
        texts,
    },
};

/// Tables that have rows in every database with a schema.
const NEVER_EMPTY: [&str; 2] = ["migrations", "audit_head"];

impl Database {
    /// Returns whether the database is unused: it has no schema, or this program's schema without any rows of its own.
    pub async fn is_unused(&self) -> Result<bool> {
        let exists = self.per_engine(
            "SELECT name FROM sqlite_schema WHERE name = 'migrations'",
            "SELECT table_name::text FROM information_schema.tables
             WHERE table_schema = current_schema() AND table_name = 'migrations'",
        );
        if self.one::<String>(Statement::new(exists, Vec::new())).await?.is_none() {
            return Ok(true);
        }
        if self.check_schema().await.is_err() {
            return Ok(false);
        }
        let mut counts = self.count_rows().await?;
        // The row that the schema itself writes does not count.
        let of_schema = i64::from(meta::find(self, migrations::NEEDED_STEP).await?.is_some());
        if let Some(count) = counts.get_mut("meta") {
            *count -= of_schema;
        }
        Ok(counts.iter().all(|(table, count)| *count == 0 || NEVER_EMPTY.contains(&table.as_str())))
    }

    /// Counts the rows of each table.
    pub async fn count_rows(&self) -> Result<BTreeMap<String, i64>> {
        let mut counts = BTreeMap::new();
        for name in table_names().await? {
            let count = Statement::new(format!("SELECT CAST(COUNT(*) AS BIGINT) FROM \"{name}\""), Vec::new());
            let count: Option<i64> = self.one(count.prepared_once()).await?;
            counts.insert(name, count.unwrap_or_default());
        }
        Ok(counts)
    }

    /// Imports all rows of a snapshot with this program's schema, or none. The database must have that schema and be
    /// unused.
    pub async fn fill(&self, snapshot: &Snapshot) -> Result<()> {
        if !snapshot::is_current(snapshot.schema().await?) {
            return Err(Error::Broken("the snapshot has another schema than this packhouse".into()));
        }
        match self.engine() {
            Engine::Sqlite { path, .. } => {
                let from = snapshot.path().to_owned();
                Worker::start(path, "fill")?.call(move |connection| fill_attached(connection, &from)).await
            }
            Engine::Postgres(postgres) => postgres::fill(postgres, snapshot).await,
        }
    }
}

async fn table_names() -> Result<Vec<String>> {
    run(|| {
        let connection = Connection::open_in_memory()?;
        migrations::create(&connection, migrations::latest())?;
        Ok(tables(&connection)?.into_iter().map(|table| table.name).collect())
    })
    .await
}

fn fill_attached(connection: &Connection, snapshot: &Path) -> Result<()> {
    connection.execute("ATTACH ?1 AS snapshot", [snapshot.to_string_lossy()])?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let filled = tables(connection)?.iter().filter(|table| table.name != "migrations").try_for_each(|table| {
        let Table { name, .. } = table;
        connection.execute_batch(&format!(
            "DELETE FROM main.\"{name}\";
             INSERT INTO main.\"{name}\" ({columns}) SELECT {columns} FROM snapshot.\"{name}\"",
            columns = table.list(),
        ))
    });
    filled?;
    connection.execute_batch(file_names::LEARN_ALL)?;
    let broken = texts(connection, "SELECT \"table\" FROM pragma_foreign_key_check", [])?;
    if let Some(table) = broken.first() {
        return Err(Error::Broken(format!("rows of {table} in the snapshot point to nothing")));
    }
    Ok(connection.execute_batch("COMMIT")?)
}
