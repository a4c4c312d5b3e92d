//! Indexes of packages, built in the transaction that changes what they show.
//!
//! The transaction has locked the package, so two of them cannot build the indexes of one package at the same time. The
//! repository is not locked: packages do not wait for each other.

use std::collections::BTreeMap;

use database::{
    Tx,
    content::{derived_files, package_files},
};
use model::{file_path::FilePath, id::PackageId, repo::Repo, timestamp::Timestamp};

use crate::{
    Error, House, Result, blocking,
    catalogue::package_view,
    format::{IndexText, PackageIndexes, PackageView, VersionView},
};

/// The published files of a package that has indexes.
const FILES: i64 = 20_000;

/// The bytes that are read from facts to build the indexes of a package.
const ABOUT_BYTES: i64 = 256 << 20;

/// The size of an index of a package.
const INDEX_BYTES: usize = 64 << 20;

/// Indexes of more files than these are built outside the threads that serve requests.
const FEW_FILES: usize = 50;

/// Builds the indexes of a package again, if the format of its repository has such indexes. Called in the transaction that
/// has changed the package, its versions, files, tags or marks, after the change.
pub(crate) async fn rebuild(
    tx: &mut Tx,
    house: &House,
    repo: &Repo,
    package_id: PackageId,
    now: Timestamp,
) -> Result<()> {
    let format = house.format(&repo.kind);
    let Some(indexes) = format.package_indexes() else { return Ok(()) };
    // No format has this name, so nothing is read.
    let about = if indexes.needs_about() { format.name() } else { "" };
    let size = package_files::measure(tx, package_id, about).await?;
    if size.files > FILES || size.about_bytes > ABOUT_BYTES {
        let reason = format!("A package of type '{}' can have at most {FILES} published files", format.name());
        return Err(Error::Conflict(reason));
    }
    let Some(view) = package_view::read(tx, repo, package_id, about).await? else { return Ok(()) };
    let texts = if view.versions.is_empty() { Vec::new() } else { build(indexes, view).await? };
    if let Some(long) = texts.iter().find(|text| text.content.len() > INDEX_BYTES) {
        let reason = format!("The index '{}' would have more than {} MiB", long.path, INDEX_BYTES >> 20);
        return Err(Error::Conflict(reason));
    }
    store(tx, repo, package_id, texts, now).await
}

async fn build(indexes: &'static dyn PackageIndexes, view: PackageView) -> Result<Vec<IndexText>> {
    let files: usize = view.versions.iter().map(|version| version.files.len()).sum();
    if files > FEW_FILES {
        blocking::run(move || build_whole(indexes, view)).await?
    } else {
        build_whole(indexes, view)
    }
}

/// Builds the indexes. Files that no index can be built of are left out, so that one damaged row does not prevent all
/// changes of the package.
fn build_whole(indexes: &dyn PackageIndexes, view: PackageView) -> Result<Vec<IndexText>> {
    let reason = match indexes.build(&view) {
        Ok(texts) => return Ok(texts),
        Err(reason) => reason,
    };
    tracing::error!("the indexes of package '{}' cannot be built: {reason}", view.name);
    let usable = without_damaged(indexes, view);
    let failed =
        |reason| Error::Internal(format!("the indexes of package '{}' cannot be built: {reason}", usable.name));
    if usable.versions.is_empty() { Ok(Vec::new()) } else { indexes.build(&usable).map_err(failed) }
}

/// Returns the package with only those files of which an index can be built.
fn without_damaged(indexes: &dyn PackageIndexes, mut view: PackageView) -> PackageView {
    let (versions, tags) = (std::mem::take(&mut view.versions), std::mem::take(&mut view.tags));
    let mut usable = Vec::new();
    for mut version in versions {
        let files = std::mem::take(&mut version.files);
        let mut kept = Vec::new();
        for file in files {
            view.versions = vec![VersionView { files: vec![file.clone()], ..version.clone() }];
            match indexes.build(&view) {
                Ok(_) => kept.push(file),
                Err(reason) => {
                    tracing::error!("'{}' is missing in the indexes of package '{}': {reason}", file.path, view.name);
                }
            }
        }
        if !kept.is_empty() {
            usable.push(VersionView { files: kept, ..version });
        }
    }
    PackageView { versions: usable, tags, ..view }
}

