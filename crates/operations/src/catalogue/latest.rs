//! The latest version of a package, by the order of its repository's format.
//!
//! It is the greatest release with a published file. Pre-releases count only if there is no release, and versions without
//! published files only if there are no others. A column has the latest published version; it is compared when a version
//! is published, and determined again from all names when that version goes away.

use std::{cmp::Ordering, collections::HashMap};

use database::{
    Read, Tx,
    catalogue::{latest_versions, packages, versions},
};
use model::{
    id::PackageId,
    timestamp::Timestamp,
    version::{Version, VersionListItem},
};

use crate::{Result, format::Format};

/// Returns the latest version for callers who may see drafts, or may not.
pub(crate) async fn find(
    db: &dyn Read,
    format: &dyn Format,
    package_id: PackageId,
    with_drafts: bool,
) -> Result<Option<Version>> {
    if let Some(version) = latest_versions::find(db, package_id).await? {
        return Ok(Some(version));
    }
    let mut all = list(db, package_id).await?;
    all.retain(|version| with_drafts || !version.is_draft);
    match pick(format, &all) {
        Some(latest) => Ok(versions::find_by_id(db, latest.id).await?),
        None => Ok(None),
    }
}

/// Returns the names of the latest versions of packages, for callers who may see drafts, or may not.
pub(crate) async fn find_names(
    db: &dyn Read,
    format: &dyn Format,
    package_ids: &[PackageId],
    with_drafts: bool,
) -> Result<HashMap<PackageId, String>> {
    let mut names = latest_versions::list_names(db, package_ids).await?;
    let others: Vec<PackageId> = package_ids.iter().copied().filter(|id| !names.contains_key(id)).collect();
    for (id, mut all) in versions::list_of_packages(db, &others).await? {
        all.retain(|version| with_drafts || !version.is_draft);
        names.extend(pick(format, &all).map(|latest| (id, latest.name.clone())));
    }
    Ok(names)
}

/// Returns the latest of these versions, which are listed newest first.
pub(crate) fn pick<'v>(format: &dyn Format, versions: &'v [VersionListItem]) -> Option<&'v VersionListItem> {
    let published = greatest(format, versions.iter().filter(|version| version.is_published));
    published.or_else(|| greatest(format, versions.iter()))
}

fn greatest<'v>(
    format: &dyn Format,
    newest_first: impl DoubleEndedIterator<Item = &'v VersionListItem>,
) -> Option<&'v VersionListItem> {
    // Of equal versions, the last one counts, which is the newest.
    newest_first.rev().max_by(|left, right| order(format, &left.name, &right.name))
}

fn order(format: &dyn Format, left: &str, right: &str) -> Ordering {
    let is_release = |version| !format.is_prerelease(version);
    is_release(left).cmp(&is_release(right)).then_with(|| format.compare(left, right))
}

/// Records that files of a version were published, which may make it the latest one. The transaction has locked the
/// package, and `version` is as it was before.
pub(crate) async fn published(tx: &mut Tx, format: &dyn Format, version: &Version, now: Timestamp) -> Result<()> {
    let package_id = version.package_id;
    if version.published_files > 0 {
        return Ok(packages::touch(tx, package_id, now).await?);
    }
    let Some(current) = latest_versions::find(tx, package_id).await? else {
        packages::touch(tx, package_id, now).await?;
        return determine(tx, format, package_id).await;
    };
    let order = order(format, version.name.as_str(), current.name.as_str());
    if order.then(version.ordinal.cmp(&current.ordinal)).is_gt() {
        return Ok(latest_versions::replace(tx, package_id, version.id, now).await?);
    }
    Ok(packages::touch(tx, package_id, now).await?)
}

/// Updates the column after published files or versions were deleted. The transaction has locked the package.
pub(crate) async fn deleted(tx: &mut Tx, format: &dyn Format, package_id: PackageId) -> Result<()> {
    match latest_versions::find(tx, package_id).await? {
        Some(_) => Ok(()),
        None => determine(tx, format, package_id).await,
    }
}

/// Determines the latest version with a published file from all names.
pub(crate) async fn determine(tx: &mut Tx, format: &dyn Format, package_id: PackageId) -> Result<()> {
    let all = list(tx, package_id).await?;
    let latest = greatest(format, all.iter().filter(|version| version.is_published));
    Ok(latest_versions::set(tx, package_id, latest.map(|version| version.id)).await?)
}

async fn list(db: &dyn Read, package_id: PackageId) -> Result<Vec<VersionListItem>> {
    Ok(versions::list_of_packages(db, &[package_id]).await?.remove(&package_id).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use model::{file_path::FilePath, id::VersionId};

    use super::*;
    use crate::format::{PathKind, PathOwner, ReleaseFile};

    /// Compares the lengths of versions; those with a dash are pre-releases.
    #[derive(Debug)]
    struct ByLength;

    impl Format for ByLength {
        fn name(&self) -> &'static str {
            "by-length"
        }

        fn title(&self) -> &'static str {
            "By length"
        }

        fn classify(&self, _path: &FilePath) -> std::result::Result<PathKind, String> {
            Ok(PathKind::Payload(PathOwner::default()))
        }

        fn compare(&self, left: &str, right: &str) -> Ordering {
            left.len().cmp(&right.len())
        }

        fn is_prerelease(&self, version: &str) -> bool {
            version.contains('-')
        }

        fn release_gaps(&self, _files: &[ReleaseFile]) -> Vec<String> {
            Vec::new()
        }
    }

    /// Returns the latest of versions in the order of their creation; those with a star have published files.
    fn latest(names: &[&str]) -> Option<String> {
        let item = |(id, name): (usize, &&str)| VersionListItem {
            id: VersionId::new(i64::try_from(id).expect("small")),
            package_id: PackageId::new(1),
            name: name.trim_end_matches('*').to_owned(),
            is_published: name.ends_with('*'),
            is_draft: false,
        };
        let mut versions: Vec<VersionListItem> = names.iter().enumerate().map(item).collect();
        versions.reverse();
        pick(&ByLength, &versions).map(|version| version.name.clone())
    }

    #[test]
    fn published_releases_come_first_then_the_order_then_creation() {
        assert_eq!(latest(&[]), None);
        assert_eq!(latest(&["aaa", "a", "bbb", "b"]).as_deref(), Some("bbb"), "equal ones by creation");
        assert_eq!(latest(&["aaa", "a*", "bb"]).as_deref(), Some("a"), "published ones");
        assert_eq!(latest(&["a-rc1*", "a*", "a-rc22*"]).as_deref(), Some("a"), "releases");
        assert_eq!(latest(&["a-rc1*", "a-rc22*", "aaaaaaaa"]).as_deref(), Some("a-rc22"));
        assert_eq!(latest(&["a-rc1", "a-1"]).as_deref(), Some("a-rc1"));
    }
}
