//! What a native publish does beyond an upload: it makes the package, fills its profile and sets tags.

use std::sync::atomic::{AtomicBool, Ordering};

use database::{
    Read, Tx,
    catalogue::{packages, repos},
    content::{files, tags},
};
use model::{
    access::Right,
    address::VersionAddress,
    audit::NewAuditRecord,
    id::{PackageId, RepoId},
    package::{Package, PackageChange, PackageProfile},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    audit::{entry, record, record_edits},
    catalogue::packages::{PackageDraft, insert_new},
    change::Edits,
    content::{
        received_file::ReceivedFile,
        signature_place::newest,
        version_target::{VersionTarget, lock_package},
    },
    format::{Native, NativePublish},
};

/// The maximum number of tags of a package.
pub(crate) const PACKAGE_TAGS: usize = 1_000;

/// A native publish: what its body asks for, and the format that has interpreted it.
pub(crate) struct NativeTerms {
    pub(crate) native: &'static dyn Native,
    pub(crate) publish: NativePublish,
    /// Fills empty fields of the package.
    pub(crate) profile: PackageProfile,
    /// The id of the package if it is new.
    pub(crate) package_id: PackageId,
    /// When the publish began.
    pub(crate) now: Timestamp,
    /// Whether the transaction has found the version's files.
    pub(crate) is_repeated: AtomicBool,
}

impl NativeTerms {
    /// Returns the package for a caller who may publish in it, or a draft of it for one who may create it.
    pub(crate) async fn find(&self, db: &impl Read, caller: &Caller, scope: PackageScope<'_>) -> Result<PackageAccess> {
        match access::package(db, caller, scope, Right::Publish).await {
            Err(Error::NotFound { what: "Package", .. }) => {
                let repo = access::repo(db, caller, &scope.package().repo, Right::Publish).await?;
                Ok(PackageAccess { package: self.draft(repo.repo.id), repo })
            }
            other => other,
        }
    }

    /// Does the same, with the package locked until the transaction ends, or the repository if the package is new.
    pub(super) async fn lock(
        &self,
        tx: &mut Tx,
        house: &House,
        caller: &Caller,
        scope: PackageScope<'_>,
    ) -> Result<PackageAccess> {
        let found = self.find(tx, caller, scope).await?;
        if self.is_new(&found.package) {
            repos::lock(tx, found.repo.repo.id).await?;
            let found = self.find(tx, caller, scope).await?;
            if self.is_new(&found.package) {
                return Ok(found);
            }
        }
        lock_package(tx, house, caller, scope).await
    }

    fn is_new(&self, package: &Package) -> bool {
        package.id == self.package_id
    }

    fn draft(&self, repo_id: RepoId) -> Package {
        let (id, name, now) = (self.package_id, &self.publish.package, self.now);
        PackageDraft { id, name, profile: self.profile.clone(), now }.package(repo_id)
    }

    /// Rejects files that exist with other content, and also those with the same if the format does.
    pub(super) async fn check(&self, db: &impl Read, target: &VersionTarget<'_>, sent: &[ReceivedFile]) -> Result<()> {
        self.is_repeated.store(false, Ordering::Relaxed);
        for received in sent {
            let Some(file) = files::find(db, target.repo().id, &received.path).await? else { continue };
            if file.version_id != target.version.id {
                continue;
            }
            if let Some(refusal) = self.native.repeated(&self.publish) {
                self.is_repeated.store(true, Ordering::Relaxed);
                return Err(refusal.into());
            }
            if newest(&file).is_some_and(|content| content.blob_id != received.blob.id) {
                let name = received.path.file_name();
                return Err(Error::Conflict(format!("The file '{name}' already exists with other content")));
            }
        }
        Ok(())
    }