/// Stores the texts that have changed, and deletes the indexes that no longer exist.
async fn store(tx: &mut Tx, repo: &Repo, package_id: PackageId, texts: Vec<IndexText>, now: Timestamp) -> Result<()> {
    let mut before: BTreeMap<String, String> =
        derived_files::list_of_package(tx, package_id).await?.into_iter().collect();
    for IndexText { path, content } in texts {
        match before.remove(path.as_str()) {
            Some(stored) if stored == content => continue,
            Some(_) => {}
            None => check_free(tx, repo, &path).await?,
        }
        match derived_files::insert(tx, repo.id, Some(package_id), &path, &content, now).await {
            Err(database::Error::Conflict) => return Err(taken(&path)),
            other => other?,
        }
    }
    for path in before.into_keys() {
        let damaged = |_| Error::Internal(format!("the index '{path}' has a damaged row"));
        derived_files::delete(tx, repo.id, &FilePath::stored(&path).map_err(damaged)?).await?;
    }
    Ok(())
}

/// Rejects an index at a path where another package has one.
async fn check_free(tx: &mut Tx, repo: &Repo, path: &FilePath) -> Result<()> {
    match derived_files::find(tx, repo.id, path).await? {
        Some(_) => Err(taken(path)),
        None => Ok(()),
    }
}

fn taken(path: &FilePath) -> Error {
    Error::Conflict(format!("The index '{path}' belongs to another package with a similar name"))
}

#[cfg(test)]
mod tests {
    use model::{
        digest::Digest,
        names::{PackageName, VersionName},
        package::PackageProfile,
    };

    use super::*;
    use crate::format::FileView;

    /// Lists all paths; fails at facts that are not text.
    struct Paths;

    impl PackageIndexes for Paths {
        fn build(&self, package: &PackageView) -> std::result::Result<Vec<IndexText>, String> {
            let files = package.versions.iter().flat_map(|version| &version.files);
            let mut content = String::new();
            for file in files {
                let about = file.about.clone().unwrap_or_default();
                content += &String::from_utf8(about).map_err(|_| "not text".to_owned())?;
            }
            Ok(vec![IndexText { path: path("index"), content }])
        }
    }

    fn path(text: &str) -> FilePath {
        FilePath::parse(text).expect("a path")
    }

    fn file(name: &str, about: &[u8]) -> FileView {
        FileView {
            path: path(name),
            size_bytes: 1,
            sha256: Digest::from_bytes([1; 32]),
            sha1: String::new(),
            md5: None,
            sha512: None,
            published: Timestamp::EPOCH,
            facts: None,
            about: Some(about.to_vec()),
        }
    }

    fn package(versions: Vec<Vec<FileView>>) -> PackageView {
        let version = |files| VersionView {
            name: VersionName::parse("1").expect("a name"),
            published: Timestamp::EPOCH,
            marks: Vec::new(),
            files,
        };
        PackageView {
            name: PackageName::parse("cat").expect("a name"),
            owner: "ada".into(),
            created: Timestamp::EPOCH,
            updated: Timestamp::EPOCH,
            profile: PackageProfile::default(),
            tags: Vec::new(),
            versions: versions.into_iter().map(version).collect(),
        }
    }

    #[test]
    fn a_damaged_file_is_left_out_of_the_index() {
        let damaged = || file("damaged", b"\xff");
        let built = |versions| build_whole(&Paths, package(versions)).expect("built");
        let text = |content: &str| vec![IndexText { path: path("index"), content: content.into() }];
        assert_eq!(built(vec![vec![file("a", b"a"), damaged()], vec![file("b", b"b")]]), text("ab"));
        assert_eq!(built(vec![vec![damaged()], vec![file("b", b"b")]]), text("b"));
        assert_eq!(built(vec![vec![damaged()]]), []);
    }
}
