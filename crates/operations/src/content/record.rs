//! The transaction of an upload: from stored content to files of a version.

use std::sync::Arc;

use database::{
    ScopedFutureExt, Tx,
    catalogue::{
        packages,
        versions::{self, VersionProfile},
    },
    content::{
        blobs::{self, Blob},
        damage,
        files::{self, Content, File, NewFile},
        stored_bytes,
    },
    events::EventKind,
};
use model::{access::Right, address::VersionAddress, file_path::FilePath, timestamp::Timestamp};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    accounts::storage_quotas::{self, By},
    audit::{entry, record as write_down},
    catalogue::{
        tombstones,
        versions::{VersionDraft, insert_new},
        window,
    },
    content::{
        UploadFlags,
        locked_version::{LockedVersion, hold_package},
        publish,
        signature_files::{clear_stale, gives_way},
        signing_session::Session,
    },
    fault,
    format::Facts,
    signing::SigningOptions,
    storage::store::Stored,
};

/// Stored content that is to become files of a version, all or none.
#[derive(Debug)]
pub(super) struct NewFiles {
    pub(super) version: VersionAddress,
    /// The package, as it was looked at before.
    pub(super) package: Arc<PackageAccess>,
    pub(super) flags: UploadFlags,
    pub(super) files: Vec<ReceivedFile>,
}

/// One of the files.
#[derive(Debug)]
pub(super) struct ReceivedFile {
    /// A key for its row, when the path has none.
    pub(super) id: i64,
    pub(super) path: FilePath,
    pub(super) blob: Blob,
    /// Present when the content was stored for this upload.
    pub(super) stored: Option<Stored>,
    pub(super) facts: Option<Facts>,
}

/// Makes the files, durably; what is published is signed where the repository says so.
pub(super) async fn record(house: &House, caller: &Caller, arrival: &NewFiles, with: &SigningOptions) -> Result<()> {
    let log = &entry(house, caller, "content.publish", &arrival.version, "upload");
    let new_version_id = house.next_id();
    let session = if arrival.flags.publish {
        Session::of_repo(house, caller, &arrival.package.repo.repo, with).await?
    } else {
        Session::none(house)
    };
    let written = session
        .write(|tx, session| {
            async move {
                let holding = arrival.hold(tx, house, caller, new_version_id, log.at).await?;
                let (placed, added) = arrival.place(tx, &holding).await?;
                let by = By { caller, access: &holding.package.repo };
                storage_quotas::check_added(tx, house, by, added).await?;
                if arrival.flags.publish && !placed.is_empty() {
                    publish::publish_uploaded(tx, &holding, placed, session).await?;
                    // What readers see is audited. An entry for each staged file would make uploads wait in line.
                    write_down(tx, log).await?;
                }
                fault::point("upload: rows written");
                Ok::<_, Error>(())
            }
            .scope_boxed()
        })
        .await;
    fault::point("upload: committed");
    written
}

impl NewFiles {
    /// Holds the package, and finds or makes the version.
    async fn hold<'h>(
        &self,
        tx: &mut Tx,
        house: &'h House,
        caller: &'h Caller,
        new_version_id: i64,
        now: Timestamp,
    ) -> Result<LockedVersion<'h>> {
        let package = self.hold_package(tx, house, caller).await?;
        let name = &self.version.version;
        let version = match versions::find(tx, package.package.id, name).await? {
            Some(version) => version,
            None => {
                let new = VersionDraft { id: new_version_id, name, profile: VersionProfile::default(), now };
                insert_new(tx, &package.package, new).await?
            }
        };
        Ok(LockedVersion { house, caller, package, version, now })
    }

    /// Holds the package, for a caller who may change every one of the files.
    async fn hold_package(&self, tx: &mut Tx, house: &House, caller: &Caller) -> Result<PackageAccess> {
        let mut spots = self.files.iter().map(|file| PackageScope::file(&self.version, &file.path));
        let first = spots.next().unwrap_or_else(|| (&self.version).into());
        let package = hold_package(tx, house, caller, first).await?;
        // What a key may do depends on the path.
        for spot in spots.filter(|_| caller.key().is_some()) {
            access::package(tx, caller, spot, Right::Publish).await?;
        }
        Ok(package)
    }

    /// Stages what is new, or shows it at once; returns the files that a publish shows now, as they were staged, and the
    /// bytes that are new.
    async fn place(&self, tx: &mut Tx, holding: &LockedVersion<'_>) -> Result<(Vec<File>, i64)> {
        let (mut staged, mut is_changed, mut added) = (Vec::new(), false, 0);
        for arrived in &self.files {
            let found = files::hold(tx, holding.package.package.repo_id, &arrived.path).await?;
            let before = found.as_ref().and_then(|file| file.staged.clone());
            let file = match found {
                None => arrived.insert(tx, holding, self.flags).await?,
                Some(file) => arrived.update(tx, holding, self.flags, file).await?,
            };
            if file.staged != before {
                is_changed = true;
                added += arrived.blob.size;
            }
            staged.extend(file.staged.is_some().then_some(file));
        }
        // A publish touches both by itself.
        if is_changed && !self.flags.publish {
            versions::touch(tx, holding.version.id, holding.now).await?;
            packages::touch(tx, holding.package.package.id, holding.now).await?;
        }
        Ok((staged, added))
    }
}

