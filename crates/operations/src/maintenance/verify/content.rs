//! Compares rows with the store: every file must have the content that its row names.

use std::fmt;

use database::maintenance::verify::{list_used, list_users};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{blob::Blob, digest::hex, id::BlobId};

use crate::{
    House, Result,
    maintenance::verify::{Finding, Options, Progress},
};

/// The number of rows per page.
const PAGE: i64 = 500;

pub(super) async fn verify(
    house: &House,
    options: Options,
    progress: &Progress,
    report: &mut impl FnMut(Finding),
) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let mut last = BlobId::NONE;
    loop {
        let page = list_used(&house.db, last, PAGE).await?;
        let Some(end) = page.last() else { return Ok(()) };
        last = end.id;
        let checks = stream::iter(page).map(|blob| async move {
            let found = look(house, &blob, options).await?;
            progress.add(blob.size.unsigned_abs());
            Ok::<_, crate::Error>(found)
        });
        let mut checks = checks.buffer_unordered(cores);
        while let Some(found) = checks.try_next().await? {
            found.into_iter().for_each(&mut *report);
        }
    }
}

/// Returns the problem of a blob, once for each file that refers to it.
async fn look(house: &House, blob: &Blob, options: Options) -> Result<Vec<Finding>> {
    if flaw(house, blob, options).await?.is_none() {
        return Ok(Vec::new());
    }
    // Check again: its files may be deleted by now, and the content with them, or it was just restored.
    let Some(flaw) = flaw(house, blob, options).await? else { return Ok(Vec::new()) };
    let files = list_users(&house.db, blob.id).await?;
    let finding = |file| match &flaw {
        Flaw::Missing => Finding::Missing { digest: blob.sha256, file },
        Flaw::Damaged(reason) => Finding::Damaged { digest: blob.sha256, file, reason: reason.clone() },
    };
    Ok(files.into_iter().map(finding).collect())
}

/// The problem of a blob in the store.
pub(crate) enum Flaw {
    Missing,
    Damaged(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Missing => f.write_str("it is missing"),
            Flaw::Damaged(reason) => f.write_str(reason),
        }
    }
}

async fn flaw(house: &House, blob: &Blob, options: Options) -> Result<Option<Flaw>> {
    if options.is_quick { judge(sizes(house, blob).await) } else { read_flaw(house, blob, u64::MAX).await }
}

/// Reads a blob at this rate at most, and returns its problem, if any.
pub(crate) async fn read_flaw(house: &House, blob: &Blob, bytes_per_second: u64) -> Result<Option<Flaw>> {
    judge(sums(house, blob, bytes_per_second).await)
}

fn judge(looked: std::result::Result<Option<Flaw>, blobs::Error>) -> Result<Option<Flaw>> {
    match looked {
        // An unavailable store says nothing about its content.
        Err(error @ blobs::Error::Unavailable { .. }) => Err(error.into()),
        Err(error) => Ok(Some(Flaw::Damaged(error.to_string()))),
        Ok(flaw) => Ok(flaw),
    }
}

async fn sizes(house: &House, blob: &Blob) -> std::result::Result<Option<Flaw>, blobs::Error> {
    let size = house.blobs.size(blob.sha256).await?;
    Ok(size.map_or(Some(Flaw::Missing), |size| wrong_size(blob, size)))
}

async fn sums(house: &House, blob: &Blob, bytes_per_second: u64) -> std::result::Result<Option<Flaw>, blobs::Error> {
    let Some(sums) = house.blobs.sums_at_pace(blob.sha256, bytes_per_second).await? else {
        return Ok(Some(Flaw::Missing));
    };
    let wrong_sums = || {
        if sums.sha256 != blob.sha256 {
            Some(Flaw::Damaged(format!("its SHA-256 is {}", sums.sha256)))
        } else {
            let (found, known) = (sums.sha1.map(|sum| hex(&sum))?, blob.sha1.as_ref()?);
            (found != *known).then(|| Flaw::Damaged(format!("its SHA-1 is {found}, not {known}")))
        }
    };
    Ok(wrong_size(blob, sums.size).or_else(wrong_sums))
}

fn wrong_size(blob: &Blob, size: u64) -> Option<Flaw> {
    let is_right = size == blob.size.unsigned_abs();
    (!is_right).then(|| Flaw::Damaged(format!("it has {size} bytes instead of {}", blob.size)))
}
