//! Stores the indexes of a package.

use std::collections::BTreeMap;

use database::{
    Tx,
    content::{
        derived_files::{self, Framed, NewIndex},
        index_sections::IndexSize,
    },
};
use model::{file_path::FilePath, index_frame, timestamp::Timestamp};

use crate::{
    Error, Result,
    catalogue::package_indexes::IndexedPackage,
    format::{IndexFrame, IndexText},
};

/// Stores the whole texts that have changed, and deletes the indexes that no longer exist.
pub(super) async fn replace_texts(
    tx: &mut Tx,
    package: IndexedPackage<'_>,
    texts: Vec<IndexText>,
    now: Timestamp,
) -> Result<()> {
    let mut stored = stored(tx, package).await?;
    for IndexText { path, content } in texts {
        let before = stored.remove(path.as_str());
        if before.as_deref() != Some(content.as_str()) {
            let index = NewIndex { path: &path, content: &content, framed: None };
            insert(tx, package, before.is_none(), index, now).await?;
        }
    }
    delete(tx, package, stored).await
}

/// Stores frames, and deletes the indexes that no longer exist. A frame that stays as it is is stored again if the
/// sections that go to it have changed, because the time of the text is that of its frame.
pub(super) async fn replace_frames(
    tx: &mut Tx,
    package: IndexedPackage<'_>,
    frames: Vec<IndexFrame>,
    size: &IndexSize,
    has_new_sections: bool,
    now: Timestamp,
) -> Result<()> {
    let mut stored = stored(tx, package).await?;
    for IndexFrame { path, frame, sections } in frames {
        let before = stored.remove(path.as_str());
        if !has_new_sections && before.as_deref() == Some(frame.as_str()) {
            continue;
        }
        let joined_size = index_frame::joined_size(&frame, &size.sections);
        let framed = Some(Framed { first: *sections.start(), last: *sections.end(), joined_size });
        insert(tx, package, before.is_none(), NewIndex { path: &path, content: &frame, framed }, now).await?;
    }
    delete(tx, package, stored).await
}

/// The texts that are stored, by path.
async fn stored(tx: &mut Tx, package: IndexedPackage<'_>) -> Result<BTreeMap<String, String>> {
    Ok(derived_files::list_of_package(tx, package.id).await?.into_iter().collect())
}

/// Stores an index. A new one must not be where another package has one.
async fn insert(
    tx: &mut Tx,
    package: IndexedPackage<'_>,
    is_new: bool,
    index: NewIndex<'_>,
    now: Timestamp,
) -> Result<()> {
    let taken =
        || Error::Conflict(format!("The index '{}' belongs to another package with a similar name", index.path));
    if is_new && derived_files::exists(tx, package.repo.id, index.path).await? {
        return Err(taken());
    }
    match derived_files::insert(tx, package.repo.id, Some(package.id), index, now).await {
        Err(database::Error::Conflict) => Err(taken()),
        other => Ok(other?),
    }
}

async fn delete(tx: &mut Tx, package: IndexedPackage<'_>, stored: BTreeMap<String, String>) -> Result<()> {
    for path in stored.into_keys() {
        let damaged = |_| Error::Internal(format!("the index '{path}' has a damaged row"));
        derived_files::delete(tx, package.repo.id, &FilePath::stored(&path).map_err(damaged)?).await?;
    }
    Ok(())
}
