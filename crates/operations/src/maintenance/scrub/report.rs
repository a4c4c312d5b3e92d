//! Reports the state of content.

use std::sync::atomic::Ordering;

use database::{
    content::damage,
    maintenance::{scrubs, verify::list_users},
};
use model::{blob::Damaged, id::BlobId, scrub::Scrub};

use crate::{House, Result};

/// The number of withheld blobs per page.
const PAGE: i64 = 100;

/// The progress of the scrub, and its findings.
#[derive(Debug, Clone, Copy)]
pub struct Status {
    /// The current pass and the last one; `None` before the first.
    pub scrub: Option<Scrub>,
    /// The number of withheld blobs.
    pub damaged: i64,
    /// The number of bytes that this process has read for the scrub.
    pub read_bytes: u64,
}

/// Withheld content, and the files that refer to it.
#[derive(Debug, Clone)]
pub struct DamagedContent {
    /// The content.
    pub damaged: Damaged,
    /// The files that refer to it, as `subject/repository/path`.
    pub files: Vec<String>,
}

/// Returns the progress of the scrub.
#[boxed::future]
pub async fn status(house: &House) -> Result<Status> {
    let (scrub, damaged) = (scrubs::find(&house.db).await?, damage::count(&house.db).await?);
    Ok(Status { scrub, damaged, read_bytes: house.suspects.read_bytes.load(Ordering::Relaxed) })
}

/// Returns a page of withheld content, after an id.
#[boxed::future]
pub async fn list_damaged(house: &House, after_id: BlobId) -> Result<Vec<DamagedContent>> {
    let mut listed = Vec::new();
    for damaged in damage::list(&house.db, after_id, PAGE).await? {
        let files = list_users(&house.db, damaged.blob.id).await?;
        listed.push(DamagedContent { damaged, files });
    }
    Ok(listed)
}
