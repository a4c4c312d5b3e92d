//! Restores a house from a backup.

use std::{
    fs,
    path::{Path, PathBuf},
};

use blobs::{Blobs, Location};
use database::{
    Database,
    maintenance::snapshot::{self, Snapshot},
};
use futures_util::TryStreamExt;
use model::timestamp::Timestamp;

use crate::{
    Entropy, Error, Result, Secrets,
    maintenance::{
        backup::{
            Summary,
            content::BlobCopy,
            files::{problem, replace, sha256},
            manifest::Manifest,
        },
        verify::{Finding, Progress},
    },
};

/// The number of the target's blobs that are looked up at once.
const PAGE: usize = 500;

/// The stores of a new house, which are still empty.
pub struct EmptyStores<'s> {
    /// The target of the rows.
    pub db: &'s Database,
    /// The target of the content.
    pub blobs: &'s Blobs,
    /// The file of the master key. If it is missing and the backup contains the key, restore writes it.
    pub master_key: &'s Path,
    /// A folder for temporary files.
    pub data: &'s Path,
    /// Randomness for unique names.
    pub entropy: &'s Entropy,
}

/// Restores a backup to empty stores: content first, then all rows at once. An interrupted restore can be started
/// again.
pub async fn restore(
    stores: &EmptyStores<'_>,
    folder: &Path,
    now: Timestamp,
    progress: &Progress,
    mut report: impl FnMut(Finding),
) -> Result<Summary> {
    let manifest = Manifest::read(folder)?;
    let snapshot = open(folder, &manifest).await?;
    stores.check_key(folder, &manifest)?;
    let scratch = Scratch::create(stores.data, "restore.tmp")?;
    let snapshot = if snapshot::is_current(manifest.schema) {
        snapshot
    } else {
        snapshot.upgraded(&scratch.0.join("snapshot.db"), now).await?
    };
    stores.check_unused(&snapshot).await?;
    let source = Blobs::open_to_read(Location::Folder(folder.to_owned()))?;
    let copy = BlobCopy { from: &source, to: stores.blobs, rereads: true };
    let done = copy.all(&snapshot, progress, &mut report).await?;
    stores.blobs.wait_for_cleanups().await;
    if done.problems > 0 {
        return Err(Error::Internal(format!("{} blobs of the backup are damaged: no row was restored", done.problems)));
    }
    stores.db.migrate(now).await?;
    stores.db.fill(&snapshot).await?;
    let rows = stores.db.count_rows().await?;
    if rows != snapshot.count_rows().await? {
        return Err(Error::Internal("the database has other rows than the backup".into()));
    }
    stores.put_key(folder)?;
    Ok(Summary { rows, content: done.content, copied: done.copied })
}

/// Opens the rows of a backup, after checking that they are unchanged.
async fn open(folder: &Path, manifest: &Manifest) -> Result<Snapshot> {
    let path = folder.join(&manifest.database.file);
    let (hashed, expected) = (path.clone(), &manifest.database.sha256);
    let found = tokio::task::spawn_blocking(move || sha256(&hashed)).await;
    if found.map_err(|error| Error::Internal(error.to_string()))?? == *expected {
        Ok(Snapshot::at(path))
    } else {
        Err(problem(&path, &"it is damaged: its SHA-256 is not the manifest's"))
    }
}

impl EmptyStores<'_> {
    /// Rejects stores that are in use. Content of this snapshot may exist from an interrupted attempt.
    pub(super) async fn check_unused(&self, snapshot: &Snapshot) -> Result<()> {
        if !self.db.is_unused().await? {
            return Err(Error::Internal("the database is not empty; name an empty one".into()));
        }
        let mut listed = self.blobs.list().try_chunks(PAGE);
        while let Some(stored) = listed.try_next().await.map_err(|error| Error::from(error.1))? {
            let digests = stored.iter().map(|stored| stored.digest).collect();
            if let Some(digest) = snapshot.find_unused(digests).await? {
                return Err(Error::Internal(format!(
                    "the content store is not empty: it contains {digest}, which is not in the source"
                )));
            }
        }
        Ok(())
    }

    /// Rejects a master key other than the backup's, before anything is written.
    fn check_key(&self, folder: &Path, manifest: &Manifest) -> Result<()> {
        for path in [self.master_key, &folder.join("master.key")].into_iter().filter(|path| path.exists()) {
            let secrets = Secrets::from_file(path, false, self.entropy)?;
            if secrets.fingerprint() != manifest.fingerprint {
                return Err(problem(path, &"it is not the master key of this backup"));
            }
        }
        Ok(())
    }

    /// Copies the backup's master key, if the backup has one and the target has none.
    fn put_key(&self, folder: &Path) -> Result<()> {
        let key = folder.join("master.key");
        if self.master_key.exists() || !key.exists() {
            return Ok(());
        }
        let bytes = fs::read(&key).map_err(|error| problem(&key, &error))?;
        replace(self.master_key, &bytes)
    }
}

/// A folder that is deleted when the value is dropped.
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    pub(super) fn create(data: &Path, name: &str) -> Result<Self> {
        let folder = data.join(name);
        drop(fs::remove_dir_all(&folder));
        super::files::make_folder(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
