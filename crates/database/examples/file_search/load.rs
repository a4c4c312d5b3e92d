//! Very many files, written past the server in the fastest way each engine has.

use std::{error::Error, time::Instant};

use bytes::Bytes;
use database::Database;
use futures_util::SinkExt;
use model::id::{RepoId, VersionId};

use crate::names::{self, Numbers};

type Attempt<T> = Result<T, Box<dyn Error>>;

/// How much is loaded.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) files: u64,
}

/// A version that has a tenth of all files.
pub(crate) struct LargeVersion {
    pub(crate) id: VersionId,
    pub(crate) repo_id: RepoId,
}

pub(crate) const LARGE_VERSION: LargeVersion = LargeVersion { id: VersionId::new(10_000), repo_id: RepoId::new(1) };

/// The start of 2024, from which keys count.
const START_MS: i64 = 1_704_067_200_000;

/// Milliseconds between two uploads.
const STEP_MS: i64 = 6_000;

impl Size {
    fn repos(self) -> i64 {
        (self.files / 10_000).max(10).cast_signed()
    }

    fn blobs(self) -> i64 {
        (self.files / 10).max(100).cast_signed()
    }

    pub(crate) fn of_large_version(self) -> i64 {
        (self.files / 10).cast_signed()
    }

    pub(crate) fn end_ms(self) -> i64 {
        START_MS + self.files.cast_signed() * STEP_MS
    }

    pub(crate) fn id_at(self, moment: i64) -> i64 {
        (moment - START_MS) << 21
    }

    /// Every table but the files, with its columns, and its rows as lines of `COPY`.
    fn tables(self) -> Vec<(&'static str, Vec<String>)> {
        let subject = |id: i64| format!("{id}\tuser\ts{id}\ts{id}\t\tfree\tf\t0");
        let repo = |id: i64| {
            let (owner, is_private) = (1 + (id - 1) / 5, if id % 10 == 0 { "t" } else { "f" });
            format!("{id}\t{owner}\tr{id}\tr{id}\tgeneric\t{is_private}\t\t\t\tf\tf\tf\t1\t0")
        };
        let package = |repo: i64| format!("{}\t{repo}\tp\tp\t\t\t\t\t\tf\t0\t0\t0\t10\t0\t0", repo * 100);
        let version = |number: i64| {
            let (package, ordinal) = (100 * (1 + number / 10), 1 + number % 10);
            let id = package * 100 + ordinal - 1;
            let files = if id == LARGE_VERSION.id.get() { self.of_large_version() } else { 1 };
            format!("{id}\t{package}\tv{ordinal}\t\t\tf\t{files}\t{ordinal}\t0\t0")
        };
        let blob = |id: i64| format!("{id}\t{id:064x}\t{id:040x}\t{}\tf", id * 10);
        vec![
            (SUBJECTS, (1..=self.repos() / 5).map(subject).collect()),
            (REPOS, (1..=self.repos()).map(repo).collect()),
            (PACKAGES, (1..=self.repos()).map(package).collect()),
            (VERSIONS, (0..self.repos() * 10).map(version).collect()),
            (BLOBS, (1..=self.blobs()).map(blob).collect()),
        ]
    }

    /// The files, as lines of `COPY`.
    fn files(self) -> impl Iterator<Item = String> {
        let (words, mut numbers) = (names::words(), Numbers::new(1));
        (0..self.files.cast_signed()).map(move |number| {
            let name = names::name(&mut numbers, &words);
            let (repo, ordinal) = match number % 10 {
                0 => (LARGE_VERSION.repo_id.get(), 0),
                _ => (1 + numbers.below(self.repos().unsigned_abs()).cast_signed(), 1 + numbers.below(9).cast_signed()),
            };
            let (package, version) = (repo * 100, repo * 10_000 + ordinal);
            let created = START_MS + number * STEP_MS;
            let id = self.id_at(created) | numbers.below(1 << 21).cast_signed();
            let blob = 1 + numbers.below(self.blobs().unsigned_abs());
            let path = format!("{}/{number}/{name}", name.split('-').next().unwrap_or_default());
            format!("{id}\t{repo}\t{package}\t{version}\t{path}\t{name}\t{blob}\t{created}\tf\t{created}")
        })
    }
}

const SUBJECTS: &str = "subjects (id, kind, name, folded_name, full_name, plan, is_site_admin, registered)";
const REPOS: &str = "repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
    gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, package_count, created)";
