//! What is known of the state of content.

use std::sync::atomic::Ordering;

use database::{
    content::damage::{self, Damaged},
    maintenance::{
        scrubs::{self, Scrub},
        verify::list_users,
    },
};

use crate::{House, Result};

/// Withheld content that is listed together.
const PAGE: i64 = 100;

/// How far the scrub is, and what it has found.
#[derive(Debug, Clone, Copy)]
pub struct Status {
    /// The pass under way and the last one; `None` before the first.
    pub scrub: Option<Scrub>,
    /// Blobs that are withheld.
    pub damaged: i64,
    /// Bytes that this process has read for it.
    pub read_bytes: u64,
}

/// Content that is withheld, and who has it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The content.
    pub damaged: Damaged,
    /// The files that have it, as `subject/repository/path`.
    pub files: Vec<String>,
}

/// How far the scrub is.
pub async fn status(house: &House) -> Result<Status> {
    let (scrub, damaged) = (scrubs::find(&house.db).await?, damage::count(&house.db).await?);
    Ok(Status { scrub, damaged, read_bytes: house.suspects.read_bytes.load(Ordering::Relaxed) })
}

/// Some of the content that is withheld, after a key.
pub async fn list_damaged(house: &House, after_id: i64) -> Result<Vec<Listed>> {
    let mut listed = Vec::new();
    for damaged in damage::list(&house.db, after_id, PAGE).await? {
        let files = list_users(&house.db, damaged.blob.id).await?;
        listed.push(Listed { damaged, files });
    }
    Ok(listed)
}
