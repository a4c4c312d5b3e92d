//! Changes of marks and tags. They are not uploads, so no window applies to them.

use std::collections::{BTreeMap, HashMap};

use database::{
    ScopedFutureExt, Tx,
    catalogue::{packages, versions},
    content::{marks, package_files, tags},
};
use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    audit::NewAuditRecord,
    id::VersionId,
    names::VersionName,
    text,
    timestamp::Timestamp,
    version::VersionListItem,
};

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    audit::{entry, record_edits},
    change::Edits,
    content::{
        PACKAGE_TAGS,
        package_indexes::{self, IndexChange},
        too_many_tags,
    },
    format::NativeChange,
    indexes,
    native::tag_names::check_tag,
    signing::SigningOptions,
};

/// Sets a mark on a version with a text, or takes it away.
#[boxed::future]
pub async fn set_mark(
    house: &House,
    caller: &Caller,
    at: &VersionAddress,
    mark: &'static str,
    text: Option<String>,
) -> Result<()> {
    let versions = BTreeMap::from([(at.version.to_string(), text)]);
    let change = NativeChange::Mark { package: at.package.package.clone(), mark, versions };
    match apply(house, caller, &at.package, &[change]).await {
        Err(Error::NotFound { what: "Version", .. }) => Err(Error::no_version(at)),
        other => other,
    }
}

/// Points a tag of a package to a version.
#[boxed::future]
pub async fn set_tag(house: &House, caller: &Caller, at: &VersionAddress, tag: &str) -> Result<()> {
    let (package, version) = (at.package.package.clone(), at.version.clone());
    apply(house, caller, &at.package, &[NativeChange::SetTag { package, tag: tag.to_owned(), version }]).await
}

/// Deletes a tag of a package.
#[boxed::future]
pub async fn delete_tag(house: &House, caller: &Caller, at: &PackageAddress, tag: &str) -> Result<()> {
    let change = NativeChange::DeleteTag { package: at.package.clone(), tag: tag.to_owned() };
    apply(house, caller, at, &[change]).await
}

/// Applies changes of the marks and tags of one package, all or none.
pub(super) async fn apply(house: &House, caller: &Caller, at: &PackageAddress, changes: &[NativeChange]) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    changes.iter().try_for_each(check)?;
    let log = &entry(house, caller, "package.mark", at, "");
    let written: Result<()> = house
        .db
        .write(|tx| {
            async move {
                let PackageAccess { repo, package } = access::lock_package(tx, caller, at, Right::Publish).await?;
                let found = versions::list_of_packages(tx, &[package.id]).await?.into_values().flatten();
                let versions = found.map(|version| (version.name.clone(), version)).collect();
                let tags = tags::list(tx, package.id).await?.into_iter();
                let tags = tags.map(|tag| (tag.name, tag.version.to_string())).collect();
                let access = PackageAccess { repo, package };
                let mut rows = PackageRows { access, versions, tags, now: log.at, is_seen: false };
                let (mut marked, mut tagged) = (Edits::default(), Edits::default());
                for change in changes {
                    rows.apply(tx, change, &mut marked, &mut tagged).await?;
                }
                if marked.is_empty() && tagged.is_empty() {
                    return Ok(());
                }
                let PackageAccess { repo, package } = &rows.access;
                if rows.is_seen {
                    packages::touch(tx, package.id, log.at).await?;
                }
                let change = if marked.is_empty() { IndexChange::Fields } else { IndexChange::All };
                package_indexes::rebuild(tx, house, &repo.repo, package.id, change, log.at).await?;
                if !marked.is_empty() {
                    record_edits(tx, log, &marked).await?;
                }
                if !tagged.is_empty() {
                    record_edits(tx, &NewAuditRecord { action: "package.tag", ..log.clone() }, &tagged).await?;
                }
                Ok(())
            }
            .scope_boxed()
        })
        .await;
    written?;
    indexes::settle(house, caller, &repo, &SigningOptions::default()).await;
    Ok(())
}

fn check(change: &NativeChange) -> Result<()> {
    match change {
        NativeChange::Mark { mark, versions, .. } => versions
            .values()
            .flatten()
            .try_for_each(|text| text::check_text(text).map_err(|reason| Error::invalid(mark, reason))),
        NativeChange::SetTag { tag, .. } => check_tag(tag),
        _ => Ok(()),
    }
}

