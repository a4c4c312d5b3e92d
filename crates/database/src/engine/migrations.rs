//! The schema, one migration step per file. A step that has run is never edited: its checksum is stored and compared.

use model::{digest::hex, timestamp::Timestamp};
use scoped_futures::ScopedFutureExt;
use sha2::{Digest, Sha256};

use crate::{
    Database, Error, Read, Result, Tx,
    engine::{
        meta,
        row::row,
        statement::{Statement, sql},
    },
};

/// A step of the schema: first the part for both engines, then the part for one of them.
struct Migration {
    version: i64,
    name: &'static str,
    /// Whether older programs need not know the step: those continue to work next to it. All other steps require this
    /// program, or a newer one, on every node.
    is_expanding: bool,
    sql: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

// `MIGRATIONS`, which the build script makes of the files in `migrations`.
include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The key in `meta` of the step that a program must know at least.
pub(crate) const NEEDED_STEP: &str = "needed_step";

row! {
    struct AppliedRow { version: i64, checksum: String }
}

/// A step that has not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingStep {
    /// Its number.
    pub version: i64,
    /// Its name.
    pub name: &'static str,
    /// Whether servers of the previous release keep working after it.
    pub is_expanding: bool,
}

impl Database {
    /// Lists the steps that `migrate` would run. Fails if the schema is newer or edited.
    pub async fn pending_steps(&self) -> Result<Vec<PendingStep>> {
        let pending = |step: &'static Migration| PendingStep {
            version: step.version,
            name: step.name,
            is_expanding: step.is_expanding,
        };
        Ok(missing(self).await?.into_iter().map(pending).collect())
    }

    /// Migrates the schema to this program's version in one transaction: either all missing steps run, or none.
    pub async fn migrate(&self, now: Timestamp) -> Result<()> {
        self.write(|tx| migrate(self, tx, now, latest()).scope_boxed()).await
    }

    /// Migrates an empty or older database up to an earlier step.
    #[cfg(test)]
    pub(crate) async fn migrate_up_to(&self, step: i64) -> Result<()> {
        self.write(|tx| migrate(self, tx, Timestamp::EPOCH, step).scope_boxed()).await
    }

    /// Checks that the schema is exactly this program's. Fails if it is older, newer or edited.
    pub async fn check_schema(&self) -> Result<()> {
        match missing(self).await?.first() {
            None => Ok(()),
            Some(step) => Err(Error::Broken(format!("the database lacks step {} (`{}`)", step.version, step.name))),
        }
    }

    /// Returns whether any step has run: without one, the database is empty or belongs to another program.
    pub async fn has_schema(&self) -> Result<bool> {
        let found = self.per_engine(
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'migrations'",
            "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'",
        );
        let tables: Option<i64> = self.one(Statement::new(found, Vec::new())).await?;
        Ok(tables.is_some_and(|tables| tables > 0))
    }

    /// Returns whether a newer program has run steps that this one does not know and does not need for serving.
    pub async fn serves_this_program(&self) -> Result<bool> {
        let applied = applied(self).await?;
        let is_newer = applied.iter().any(|row| row.version > latest());
        let is_known = MIGRATIONS.iter().all(|step| applied.iter().any(|row| step.is(row)));
        let needed = meta::find(self, NEEDED_STEP).await?.and_then(|step| step.parse::<i64>().ok());
        Ok(is_newer && is_known && needed.is_some_and(|step| step <= latest()))
    }
}

const SQLITE_PRELUDE: &str = "CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name ctext NOT NULL, checksum ctext NOT NULL, applied BIGINT NOT NULL)";

/// The lock serialises nodes that start at the same time; it is released with the transaction.
const POSTGRES_PRELUDE: &str = "SELECT pg_advisory_xact_lock(7226417);
    DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_type WHERE typname = 'ctext' AND typnamespace = current_schema()::regnamespace) THEN
            CREATE DOMAIN ctext AS text COLLATE \"C\";
        END IF;
        IF NOT EXISTS (SELECT 1 FROM pg_type WHERE typname = 'cbytes' AND typnamespace = current_schema()::regnamespace) THEN
            CREATE DOMAIN cbytes AS bytea;
        END IF;
    END $$;
    CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name ctext NOT NULL, checksum ctext NOT NULL, applied BIGINT NOT NULL)";

async fn migrate(db: &Database, tx: &mut Tx, now: Timestamp, up_to: i64) -> Result<()> {
    tx.batch(db.per_engine(SQLITE_PRELUDE, POSTGRES_PRELUDE)).await?;
    let mut missing = missing(tx).await?;
    // The steps of a new database are no news to anybody.
    let is_new = missing.len() == MIGRATIONS.len();
    missing.retain(|step| step.version <= up_to);
    for step in &missing {
        for text in db.per_engine(step.on_sqlite(), [step.sql.to_owned(), step.postgres.to_owned()]) {
            tx.batch(&text).await?;
        }
        tx.run(sql!(
            "INSERT INTO migrations (version, name, checksum, applied)
             VALUES ($1, $2, $3, $4)",
            step.version,
            step.name,
            step.checksum(),
            now,
        ))
        .await?;
        if !is_new {
            tracing::info!("migrated the database to step {} (`{}`)", step.version, step.name);
        }
    }
    if is_new {
        tracing::info!("created the tables of a new database");
    }
    if !missing.is_empty() {
        meta::set(tx, NEEDED_STEP, &needed_step().to_string()).await?;
    }
    Ok(())
}

