//! Everything that a manifest reaches.

use std::collections::BTreeMap;

use database::{
    Read, Tx,
    oci::{
        image_files::{self, ImageFile},
        uses,
    },
};
use model::id::VersionId;

use crate::{Error, Result};

/// The maximum number of files that a manifest may reach.
const FILES: usize = 10_000;

/// Returns a manifest and all files that it reaches through indexes.
pub(super) async fn list_reached(db: &dyn Read, root: &ImageFile) -> Result<Vec<ImageFile>> {
    let mut found = BTreeMap::from([(root.id, root.clone())]);
    let mut open = vec![root.id];
    while let Some(manifest_id) = open.pop() {
        for file in image_files::list_of_manifest(db, manifest_id).await? {
            if is_manifest(&file) && !found.contains_key(&file.id) {
                open.push(file.id);
            }
            found.insert(file.id, file);
        }
        if found.len() > FILES {
            return Err(Error::invalid("manifest", format!("it reaches more than {FILES} blobs and manifests")));
        }
    }
    Ok(found.into_values().collect())
}

/// Returns whether a file is a manifest.
pub(super) fn is_manifest(file: &ImageFile) -> bool {
    file.path.rsplit('/').nth(1) == Some("manifests")
}

/// Records that a version reaches a manifest with everything below it, and its tag's own file.
pub(super) async fn set_uses(tx: &mut Tx, version_id: VersionId, root: &ImageFile, tag: Option<i64>) -> Result<()> {
    let reached = list_reached(tx, root).await?;
    uses::clear(tx, version_id).await?;
    for file_id in reached.iter().map(|file| file.id).chain(tag) {
        uses::add(tx, version_id, file_id).await?;
    }
    Ok(())
}
