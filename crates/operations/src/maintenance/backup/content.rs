//! Copying content from one store to another, hashed on its way.

use blobs::{Blobs, StageOptions};
use database::maintenance::{
    garbage::Amount,
    snapshot::{Snapshot, Used},
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
pub(super) struct Copy<'s> {
    pub(super) from: &'s Blobs,
    pub(super) to: &'s Blobs,
    /// Whether content that the target has is read again, or believed.
    pub(super) rereads: bool,
}

/// What was done.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Done {
    /// All content of the snapshot.
    pub(super) content: Amount,
    /// What of it the target did not have.
    pub(super) copied: Amount,
    /// What could not be copied.
    pub(super) problems: u64,
}

impl Copy<'_> {
    /// Copies all content that files of a snapshot have. What is wrong with some of it does not keep the rest back.
    pub(super) async fn all(
        self,
        snapshot: &Snapshot,
        progress: &Progress,
        report: &mut impl FnMut(Finding),
    ) -> Result<Done> {
        let (mut done, mut last) = (Done::default(), 0);
        loop {
            let page = snapshot.list_used(last, PAGE).await?;
            let Some(end) = page.last() else { return Ok(done) };
            last = end.id;
            let mut copies = stream::iter(page).map(|blob| self.one(blob, progress)).buffer_unordered(AT_ONCE);
            while let Some((blob, outcome)) = copies.try_next().await? {
                let amount = Amount { blobs: 1, bytes: blob.size };
                done.content = done.content + amount;
                match outcome {
                    Outcome::Had => {}
                    Outcome::Copied => done.copied = done.copied + amount,
                    Outcome::Flawed(reason) => {
                        done.problems += 1;
                        tell(snapshot, blob, reason, report).await?;
                    }
                }
            }
        }
    }

    async fn one(self, blob: Used, progress: &Progress) -> Result<(Used, Outcome)> {
        let outcome = if self.is_there(blob).await? { Outcome::Had } else { self.copy(blob).await? };
        progress.add(blob.size.unsigned_abs());
        Ok((blob, outcome))
    }

    /// Whether the target has it whole. What is damaged there makes room for what is not.
    async fn is_there(self, blob: Used) -> Result<bool> {
        let Some(size) = self.to.size(blob.sha256).await? else { return Ok(false) };
        let is_whole = size == blob.size.unsigned_abs()
            && (!self.rereads || self.to.sums(blob.sha256).await?.is_some_and(|sums| sums.sha256 == blob.sha256));
        if !is_whole {
            self.to.delete(blob.sha256).await?;
        }
        Ok(is_whole)
    }

    async fn copy(self, blob: Used) -> Result<Outcome> {
        let content = match self.from.read(blob.sha256, None).await {
            Ok(Some(content)) => content,
            Ok(None) => return Ok(Outcome::Flawed(None)),
            Err(error) => return flawed(error),
        };
        let options = StageOptions { max_bytes: blob.size.unsigned_abs(), md5: false, sha512: false };
        let staged = match self.to.stage(content.stream, options).await {
            Ok(staged) => staged,
            Err(error @ (blobs::Error::Body(_) | blobs::Error::TooLarge { .. })) => return flawed(error),
            Err(error) => return Err(error.into()),
        };
        if staged.sha256 != blob.sha256 {
            return Ok(Outcome::Flawed(Some(format!("its SHA-256 is {}", staged.sha256))));
        }
        staged.commit().await?;
        Ok(Outcome::Copied)
    }
}

/// What became of one blob.
enum Outcome {
    Had,
    Copied,
    /// It is missing, or else what is wrong with it.
    Flawed(Option<String>),
}

/// A source that is away says nothing about what it has.
fn flawed(error: blobs::Error) -> Result<Outcome> {
    match error {
        blobs::Error::Unavailable { .. } => Err(Error::from(error)),
        other => Ok(Outcome::Flawed(Some(other.to_string()))),
    }
}

async fn tell(snapshot: &Snapshot, blob: Used, reason: Option<String>, report: &mut impl FnMut(Finding)) -> Result<()> {
    for file in snapshot.list_users(blob.id).await? {
        report(match &reason {
            None => Finding::Missing { digest: blob.sha256, file },
            Some(reason) => Finding::Damaged { digest: blob.sha256, file, reason: reason.clone() },
        });
    }
    Ok(())
}
