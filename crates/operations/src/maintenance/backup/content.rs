//! Copying content from one store to another, hashed on its way.

use blobs::{Blobs, ReceiveOptions};
use database::maintenance::{
    garbage::BlobTotals,
    snapshot::{Snapshot, SnapshotContent},
};
use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    Error, Result,
    maintenance::verify::{Finding, Progress},
};

/// Blobs that are copied at once.
const AT_ONCE: usize = 4;

/// Rows that are read together.
const PAGE: i64 = 500;

/// Where content is copied from and to.
#[derive(Clone, Copy)]
pub(super) struct BlobCopy<'s> {
    pub(super) from: &'s Blobs,
    pub(super) to: &'s Blobs,
    /// Whether content that the target has is read again, or believed.
    pub(super) rereads: bool,
}

/// What was done.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CopySummary {
    /// All content of the snapshot.
    pub(super) content: BlobTotals,
    /// What of it the target did not have.
    pub(super) copied: BlobTotals,
    /// What could not be copied.
    pub(super) problems: u64,
}

impl BlobCopy<'_> {
    /// Copies all content that files of a snapshot have. What is wrong with some of it does not keep the rest back.
    pub(super) async fn all(
        self,
        snapshot: &Snapshot,
        progress: &Progress,
        report: &mut impl FnMut(Finding),
    ) -> Result<CopySummary> {
        let (mut done, mut last) = (CopySummary::default(), 0);
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
                        tell(snapshot, blob, reason, report).await?;
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

    /// Whether the target has it whole. What is damaged there makes room for what is not.
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
        let options = ReceiveOptions { max_bytes: blob.size.unsigned_abs(), md5: false, sha512: false };
        let staged = match self.to.stage(content.stream, options).await {
            Ok(staged) => staged,
            Err(error @ (blobs::Error::Body(_) | blobs::Error::TooLarge { .. })) => return flawed(error),
            Err(error) => return Err(error.into()),
        };
        if staged.sha256 != blob.sha256 {
            return Ok(CopyOutcome::Flawed(Some(format!("its SHA-256 is {}", staged.sha256))));
        }
        staged.commit().await?;
        Ok(CopyOutcome::Copied)
    }
}

/// What became of one blob.
enum CopyOutcome {
    Had,
    Copied,
    /// It is missing, or else what is wrong with it.
    Flawed(Option<String>),
}

/// A source that is away says nothing about what it has.
fn flawed(error: blobs::Error) -> Result<CopyOutcome> {
    match error {
        blobs::Error::Unavailable { .. } => Err(Error::from(error)),
        other => Ok(CopyOutcome::Flawed(Some(other.to_string()))),
    }
}

async fn tell(
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