impl ReceivedFile {
    /// Whether the path has these bytes already, as far as its version is concerned.
    fn is_same(&self, file: &File, holding: &LockedVersion<'_>) -> Result<bool> {
        if file.version_id != holding.version.id {
            let reason = format!("The path '{}' already exists and belongs to another version", self.path);
            return Err(Error::Conflict(reason));
        }
        let newest = file.staged.as_ref().or(file.published.as_ref());
        Ok(newest.is_some_and(|content| content.blob_id == self.blob.id))
    }

    /// Gives the path its first content.
    async fn insert(&self, tx: &mut Tx, holding: &LockedVersion<'_>, flags: UploadFlags) -> Result<File> {
        self.check_window(holding)?;
        let package = &holding.package.package;
        let new = NewFile {
            id: self.id,
            repo_id: package.repo_id,
            package_id: package.id,
            version_id: holding.version.id,
            path: self.path.clone(),
            content: self.keep(tx, holding).await?,
            is_published: flags.publish,
            created: holding.now,
        };
        match files::insert(tx, &new).await {
            // Somebody else was first with this path, and is not done yet or was a moment ago.
            Err(database::Error::Conflict) => {
                return Err(Error::Conflict(format!("The path '{}' is being uploaded by another call", self.path)));
            }
            other => other?,
        }
        // After the row is there: a deletion that was about to free the path is done now, and has bound it.
        self.check_tombstone(tx, holding).await?;
        let NewFile { id, repo_id, package_id, version_id, path, content, .. } = new;
        Ok(File { id, repo_id, package_id, version_id, path, published: None, staged: Some(content) })
    }

    /// Gives the path other content, unless it has it already.
    async fn update(&self, tx: &mut Tx, holding: &LockedVersion<'_>, flags: UploadFlags, file: File) -> Result<File> {
        let file = if self.is_same(&file, holding)? {
            if let Some(stored) = self.stored {
                damage::heal(tx, self.blob.id, stored.check).await?;
            }
            file
        } else {
            let replaced = self.replace(tx, holding, flags, file).await?;
            clear_stale(tx, replaced.repo_id, &replaced.path, holding.now).await?;
            replaced
        };
        if flags.publish && file.staged.is_some() {
            publish::publish_file(tx, &file, holding.now).await?;
        }
        Ok(file)
    }

    async fn replace(&self, tx: &mut Tx, holding: &LockedVersion<'_>, flags: UploadFlags, file: File) -> Result<File> {
        if !flags.replace && !gives_way(tx, &file).await? {
            let reason = format!("The path '{}' already exists with other content; override=1 replaces it", self.path);
            return Err(Error::Conflict(reason));
        }
        self.check_window(holding)?;
        self.check_tombstone(tx, holding).await?;
        if let Some(before) = &file.staged {
            let freed = blobs::find(tx, before.blob_id).await?.map_or(0, |blob| blob.size);
            stored_bytes::add(tx, file.repo_id, file.version_id, -freed).await?;
        }
        let content = self.keep(tx, holding).await?;
        files::stage(tx, &file, &content).await?;
        Ok(File { staged: Some(content), ..file })
    }

    fn check_window(&self, holding: &LockedVersion<'_>) -> Result<()> {
        window::check_upload(holding.house, &holding.package.repo.repo, &holding.version, holding.now)
    }

    async fn check_tombstone(&self, tx: &Tx, holding: &LockedVersion<'_>) -> Result<()> {
        tombstones::check(tx, &holding.package.repo.repo, &self.path, self.blob.sha256).await
    }

    /// Takes the content for a file of this transaction.
    async fn keep(&self, tx: &mut Tx, holding: &LockedVersion<'_>) -> Result<Content> {
        if !blobs::mark_used(tx, self.blob.id, self.stored.map(|stored| stored.check)).await? {
            return Err(Error::Unavailable(format!("the content of '{}' was removed meanwhile", self.path)));
        }
        if self.stored.is_some_and(|stored| stored.replaces) {
            damage::end_answers(tx, self.blob.id).await?;
        }
        stored_bytes::add(tx, holding.package.package.repo_id, holding.version.id, self.blob.size).await?;
        holding.tell(tx, EventKind::Upload, Some(&self.path)).await?;
        Ok(Content { blob_id: self.blob.id, facts: self.facts.as_ref().map(|facts| facts.0.clone()) })
    }
}