    /// Creates the package if it is new, or fills its empty fields.
    pub(super) async fn make_package(&self, tx: &mut Tx, access: &mut PackageAccess) -> Result<Option<Edits>> {
        if self.is_new(&access.package) {
            insert_new(tx, &access.package).await?;
            return Ok(None);
        }
        let change = missing(&access.package.profile, &self.profile);
        let mut edits = Edits::default();
        for edit in change.apply(&mut access.package.profile) {
            edits.record(edit.name, &edit.before, &edit.after);
        }
        if edits.is_empty() {
            return Ok(None);
        }
        packages::update(tx, access.package.id, &access.package.profile, self.now).await?;
        Ok(Some(edits))
    }

    /// Points the tags of the publish to its version.
    pub(super) async fn set_tags(&self, tx: &mut Tx, target: &VersionTarget<'_>) -> Result<()> {
        let package_id = target.package.package.id;
        for tag in &self.publish.tags {
            check_room(tx, package_id, tag).await?;
            tags::set(tx, package_id, tag, target.version.id, self.now).await?;
        }
        Ok(())
    }

    /// Records the creation or the change of the package. This must be the last step of the transaction.
    pub(super) async fn write_down(
        &self,
        tx: &mut Tx,
        target: &VersionTarget<'_>,
        at: &VersionAddress,
        filled: Option<&Edits>,
    ) -> Result<()> {
        let log = |action| -> NewAuditRecord {
            NewAuditRecord { at: self.now, ..entry(target.house, target.caller, action, &at.package, "native") }
        };
        match filled {
            None if self.is_new(&target.package.package) => record(tx, &log("package.create")).await,
            Some(edits) => record_edits(tx, &log("package.edit"), edits).await,
            None => Ok(()),
        }
    }
}

/// Rejects a new tag of a package that has too many.
pub(crate) async fn check_room(db: &impl Read, package_id: PackageId, tag: &str) -> Result<()> {
    let found = tags::list(db, package_id).await?;
    if found.len() >= PACKAGE_TAGS && !found.iter().any(|known| known.name == tag) {
        return Err(Error::Refused(format!("The package has {PACKAGE_TAGS} tags, which is the limit")));
    }
    Ok(())
}

/// The fields of a profile that are empty and that the other one has.
fn missing(held: &PackageProfile, sent: &PackageProfile) -> PackageChange {
    let line = |held: &Option<String>, sent: &Option<String>| match held {
        None => sent.clone().map(Some),
        Some(_) => None,
    };
    let list = |held: &[String], sent: &[String]| (held.is_empty() && !sent.is_empty()).then(|| sent.to_vec());
    let is_described = !held.description.is_empty() || sent.description.is_empty();
    let is_licensed = !held.custom_licenses.is_empty();
    PackageChange {
        description: (!is_described).then(|| sent.description.clone()),
        labels: list(&held.labels, &sent.labels),
        licenses: list(&held.licenses, &sent.licenses).filter(|_| !is_licensed),
        website_url: line(&held.website_url, &sent.website_url),
        issue_tracker_url: line(&held.issue_tracker_url, &sent.issue_tracker_url),
        vcs_url: line(&held.vcs_url, &sent.vcs_url),
        ..PackageChange::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_fields_are_filled() {
        let held = PackageProfile {
            description: "ours".into(),
            custom_licenses: vec!["house".into()],
            website_url: Some("https://a.example".into()),
            ..PackageProfile::default()
        };
        let sent = PackageProfile {
            description: "theirs".into(),
            labels: vec!["b".into()],
            licenses: vec!["MIT".into()],
            website_url: Some("https://b.example".into()),
            vcs_url: Some("https://c.example".into()),
            ..PackageProfile::default()
        };
        let mut filled = held.clone();
        missing(&held, &sent).apply(&mut filled);
        let expected = PackageProfile { labels: sent.labels.clone(), vcs_url: sent.vcs_url.clone(), ..held };
        assert_eq!(filled, expected);
        assert!(missing(&filled, &PackageProfile::default()).apply(&mut filled).is_empty());
    }
}
