//! Plans the effects of an upload on the files of a version.

use database::Read;
use model::{file::File, file_path::FilePath};

use crate::{
    Error, Result,
    catalogue::{tombstones, window},
    content::{
        UploadFlags,
        planned_rows::PlannedRows,
        publish_plan::PublishPlan,
        received_file::ReceivedFile,
        record::NewFiles,
        same_package,
        signature_files::{StaleSignature, gives_way},
        signature_place::newest,
        signed_write::Plan,
        version_target::VersionTarget,
    },
    signing::signatures::ToSign,
};

/// The effects of an upload.
pub(super) struct UploadPlan<'r> {
    pub(super) files: Vec<PlannedUpload<'r>>,
    /// Whether the content of any path changes.
    pub(super) is_changed: bool,
    /// The number of new bytes.
    pub(super) added: i64,
    /// The effects of the publish, if the upload publishes.
    pub(super) publish: Option<PublishPlan>,
}

/// One file of the upload.
pub(super) struct PlannedUpload<'r> {
    pub(super) received: &'r ReceivedFile,
    pub(super) change: FileChange,
}

impl<'r> PlannedUpload<'r> {
    /// Returns the path if its content changes.
    pub(super) fn uploaded_path(&self) -> Option<&'r FilePath> {
        (!matches!(self.change, FileChange::Keep(_))).then_some(&self.received.path)
    }
}

/// The effect on the path.
pub(super) enum FileChange {
    /// The path gets its first content.
    Insert,
    /// The path already has this content.
    Keep(File),
    /// The path gets different content, and loses a signature made by this server that no longer matches.
    Replace { before: File, stale: Option<StaleSignature> },
}

impl Plan for UploadPlan<'_> {
    fn to_sign(&self) -> ToSign {
        self.publish.as_ref().map(Plan::to_sign).unwrap_or_default()
    }
}

impl<'r> UploadPlan<'r> {
    /// Plans an upload to a version, which may not exist yet, or rejects it.
    pub(super) async fn read(
        db: &dyn Read,
        arrival: &'r NewFiles,
        target: &VersionTarget<'_>,
        key: Option<&str>,
    ) -> Result<Self> {
        same_package::check(db, target, &arrival.files).await?;
        let rows = &mut PlannedRows::new(db, target.repo().id, target.now);
        let (mut files, mut uploaded, mut is_changed, mut added) = (Vec::new(), Vec::new(), false, 0);
        for received in &arrival.files {
            let (change, file) = received.plan(rows, target, arrival.flags).await?;
            if !matches!(change, FileChange::Keep(_)) {
                is_changed = true;
                added += received.blob.size;
            }
            files.push(PlannedUpload { received, change });
            uploaded.extend(file.staged.is_some().then_some(file));
        }
        let publish = if arrival.flags.publish && !uploaded.is_empty() {
            Some(PublishPlan::of_uploaded(rows, target, key, uploaded).await?)
        } else {
            None
        };
        Ok(Self { files, is_changed, added, publish })
    }
}

impl ReceivedFile {
    /// Plans the effect on the path; also returns the file with the content staged.
    async fn plan(
        &self,
        rows: &mut PlannedRows<'_>,
        target: &VersionTarget<'_>,
        flags: UploadFlags,
    ) -> Result<(FileChange, File)> {
        let (change, file) = match rows.find(&self.path).await? {
            None => {
                check_window(target)?;
                (FileChange::Insert, self.new_file(target))
            }
            Some(file) if self.is_same(&file, target)? => (FileChange::Keep(file.clone()), file),
            Some(before) => {
                self.check_replace(rows, target, flags, &before).await?;
                let file = File { staged: Some(self.content()), ..before.clone() };
                rows.set(&self.path, Some(file.clone()));
                let stale = StaleSignature::find(rows, &file.path).await?;
                (FileChange::Replace { before, stale }, file)
            }
        };
        if flags.publish && file.staged.is_some() {
            rows.publish(&self.path, &file);
        } else {
            rows.set(&self.path, Some(file.clone()));
        }
        Ok((change, file))
    }

    /// Whether the path already has these bytes in this version. Fails if the path belongs to another version.
    fn is_same(&self, file: &File, target: &VersionTarget<'_>) -> Result<bool> {
        if file.version_id != target.version.id {
            let reason = format!("The path '{}' already exists and belongs to another version", self.path);
            return Err(Error::Conflict(reason));
        }
        Ok(newest(file).is_some_and(|content| content.blob_id == self.blob.id))
    }

    /// Rejects content that may not replace the existing content.
    async fn check_replace(
        &self,
        rows: &mut PlannedRows<'_>,
        target: &VersionTarget<'_>,
        flags: UploadFlags,
        file: &File,
    ) -> Result<()> {
        if !flags.replace && !gives_way(rows, file).await? {
            let reason = format!("The path '{}' already exists with other content; override=1 replaces it", self.path);
            return Err(Error::Conflict(reason));
        }
        check_window(target)?;
        tombstones::check(rows.db, target.house, target.repo(), &self.path, self.blob.sha256).await
    }
}

fn check_window(target: &VersionTarget<'_>) -> Result<()> {
    window::check_upload(target.house, target.repo(), &target.version, target.now)
}