/// A locked package with its versions.
struct PackageRows {
    access: PackageAccess,
    versions: HashMap<String, VersionListItem>,
    tags: BTreeMap<String, String>,
    now: Timestamp,
    /// Whether readers see one of the changes: they see no marks of drafts, and no tags of what is not published.
    is_seen: bool,
}

impl PackageRows {
    async fn apply(
        &mut self,
        tx: &mut Tx,
        change: &NativeChange,
        marked: &mut Edits,
        tagged: &mut Edits,
    ) -> Result<()> {
        match change {
            NativeChange::Mark { mark, versions, .. } => self.mark(tx, mark, versions, marked).await,
            NativeChange::SetTag { tag, version, .. } => self.set_tag(tx, tag, version, tagged).await,
            NativeChange::DeleteTag { tag, .. } => self.delete_tag(tx, tag, tagged).await,
            NativeChange::Describe { .. }
            | NativeChange::PublishStaged { .. }
            | NativeChange::KeepVersions { .. }
            | NativeChange::DeleteVersion { .. }
            | NativeChange::DeleteFolder { .. }
            | NativeChange::DeletePackage { .. } => Ok(()),
        }
    }

    /// The version with this name, in any Unicode form.
    fn version(&self, name: &str) -> Option<&VersionListItem> {
        let other = || VersionName::parse(name).ok()?.other_form().and_then(|name| self.versions.get(name.as_str()));
        self.versions.get(name).or_else(other)
    }

    fn is_published(&self, name: &str) -> bool {
        self.version(name).is_some_and(|version| version.is_published)
    }

    async fn mark(
        &mut self,
        tx: &mut Tx,
        mark: &'static str,
        versions: &BTreeMap<String, Option<String>>,
        edits: &mut Edits,
    ) -> Result<()> {
        let mut before: HashMap<VersionId, String> = HashMap::new();
        for found in marks::of_package(tx, self.access.package.id, &package_files::ALL).await? {
            if found.name == mark {
                before.insert(found.version_id, found.text);
            }
        }
        let mut has_any = versions.is_empty();
        for (name, text) in versions {
            let Some(VersionListItem { id, is_draft, .. }) = self.version(name) else { continue };
            let (id, is_draft) = (*id, *is_draft);
            has_any = true;
            if before.get(&id) == text.as_ref() {
                continue;
            }
            match text {
                Some(text) => marks::set(tx, id, mark, text, self.now).await?,
                None => drop(marks::delete(tx, id, mark).await?),
            }
            versions::touch(tx, id, self.now).await?;
            self.is_seen |= !is_draft;
            edits.record(&format!("{mark} of {name}"), &before.get(&id).cloned(), text);
        }
        match versions.keys().next() {
            Some(name) if !has_any => Err(Error::NotFound { what: "Version", name: name.clone() }),
            _ => Ok(()),
        }
    }

    async fn set_tag(&mut self, tx: &mut Tx, tag: &str, version: &VersionName, edits: &mut Edits) -> Result<()> {
        let missing = || Error::NotFound { what: "Version", name: version.to_string() };
        let VersionListItem { id, is_published, .. } = self.version(version.as_str()).ok_or_else(missing)?;
        let (version_id, is_published) = (*id, *is_published);
        if self.tags.get(tag).map(String::as_str) == Some(version.as_str()) {
            return Ok(());
        }
        if self.tags.len() >= PACKAGE_TAGS && !self.tags.contains_key(tag) {
            return Err(too_many_tags());
        }
        tags::set(tx, self.access.package.id, tag, version_id, self.now).await?;
        let before = self.tags.insert(tag.to_owned(), version.to_string());
        self.is_seen |= is_published || before.as_ref().is_some_and(|before| self.is_published(before));
        edits.record(&format!("tag {tag}"), &before, &Some(version.to_string()));
        Ok(())
    }

    async fn delete_tag(&mut self, tx: &mut Tx, tag: &str, edits: &mut Edits) -> Result<()> {
        let before = self.tags.remove(tag).ok_or_else(|| Error::NotFound { what: "Tag", name: tag.to_owned() })?;
        tags::delete(tx, self.access.package.id, tag).await?;
        self.is_seen |= self.is_published(&before);
        edits.record(&format!("tag {tag}"), &Some(before), &None);
        Ok(())
    }
}
