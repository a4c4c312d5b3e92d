//! Takes a backup while the house is in use.

use std::path::Path;

use blobs::{Blobs, Location};
use database::{content::blobs as blob_rows, maintenance::snapshot::Snapshot};

use crate::{
    Error, House, Result,
    maintenance::{
        backup::{
            Summary,
            content::{BlobCopy, CopySummary},
            files::{database_name, make_folder, problem, remove_other_databases, replace, sha256},
            manifest::{Content, DatabaseFile, Manifest},
        },
        garbage::Collector,
        verify::{Finding, Progress},
    },
};

/// Optional parts of a backup, besides rows and content.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'p> {
    /// The file of the master key, if it is copied as well.
    pub master_key: Option<&'p Path>,
}

/// Takes a backup in a folder, or updates the one that it contains.
pub async fn take(
    house: &House,
    folder: &Path,
    options: Options<'_>,
    progress: &Progress,
    mut report: impl FnMut(Finding),
) -> Result<Summary> {
    make_folder(folder)?;
    check_place(house, folder)?;
    let earlier = Manifest::find(folder)?;
    if earlier.as_ref().is_some_and(|earlier| earlier.fingerprint != house.secrets.fingerprint()) {
        return Err(problem(folder, &"it contains a backup of another packhouse; name another folder"));
    }
    let collector = Collector::wait(house).await?;
    remove_other_databases(folder, earlier.as_ref().map_or("", |earlier| &earlier.database.file))?;
    let taken = house.clock.now().to_string();
    let snapshot = snapshot(house, folder, &taken).await?;
    let target = Blobs::open(Location::Folder(folder.to_owned()), house.entropy.number()).await?;
    progress.expect(blob_rows::count_referenced(&house.db).await?);
    let copy = BlobCopy { from: &house.blobs, to: &target, rereads: false };
    let done = copy.all(&snapshot, progress, &mut report).await?;
    target.wait_for_cleanups().await;
    drop(collector);
    if done.problems > 0 {
        return Err(Error::Internal(format!(
            "{} blobs were not copied: no backup was made, and the previous one stays",
            done.problems
        )));
    }
    if let Some(key) = options.master_key {
        let bytes = std::fs::read(key).map_err(|error| problem(key, &error))?;
        replace(&folder.join("master.key"), &bytes)?;
    }
    let manifest = describe(house, &snapshot, taken, &done).await?;
    manifest.write(folder)?;
    remove_other_databases(folder, &manifest.database.file)?;
    Ok(Summary { rows: manifest.rows, content: done.content, copied: done.copied })
}

/// Rejects a folder within the blob store: a copy next to the original is not a backup.
fn check_place(house: &House, folder: &Path) -> Result<()> {
    let Some(own) = house.blobs.folder() else { return Ok(()) };
    let real = |path: &Path| path.canonicalize().map_err(|error| problem(path, &error));
    if real(own)? == real(folder)? {
        return Err(problem(folder, &"it is the folder of the content store; name another folder"));
    }
    Ok(())
}

/// Takes a checked snapshot of all current rows.
async fn snapshot(house: &House, folder: &Path, taken: &str) -> Result<Snapshot> {
    let path = folder.join(database_name(taken));
    let snapshot = house.db.take_snapshot(&path).await?;
    match snapshot.find_damage().await?.first() {
        None => Ok(snapshot),
        Some(damage) => Err(problem(&path, &format!("the rows are damaged: {damage}"))),
    }
}

async fn describe(house: &House, snapshot: &Snapshot, taken: String, done: &CopySummary) -> Result<Manifest> {
    let path = snapshot.path().to_owned();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let hashed = tokio::task::spawn_blocking(move || sha256(&path)).await;
    Ok(Manifest {
        format: Manifest::format(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        taken,
        schema: snapshot.schema().await?,
        fingerprint: house.secrets.fingerprint(),
        database: DatabaseFile { file: name, sha256: hashed.map_err(|error| Error::Internal(error.to_string()))?? },
        rows: snapshot.count_rows().await?,
        content: Content { blobs: done.content.blobs, bytes: done.content.bytes },
    })
}