const PACKAGES: &str = "packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
    custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)";
const VERSIONS: &str = "versions (id, package_id, name, description, labels, github_use_tag_release_notes,
    published_files, ordinal, created, updated)";
const BLOBS: &str = "blobs (id, sha256, sha1, size, is_going)";
const FILES: &str = "files (id, repo_id, package_id, version_id, path, folded_name, published_blob_id, published,
    is_listed, created)";

/// Loads an empty database.
pub(crate) async fn load(db: &Database, url: &str, size: Size) -> Attempt<()> {
    let began = Instant::now();
    let is_loaded = match url.strip_prefix("sqlite://") {
        Some(path) => sqlite(path, size)?,
        None => postgres(url, size).await?,
    };
    db.settle().await?;
    if is_loaded {
        eprintln!("loaded {} files in {} s", size.files, began.elapsed().as_secs());
    }
    Ok(())
}

fn sqlite(path: &str, size: Size) -> Attempt<bool> {
    let db = rusqlite::Connection::open(path)?;
    if db.query_row("SELECT COUNT(*) FROM (SELECT 1 FROM files LIMIT 1)", [], |row| row.get::<_, i64>(0))? > 0 {
        return Ok(false);
    }
    db.execute_batch("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -1000000")?;
    let indexes = "SELECT name, sql FROM sqlite_master
        WHERE tbl_name = 'files' AND sql IS NOT NULL AND type = 'index' ORDER BY name";
    let indexes = db
        .prepare(indexes)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(String, String)>, _>>()?;
    for (name, _) in &indexes {
        db.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    for (table, lines) in size.tables() {
        insert(&db, table, lines.into_iter())?;
    }
    insert(&db, FILES, size.files())?;
    eprintln!("indexing");
    db.execute_batch("INSERT INTO files_search (rowid, name) SELECT id, folded_name FROM files ORDER BY id")?;
    indexes.iter().try_for_each(|(_, sql)| db.execute_batch(sql))?;
    Ok(true)
}

fn insert(db: &rusqlite::Connection, table: &str, lines: impl Iterator<Item = String>) -> Attempt<()> {
    db.execute_batch("BEGIN")?;
    let mut lines = lines.peekable();
    let columns = lines.peek().map_or(1, |line| line.split('\t').count());
    let mut statement = db.prepare(&format!("INSERT INTO {table} VALUES ({})", vec!["?"; columns].join(", ")))?;
    for line in lines {
        let values = line.split('\t').map(|value| match value {
            "t" => "1",
            "f" => "0",
            other => other,
        });
        statement.execute(rusqlite::params_from_iter(values))?;
    }
    Ok(db.execute_batch("COMMIT")?)
}

async fn postgres(url: &str, size: Size) -> Attempt<bool> {
    let (db, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    if !db.query("SELECT 1 FROM files LIMIT 1", &[]).await?.is_empty() {
        return Ok(false);
    }
    // Without the checks of foreign keys, which are triggers.
    db.batch_execute("SET maintenance_work_mem = '1GB'; SET session_replication_role = replica").await?;
    let made = "SELECT indexname, indexdef FROM pg_indexes
        WHERE tablename = 'files' AND indexname NOT LIKE '%key' ORDER BY indexname";
    let made = db.query(made, &[]).await?;
    for index in &made {
        db.batch_execute(&format!("DROP INDEX {}", index.get::<_, &str>(0))).await?;
    }
    for (table, lines) in size.tables() {
        copy(&db, table, lines.into_iter()).await?;
    }
    copy(&db, FILES, size.files()).await?;
    eprintln!("indexing");
    for index in &made {
        db.batch_execute(index.get(1)).await?;
    }
    db.batch_execute("VACUUM ANALYZE").await?;
    Ok(true)
}

async fn copy(db: &tokio_postgres::Client, table: &str, lines: impl Iterator<Item = String>) -> Attempt<()> {
    let sink = db.copy_in(&format!("COPY {table} FROM STDIN")).await?;
    let mut sink = std::pin::pin!(sink);
    let mut text = String::new();
    for line in lines {
        text += &line;
        text.push('\n');
        if text.len() > 1 << 20 {
            sink.send(Bytes::from(std::mem::take(&mut text))).await?;
        }
    }
    sink.send(Bytes::from(text)).await?;
    sink.finish().await?;
    Ok(())
}
