//! Writes a snapshot while other transactions continue to write.

use std::path::Path;

use rusqlite::Connection;

use crate::{
    Database, Result,
    engine::{Engine, sqlite::Worker},
    maintenance::snapshot::{Snapshot, postgres, run},
};

impl Database {
    /// Writes all rows at one moment to a file that must not exist yet.
    pub async fn take_snapshot(&self, file: &Path) -> Result<Snapshot> {
        let target = file.to_owned();
        match self.engine() {
            Engine::Sqlite { path, .. } => {
                let vacuum = move |connection: &Connection| {
                    Ok(connection.execute("VACUUM INTO ?1", [target.to_string_lossy()]).map(drop)?)
                };
                Worker::start(path, "snapshot")?.call(vacuum).await?;
            }
            Engine::Postgres(postgres) => postgres::write(postgres, target).await?,
        }
        sync(file).await?;
        Ok(Snapshot::at(file.to_owned()))
    }
}

/// Syncs the file: SQLite leaves the last sync of such a copy to its caller.
async fn sync(file: &Path) -> Result<()> {
    let file = file.to_owned();
    run(move || {
        let synced = std::fs::File::open(&file).and_then(|file| file.sync_all());
        synced.map_err(|error| crate::Error::Broken(format!("{}: {error}", file.display())))
    })
    .await
}
