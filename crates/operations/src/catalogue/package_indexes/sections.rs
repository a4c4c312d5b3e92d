//! Indexes of packages that are joined from sections: only the blocks of versions that have changed are rendered.

use std::collections::BTreeSet;

use database::{
    Read, Tx,
    catalogue::versions,
    content::{
        index_sections::{self, BLOCK_VERSIONS, Block, IndexSize},
        package_files::{self, Ordinals},
        tags,
    },
};
use model::timestamp::Timestamp;

use crate::{
    Error, Result,
    catalogue::{
        latest,
        package_indexes::{INDEX_BYTES, IndexChange, IndexedPackage, build, store, too_long},
        package_view,
    },
    format::{IndexFrame, IndexSections, PackageView},
};

/// The tag of the version that clients install unless they ask for another.
const LATEST_TAG: &str = "latest";

/// Renders the blocks that have changed, and stores them with the frames.
pub(super) async fn update(
    tx: &mut Tx,
    package: IndexedPackage<'_>,
    indexes: &'static dyn IndexSections,
    change: IndexChange,
    now: Timestamp,
) -> Result<()> {
    let has_none = index_sections::measure(tx, package.id).await?.sections.is_empty();
    let blocks = match change {
        _ if has_none => index_sections::list_blocks(tx, package.id).await?,
        IndexChange::Fields => Vec::new(),
        IndexChange::Version(ordinal) => vec![ordinal / BLOCK_VERSIONS],
        IndexChange::All => {
            index_sections::clear(tx, package.id).await?;
            index_sections::list_blocks(tx, package.id).await?
        }
    };
    for &block in &blocks {
        render(tx, package, indexes, block).await?;
    }
    let size = index_sections::measure(tx, package.id).await?;
    package.check_files(size.files, 0)?;
    let frames = if size.sections.is_empty() { Vec::new() } else { frames(tx, package, indexes).await? };
    check_size(&frames, &size)?;
    let has_new_sections = !blocks.is_empty() || change == IndexChange::All;
    store::replace_frames(tx, package, frames, &size, has_new_sections, now).await
}

/// Renders the versions of one block.
async fn render(
    tx: &mut Tx,
    package: IndexedPackage<'_>,
    indexes: &'static dyn IndexSections,
    block: i64,
) -> Result<()> {
    let first = block * BLOCK_VERSIONS;
    let ordinals = first..=first + BLOCK_VERSIONS - 1;
    let size = package_files::measure(tx, package.id, package.about, &ordinals).await?;
    package.check_files(size.files, size.about_bytes)?;
    let Some(view) = package_view::read(tx, package.repo, package.id, package.about, &ordinals).await? else {
        return Ok(());
    };
    let texts = build::of_usable(view, move |view| indexes.render(view)).await?.unwrap_or_default();
    Ok(index_sections::replace(tx, package.id, Block { block, files: size.files, texts: &texts }).await?)
}

/// Builds the frames. If the facts of the latest version are damaged, they have nothing from it.
async fn frames(
    tx: &mut Tx,
    package: IndexedPackage<'_>,
    indexes: &'static dyn IndexSections,
) -> Result<Vec<IndexFrame>> {
    let ordinals = if indexes.shows_latest() { find_latest(tx, package).await? } else { BTreeSet::new() };
    let Some(mut view) = read_shown(tx, package, ordinals).await? else { return Ok(Vec::new()) };
    let failed = |reason| Error::Internal(format!("the indexes of a package cannot be built: {reason}"));
    indexes.frames(&view).or_else(|reason| {
        tracing::error!("the latest version of package '{}' is missing from its indexes: {reason}", view.name);
        view.versions.clear();
        indexes.frames(&view).map_err(failed)
    })
}

/// The ordinals of the latest version, and of the one with the tag `latest`.
async fn find_latest(db: &dyn Read, package: IndexedPackage<'_>) -> Result<BTreeSet<i64>> {
    let latest = latest::find(db, package.format, package.id, false).await?;
    let tag = tags::list(db, package.id).await?.into_iter().find(|tag| tag.name == LATEST_TAG && tag.is_published);
    let tagged = match &tag {
        Some(tag) => versions::find(db, package.id, &tag.version).await?,
        None => None,
    };
    Ok(latest.iter().chain(&tagged).map(|version| version.ordinal).collect())
}

/// Reads the package with these versions.
async fn read_shown(
    db: &dyn Read,
    package: IndexedPackage<'_>,
    ordinals: BTreeSet<i64>,
) -> Result<Option<PackageView>> {
    let read =
        async |ordinals: Ordinals| package_view::read(db, package.repo, package.id, package.about, &ordinals).await;
    let Some(mut view) = read(package_files::NONE).await? else { return Ok(None) };
    for ordinal in ordinals {
        view.versions.extend(read(ordinal..=ordinal).await?.into_iter().flat_map(|found| found.versions));
    }
    Ok(Some(view))
}

fn check_size(frames: &[IndexFrame], size: &IndexSize) -> Result<()> {
    let bytes: usize = size.sections.values().map(|(_, bytes)| bytes).sum();
    match frames.first() {
        Some(frame) if bytes > INDEX_BYTES => Err(too_long(frame.path.as_str())),
        _ => Ok(()),
    }
}
