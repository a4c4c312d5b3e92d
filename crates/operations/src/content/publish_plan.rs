//! Plans the effects of a publish on files, signatures and indexes.

use std::collections::BTreeSet;

use database::{Tx, catalogue::versions};
use model::{
    file::{File, FileContent},
    file_path::FilePath,
};

use crate::{
    Result,
    catalogue::latest,
    content::{
        indexes::{IndexPlan, affected},
        package_indexes::{self, IndexChange},
        planned_rows::PlannedRows,
        publish::publish_file,
        signature_files::{Attached, StaleSignature, attach},
        signature_place::PlannedSignature,
        signed_write::Plan,
        taken_names,
        version_target::VersionTarget,
    },
    format::Facts,
    signing::signatures::{Signatures, ToSign},
};

/// The effects of a publish. A plan only reads, either from the database or from locked rows.
#[derive(Debug, Default)]
pub(crate) struct PublishPlan {
    /// Files that an upload publishes directly, as if they had been staged before.
    uploaded: Vec<File>,
    /// Files whose staged content is published.
    files: Vec<File>,
    /// Signature files to make.
    signatures: Vec<PlannedSignature>,
    /// Signatures made by this server that no longer match.
    stale: Vec<StaleSignature>,
    /// Indexes that list these files.
    indexes: IndexPlan,
}

impl PublishPlan {
    /// Publishes staged files, with their signatures.
    pub(crate) async fn of_staged(
        rows: &mut PlannedRows<'_>,
        target: &VersionTarget<'_>,
        key: Option<&str>,
        staged: Vec<File>,
    ) -> Result<Self> {
        let attached = attach(rows, target, key, &staged).await?;
        let plan = Self { files: staged, ..Self::default() };
        plan.with(rows, target, key, attached).await
    }

    /// Publishes the signatures of files that an upload publishes.
    pub(crate) async fn of_uploaded(
        rows: &mut PlannedRows<'_>,
        target: &VersionTarget<'_>,
        key: Option<&str>,
        uploaded: Vec<File>,
    ) -> Result<Self> {
        let attached = attach(rows, target, key, &uploaded).await?;
        let plan = Self { uploaded, ..Self::default() };
        plan.with(rows, target, key, attached).await
    }

    /// Makes these signatures for existing files.
    pub(crate) async fn of_signatures(
        rows: &mut PlannedRows<'_>,
        target: &VersionTarget<'_>,
        key: Option<&str>,
        signatures: Vec<PlannedSignature>,
    ) -> Result<Self> {
        Self::default().with(rows, target, key, Attached { files: Vec::new(), signatures }).await
    }

    async fn with(
        mut self,
        rows: &mut PlannedRows<'_>,
        target: &VersionTarget<'_>,
        key: Option<&str>,
        attached: Attached,
    ) -> Result<Self> {
        self.add(attached);
        for file in &self.files {
            rows.publish(&file.path, file);
        }
        for signature in self.signatures.iter().filter(|signature| signature.published.is_some()) {
            rows.publish_path(signature.before.as_ref().map_or(&signature.path, |file| &file.path), None);
        }
        self.stale = self.find_stale(rows).await?;
        let affected = self.affected(target);
        self.indexes = IndexPlan::read(rows, target.house, target.repo(), affected, key).await?;
        Ok(self)
    }

    /// Adds the signatures. If a signature is made now, its staged file is not published as well.
    fn add(&mut self, attached: Attached) {
        let known: BTreeSet<i64> = self.files.iter().map(|file| file.id).collect();
        self.files.extend(attached.files.into_iter().filter(|file| !known.contains(&file.id)));
        let made: BTreeSet<i64> =
            attached.signatures.iter().filter_map(|made| Some(made.before.as_ref()?.id)).collect();
        self.files.retain(|file| !made.contains(&file.id));
        self.signatures = attached.signatures;
    }

    /// Finds the signatures of replaced files that are not made again now.
    async fn find_stale(&self, rows: &mut PlannedRows<'_>) -> Result<Vec<StaleSignature>> {
        let made: BTreeSet<&FilePath> = self.signatures.iter().map(|signature| &signature.path).collect();
        let mut stale = Vec::new();
        for file in self.uploaded.iter().chain(&self.files).filter(|file| file.published.is_some()) {
            if file.path.signature().is_none_or(|path| !made.contains(&path)) {
                stale.extend(StaleSignature::find(rows, &file.path).await?);
            }
        }
        Ok(stale)
    }

    fn affected(&self, target: &VersionTarget<'_>) -> BTreeSet<FilePath> {
        let format = target.house.format(&target.repo().kind);
        let files = self.uploaded.iter().chain(&self.files);
        let mut paths: BTreeSet<FilePath> = files.flat_map(|file| affected(format, file)).collect();
        let Some(format) = format.folder_indexes() else { return paths };
        for made in self.signatures.iter().filter(|made| made.published.is_some()) {
            let published = made.before.as_ref().and_then(|file| file.published.as_ref());
            let facts = published.and_then(|FileContent { facts, .. }| facts.clone());
            paths.extend(format.dirty(&made.path, facts.map(Facts).as_ref()));
            paths.extend(format.dirty(&made.path, None));
        }
        paths
    }

    /// Whether the publish changes anything that readers see.
    fn is_visible(&self) -> bool {
        let is_signed = self.signatures.iter().any(|signature| signature.published.is_some());
        is_signed || !self.uploaded.is_empty() || !self.files.is_empty()
    }

    /// Publishes the files, makes the signatures, and updates the version, the package and the indexes.
    pub(crate) async fn apply(self, tx: &mut Tx, target: &VersionTarget<'_>, signatures: &Signatures) -> Result<()> {
        let (is_visible, now) = (self.is_visible(), target.now);
        let new_files = self.uploaded.iter().chain(&self.files).filter(|file| file.published.is_none()).count();
        let new_files = new_files + self.signatures.iter().filter(|signature| signature.is_new()).count();
        taken_names::take_staged(tx, target, &self.files).await?;
        for file in &self.files {
            publish_file(tx, file, now).await?;
        }
        for signature in self.signatures {
            signature.apply(tx, target, signatures).await?;
        }
        if !is_visible {
            return Ok(());
        }
        versions::publish(tx, &target.version, i64::try_from(new_files).unwrap_or(i64::MAX), now).await?;
        latest::published(tx, target.house.format(&target.repo().kind), &target.version, now).await?;
        for stale in self.stale {
            stale.apply(tx, now).await?;
        }
        self.indexes.apply(tx, target.repo().id, signatures, now).await?;
        let change = IndexChange::Version(target.version.ordinal);
        package_indexes::rebuild(tx, target.house, target.repo(), target.package.package.id, change, now).await
    }
}

impl Plan for PublishPlan {
    fn to_sign(&self) -> ToSign {
        let contents = self.signatures.iter().flat_map(|signature| [signature.published, signature.staged]);
        ToSign { contents: contents.flatten().collect(), ..self.indexes.to_sign() }
    }
}
