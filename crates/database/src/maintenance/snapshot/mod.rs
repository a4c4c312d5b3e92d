//! Snapshots: all rows at one moment in a separate file, from which an empty database of either engine can be filled.
//!
//! The file is an SQLite database, regardless of the engine that the rows come from, so that an installation can move
//! from one engine to the other, and anyone can look into a backup with a common tool.

pub(crate) mod fill;
pub(crate) mod postgres;
pub(crate) mod tables;
pub(crate) mod take;

#[cfg(test)]
pub(crate) mod tests;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use model::{digest::Digest, id::BlobId, timestamp::Timestamp};
use rusqlite::{Connection, OpenFlags};

use crate::{Database, Error, Options, Result, engine::migrations, maintenance::snapshot::tables::tables};

/// A snapshot in a file.
#[derive(Debug, Clone)]
pub struct Snapshot {
    path: PathBuf,
}

/// Content that files and logs of a snapshot refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotContent {
    /// Its database id.
    pub id: BlobId,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its size in bytes.
    pub size: i64,
}

impl Snapshot {
    /// Returns the snapshot in this file.
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Returns the path of its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the newest migration step that it has.
    pub async fn schema(&self) -> Result<i64> {
        self.read(|connection| {
            Ok(connection.query_row("SELECT COALESCE(MAX(version), 0) FROM migrations", [], |row| row.get(0))?)
        })
        .await
    }

    /// Returns the problems that SQLite's own checks find.
    pub async fn find_damage(&self) -> Result<Vec<String>> {
        self.read(|connection| {
            let mut damage = texts(connection, "PRAGMA integrity_check", [])?;
            damage.retain(|line| line != "ok");
            damage.extend(texts(connection, "SELECT \"table\" FROM pragma_foreign_key_check", [])?);
            Ok(damage)
        })
        .await
    }

    /// Counts the rows of each table.
    pub async fn count_rows(&self) -> Result<BTreeMap<String, i64>> {
        self.read(|connection| {
            let count = |table: String| {
                let sql = format!("SELECT COUNT(*) FROM \"{table}\"");
                Ok((table, connection.query_row(&sql, [], |row| row.get(0))?))
            };
            tables(connection)?.into_iter().map(|table| count(table.name)).collect()
        })
        .await
    }

    /// Returns some of the content that its files and logs refer to, by id.
    pub async fn list_used(&self, after_id: BlobId, limit: i64) -> Result<Vec<SnapshotContent>> {
        self.read(move |connection| {
            let mut statement = connection.prepare(
                "SELECT b.id, b.sha256, b.size
                 FROM blobs b
                 WHERE b.id > ?1
                     AND (EXISTS (SELECT 1 FROM files f WHERE f.published_blob_id = b.id)
                         OR EXISTS (SELECT 1 FROM files f WHERE f.staged_blob_id = b.id)
                         OR EXISTS (SELECT 1 FROM download_log_parts l WHERE l.blob_id = b.id))
                 ORDER BY b.id
                 LIMIT ?2",
            )?;
            let rows =
                statement.query_map([after_id.get(), limit], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.map(|row| {
                let (id, sha256, size): (i64, String, i64) = row?;
                let damaged = |_| Error::Broken(format!("blob {id} has a damaged row"));
                Ok(SnapshotContent { id: BlobId::new(id), sha256: sha256.parse().map_err(damaged)?, size })
            })
            .collect()
        })
        .await
    }

    /// Returns the first of these digests that no file and no log refers to, if any.
    pub async fn find_unused(&self, digests: Vec<Digest>) -> Result<Option<Digest>> {
        self.read(move |connection| {
            let mut statement = connection.prepare(
                "SELECT 1
                 FROM blobs b
                 WHERE b.sha256 = ?1
                     AND (EXISTS (SELECT 1 FROM files f WHERE f.published_blob_id = b.id)
                         OR EXISTS (SELECT 1 FROM files f WHERE f.staged_blob_id = b.id)
                         OR EXISTS (SELECT 1 FROM download_log_parts l WHERE l.blob_id = b.id))",
            )?;
            for digest in digests {
                if !statement.exists([digest.to_string()])? {
                    return Ok(Some(digest));
                }
            }
            Ok(None)
        })
        .await
    }

    /// Returns the files that refer to some content, as `subject/repository/path`, and the packages whose logs refer to
    /// it.
    pub async fn list_users(&self, blob_id: BlobId) -> Result<Vec<String>> {
        self.read(move |connection| {
            let sql = "SELECT s.name || '/' || r.name || '/' || f.path
                FROM files f JOIN repos r ON r.id = f.repo_id JOIN subjects s ON s.id = r.owner_id
                WHERE f.published_blob_id = ?1 OR f.staged_blob_id = ?1
                UNION
                SELECT 'log of ' || s.name || '/' || r.name || '/' || p.name
                FROM download_log_parts l JOIN packages p ON p.id = l.package_id
                JOIN repos r ON r.id = p.repo_id JOIN subjects s ON s.id = r.owner_id
                WHERE l.blob_id = ?1
                ORDER BY 1";
            texts(connection, sql, [blob_id.get()])
        })
        .await
    }

    /// Returns the first table in which two snapshots with the same schema differ. The times of the migrations are not
    /// compared.
    pub async fn find_difference(&self, other: &Snapshot) -> Result<Option<String>> {
        let other = other.path.clone();
        self.read(move |connection| {
            connection.execute("ATTACH ?1 AS other", [other.to_string_lossy()])?;
            for table in tables(connection)?.into_iter().filter(|table| table.name != "migrations") {
                let (name, columns) = (&table.name, table.list());
                let rows = |place: &str| format!("SELECT {columns} FROM {place}.\"{name}\"");
                let (here, there) = (rows("main"), rows("other"));
                let sql =
                    format!("SELECT 1 FROM ({here} EXCEPT {there}) UNION ALL SELECT 1 FROM ({there} EXCEPT {here})");
                if connection.prepare(&sql)?.exists([])? {
                    return Ok(Some(table.name));
                }
            }
            Ok(None)
        })
        .await
    }

    /// Copies it to another file and migrates the copy to this program's schema.
    pub async fn upgraded(&self, copy: &Path, now: Timestamp) -> Result<Snapshot> {
        let (from, to) = (self.path.clone(), copy.to_owned());
        run(move || {
            std::fs::copy(&from, &to).map_err(|error| Error::Broken(format!("{}: {error}", to.display())))?;
            Ok(())
        })
        .await?;
        let options = Options { connections: 1, ..Options::default() };
        let db = Database::open(&format!("sqlite://{}", copy.display()), &options).await?;
        db.migrate(now).await?;
        db.settle().await?;
        Ok(Snapshot::at(copy.to_owned()))
    }

    /// Runs a read on a thread for blocking work.
    async fn read<R: Send + 'static>(&self, work: impl FnOnce(&Connection) -> Result<R> + Send + 'static) -> Result<R> {
        let path = self.path.clone();
        run(move || work(&open(&path)?)).await
    }
}

/// Returns whether a snapshot has the complete schema of this program.
pub fn is_current(schema: i64) -> bool {
    schema == migrations::latest()
}

/// Opens a snapshot for reading.
pub(crate) fn open(path: &Path) -> Result<Connection> {
    Ok(Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?)
}

/// Runs work on a thread for blocking work.
pub(crate) async fn run<R: Send + 'static>(work: impl FnOnce() -> Result<R> + Send + 'static) -> Result<R> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Error::Broken(error.to_string())))
}

pub(crate) fn texts(connection: &Connection, sql: &str, arguments: impl rusqlite::Params) -> Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map(arguments, |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
