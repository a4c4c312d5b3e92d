//! The indexes that only searches and lists need, dropped while very many rows are added: PostgreSQL builds them at the end
//! in a fraction of the time that it takes to keep them up to date.

use crate::{
    Database, Result,
    engine::statement::{Statement, Value},
    testing::run_batch,
};

/// The tables with most of the rows of a bulk load.
const TABLES: &str = "packages,package_updates,versions,attributes,attribute_values";

/// The memory in which PostgreSQL sorts the entries of an index.
const SORT_IN: &str = "SET LOCAL maintenance_work_mem = '1GB'";

/// The names and definitions of the indexes of tables that do not keep rows unique.
const LIST: &str = "SELECT c.relname::text, pg_get_indexdef(i.indexrelid)
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisunique AND i.indrelid = ANY (string_to_array($1, ',')::regclass[])
    ORDER BY c.relname";

/// The statements that build the dropped indexes again.
#[derive(Debug, Default)]
#[must_use = "the indexes are missing until they are built again"]
pub struct SecondaryIndexes(Vec<String>);

impl SecondaryIndexes {
    /// Drops all that do not keep rows unique.
    pub(super) async fn drop_all(db: &Database) -> Result<Self> {
        let found = list(db).await?;
        let names = found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        if !names.is_empty() {
            run_batch(db, &format!("DROP INDEX {names}")).await?;
        }
        Ok(Self(found.into_iter().map(|(_, definition)| definition).collect()))
    }

    /// Builds them.
    pub(super) async fn build(self, db: &Database) -> Result<()> {
        for definition in self.0 {
            run_batch(db, &format!("{SORT_IN}; {definition}")).await?;
        }
        Ok(())
    }
}

/// Returns the names and definitions of those that do not keep rows unique, in order; none on SQLite.
pub(super) async fn list(db: &Database) -> Result<Vec<(String, String)>> {
    if db.per_engine(true, false) {
        return Ok(Vec::new());
    }
    db.all(Statement::new(LIST, vec![Value::from(TABLES)])).await
}
