//! Copies content from one store to another and hashes it on the way.

use blobs::{Blobs, ReceiveOptions};
use database::maintenance::snapshot::{Snapshot, SnapshotContent};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{blob::BlobTotals, id::BlobId};

use crate::{
    Error, Result,
    maintenance::verify::{Finding, Progress},
};

/// The number of blobs copied at once.
const AT_ONCE: usize = 4;

/// The number of rows per page.
const PAGE: i64 = 500;

/// The source and the target of a copy.
#[derive(Clone, Copy)]
pub(super) struct BlobCopy<'s> {
    pub(super) from: &'s Blobs,
    pub(super) to: &'s Blobs,
    /// Whether content that the target already has is read again, instead of trusted.
    pub(super) rereads: bool,
}

/// The result of a copy.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CopySummary {
    /// All content of the snapshot.
    pub(super) content: BlobTotals,
    /// The content that the target did not have.
    pub(super) copied: BlobTotals,
    /// The number of blobs that were not copied because of an error.
    pub(super) problems: u64,
}

impl BlobCopy<'_> {
    /// Copies all content that files of a snapshot refer to. An error in one blob does not stop the copy of the others.
    pub(super) async fn all(
        self,
        snapshot: &Snapshot,
        progress: &Progress,
        report: &mut impl FnMut(Finding),
    ) -> Result<CopySummary> {
        let (mut done, mut last) = (CopySummary::default(), BlobId::NONE);
        loop {
            let page = snapshot.list_used(last, PAGE).await?;
            let Some(end) = page.last() else { return Ok(done) };
            last = end.id;
            let mut copies = stream::iter(page).map(|blob| self.one(blob, progress)).buffer_unordered(AT_ONCE);
            while let Some((blob, outcome)) = copies.try_next().await? {
                let amount = BlobTotals { blobs: 1, bytes: blob.size };
                done.content = done.content + amount;
                match outcome {
                    CopyOutcome::Had => {}
                    CopyOutcome::Copied => done.copied = done.copied + amount,
                    CopyOutcome::Flawed(reason) => {
                        done.problems += 1;
                        report_file(snapshot, blob, reason, report).await?;
                    }
                }
            }
        }
    }

    async fn one(self, blob: SnapshotContent, progress: &Progress) -> Result<(SnapshotContent, CopyOutcome)> {
        let outcome = if self.is_there(blob).await? { CopyOutcome::Had } else { self.copy(blob).await? };
        progress.add(blob.size.unsigned_abs());
        Ok((blob, outcome))
    }

    /// Whether the target has the content intact. A damaged copy is deleted, to be replaced by an intact one.
    async fn is_there(self, blob: SnapshotContent) -> Result<bool> {
        let Some(size) = self.to.size(blob.sha256).await? else { return Ok(false) };
        let is_whole = size == blob.size.unsigned_abs()
            && (!self.rereads || self.to.sums(blob.sha256).await?.is_some_and(|sums| sums.sha256 == blob.sha256));
        if !is_whole {
            self.to.delete(blob.sha256).await?;
        }
        Ok(is_whole)
    }

    async fn copy(self, blob: SnapshotContent) -> Result<CopyOutcome> {
        let content = match self.from.read(blob.sha256, None).await {
            Ok(Some(content)) => content,
            Ok(None) => return Ok(CopyOutcome::Flawed(None)),
            Err(error) => return flawed(error),
        };
        let options = ReceiveOptions { max_bytes: blob.size.unsigned_abs(), ..ReceiveOptions::SHA256 };
        let pending = match self.to.receive(content.stream, options).await {
            Ok(pending) => pending,
            Err(error @ (blobs::Error::Body(_) | blobs::Error::TooLarge { .. })) => return flawed(error),
            Err(error) => return Err(error.into()),
        };
        if pending.sha256 != blob.sha256 {
            return Ok(CopyOutcome::Flawed(Some(format!("its SHA-256 is {}", pending.sha256))));
        }
        pending.commit().await?;
        Ok(CopyOutcome::Copied)
    }
}

/// The outcome for one blob.
enum CopyOutcome {
    Had,
    Copied,
    /// The blob is missing in the source if `None`; otherwise the description of its damage.
    Flawed(Option<String>),
}

/// Classifies an error. An unavailable source stops the copy, because it says nothing about the content.
fn flawed(error: blobs::Error) -> Result<CopyOutcome> {
    match error {
        blobs::Error::Unavailable { .. } => Err(Error::from(error)),
        other => Ok(CopyOutcome::Flawed(Some(other.to_string()))),
    }
}

async fn report_file(
    snapshot: &Snapshot,
    blob: SnapshotContent,
    reason: Option<String>,
    report: &mut impl FnMut(Finding),
) -> Result<()> {
    for file in snapshot.list_users(blob.id).await? {
        report(match &reason {
            None => Finding::Missing { digest: blob.sha256, file },
            Some(reason) => Finding::Damaged { digest: blob.sha256, file, reason: reason.clone() },
        });
    }
    Ok(())
}