/// Returns the newest step that a program must know.
fn needed_step() -> i64 {
    let needed = MIGRATIONS.iter().filter(|step| !step.is_expanding);
    needed.map(|step| step.version).max().unwrap_or_default()
}

/// Returns the number of the newest step.
pub(crate) fn latest() -> i64 {
    MIGRATIONS.last().map_or(0, |step| step.version)
}

/// Returns a digest of all steps: databases with the same digest have the same schema.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn fingerprint() -> String {
    hex(&Sha256::digest(MIGRATIONS.iter().map(Migration::checksum).collect::<String>()))
}

/// Creates the tables of the schema up to a step in a new SQLite database.
pub(crate) fn create(connection: &rusqlite::Connection, up_to: i64) -> Result<()> {
    connection.execute_batch(SQLITE_PRELUDE)?;
    for step in MIGRATIONS.iter().filter(|step| step.version <= up_to) {
        step.on_sqlite().iter().try_for_each(|text| connection.execute_batch(text))?;
    }
    Ok(())
}

/// Returns the steps that have not run, after checking those that have.
async fn missing(db: &dyn Read) -> Result<Vec<&'static Migration>> {
    let applied = applied(db).await?;
    for row in &applied {
        let step = MIGRATIONS.iter().find(|step| step.version == row.version);
        let step = step.ok_or_else(|| {
            Error::Broken(format!("the database has step {}, which a newer packhouse made; run that one", row.version))
        })?;
        if step.checksum() != row.checksum {
            return Err(Error::Broken(format!(
                "step {} of the database is not the one this packhouse has",
                row.version
            )));
        }
    }
    Ok(MIGRATIONS.iter().skip(applied.len()).collect())
}

async fn applied(db: &dyn Read) -> Result<Vec<AppliedRow>> {
    db.all(sql!("SELECT version, checksum FROM migrations ORDER BY version")).await
}

impl Migration {
    /// Returns whether this is the step of the row.
    fn is(&self, row: &AppliedRow) -> bool {
        self.version == row.version && self.checksum() == row.checksum
    }

    /// Returns the statements for SQLite. A primary key must have exactly the type `INTEGER` there. Otherwise it is not
    /// the row id itself but a separate index, which has to be written and read as well.
    fn on_sqlite(&self) -> [String; 2] {
        [self.sql.replace("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY"), self.sqlite.to_owned()]
    }

    /// Returns the checksum over all parts, regardless of the engine that runs them.
    fn checksum(&self) -> String {
        hex(&Sha256::digest([self.sql, self.sqlite, self.postgres].concat()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_say_what_the_steps_are() {
        let step = |version| {
            let step = MIGRATIONS.iter().find(|step| step.version == version).expect("a step");
            (step.name, step.is_expanding, [step.sql, step.sqlite, step.postgres].map(|text| !text.is_empty()))
        };
        assert_eq!(step(2), ("catalogue", false, [true, true, true]));
        assert_eq!(step(11), ("file_names", false, [false, true, false]));
        assert_eq!(step(13), ("cheaper_uploads", true, [true, true, false]));
        let expanding = MIGRATIONS.iter().filter(|step| step.version <= 20 && step.is_expanding);
        assert_eq!(expanding.map(|step| step.version).collect::<Vec<_>>(), (12..=19).collect::<Vec<_>>());
    }

    #[test]
    fn a_key_of_sqlite_is_the_place_of_its_row() {
        let connection = rusqlite::Connection::open_in_memory().expect("memory");
        create(&connection, latest()).expect("created");
        let beside = "SELECT DISTINCT t.name
             FROM pragma_table_list t
             JOIN pragma_index_list(t.name) i ON i.origin = 'pk'
             JOIN pragma_table_info(t.name) c ON c.pk > 0
             WHERE t.schema = 'main' AND NOT t.wr AND t.name <> 'migrations'
             GROUP BY t.name
             HAVING COUNT(*) = 1 AND MAX(c.type) IN ('BIGINT', 'INTEGER')
             ORDER BY t.name";
        let mut statement = connection.prepare(beside).expect("prepared");
        let tables =
            statement.query_map([], |row| row.get(0)).expect("asked").collect::<rusqlite::Result<Vec<String>>>();
        assert_eq!(tables.expect("read"), Vec::<String>::new(), "the keys of these are in an index beside them");
    }
}
