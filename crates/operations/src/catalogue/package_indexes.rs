//! Indexes of packages, built in the transaction that changes what they show.
//!
//! The transaction has locked the package, so two of them cannot build the indexes of one package at the same time. The
//! repository is not locked: packages do not wait for each other.

mod build;
mod part;
mod sections;
mod store;

pub(crate) use part::build_part;

use database::{Tx, content::package_files};
use model::{id::PackageId, repo::Repo, timestamp::Timestamp};

use crate::{
    Error, House, Result,
    catalogue::package_view,
    format::{Format, IndexText, PackageIndexes},
};

/// The published files of a package that has indexes.
const FILES: i64 = 20_000;

/// The bytes that are read from facts to build the indexes of a package.
const ABOUT_BYTES: i64 = 256 << 20;

/// The size of the indexes of a package.
const INDEX_BYTES: usize = 64 << 20;

/// What has changed in a package whose indexes are built again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexChange {
    /// The fields of the package or its tags.
    Fields,
    /// The files of the version with this ordinal, and with them maybe the fields and the latest version.
    Version(i64),
    /// Anything.
    All,
}

/// A package whose indexes are built.
#[derive(Clone, Copy)]
struct IndexedPackage<'r> {
    repo: &'r Repo,
    id: PackageId,
    format: &'static dyn Format,
    indexes: &'static dyn PackageIndexes,
    /// The format whose facts are read; none has an empty name.
    about: &'static str,
}

/// Builds the indexes of a package again, if the format of its repository has such indexes. Called in the transaction that
/// has changed the package, its versions, files, tags or marks, after the change.
pub(crate) async fn rebuild(
    tx: &mut Tx,
    house: &House,
    repo: &Repo,
    package_id: PackageId,
    change: IndexChange,
    now: Timestamp,
) -> Result<()> {
    let format = house.format(&repo.kind);
    let Some(indexes) = format.package_indexes() else { return Ok(()) };
    let package = IndexedPackage::new(repo, package_id, format, indexes);
    match indexes.in_sections() {
        Some(in_sections) => sections::update(tx, package, in_sections, change, now).await,
        None => {
            let texts = package.build(tx).await?;
            store::replace_texts(tx, package, texts, now).await
        }
    }
}

impl<'r> IndexedPackage<'r> {
    fn new(repo: &'r Repo, id: PackageId, format: &'static dyn Format, indexes: &'static dyn PackageIndexes) -> Self {
        let about = if indexes.needs_about() { format.name() } else { "" };
        Self { repo, id, format, indexes, about }
    }

    /// Builds the whole texts.
    async fn build(self, tx: &mut Tx) -> Result<Vec<IndexText>> {
        let size = package_files::measure(tx, self.id, self.about, &package_files::ALL).await?;
        self.check_files(size.files, size.about_bytes)?;
        let view = package_view::read(tx, self.repo, self.id, self.about, &package_files::ALL).await?;
        let Some(view) = view.filter(|view| !view.versions.is_empty()) else { return Ok(Vec::new()) };
        let indexes = self.indexes;
        let texts = build::of_usable(view, move |view| indexes.build(view)).await?.unwrap_or_default();
        match texts.iter().find(|text| text.content.len() > INDEX_BYTES) {
            Some(long) => Err(too_long(long.path.as_str())),
            None => Ok(texts),
        }
    }

    fn check_files(self, files: i64, about_bytes: i64) -> Result<()> {
        if files <= FILES && about_bytes <= ABOUT_BYTES {
            return Ok(());
        }
        let reason = format!("A package of type '{}' can have at most {FILES} published files", self.format.name());
        Err(Error::Conflict(reason))
    }
}

fn too_long(path: &str) -> Error {
    Error::Conflict(format!("The index '{path}' would have more than {} MiB", INDEX_BYTES >> 20))
}
