//! The time and the result of the last collection, for monitoring.

use database::{ScopedFutureExt, engine::meta};
use model::{access::Action, blob::BlobTotals, timestamp::Timestamp};

use crate::{
    Caller, House, Result, access,
    maintenance::garbage::{Report, preview},
};

/// The key in `meta` of the last run.
const LAST_RUN: &str = "garbage_last_run";

/// A successful run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastRun {
    /// The time of its end.
    pub at: Timestamp,
    /// The content that it removed.
    pub removed: BlobTotals,
}

/// Returns the content that is removed next, the content within its grace period, and the last run. For site
/// administrators.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller) -> Result<(Report, Option<LastRun>)> {
    access::check_site(caller, Action::Administer)?;
    let report = preview(house, house.policy.garbage_grace_hours).await?;
    let kept = meta::find(&house.db, LAST_RUN).await?;
    Ok((report, kept.as_deref().and_then(LastRun::parse)))
}

/// Records a run. A failure to record it is not an error: the content has been removed anyway.
pub(super) async fn record(house: &House, removed: BlobTotals) {
    let text = &LastRun { at: house.clock.now(), removed }.to_text();
    let written: database::Result<()> = house.db.write(|tx| meta::set(tx, LAST_RUN, text).scope_boxed()).await;
    if let Err(error) = written {
        tracing::warn!("recording the garbage collection failed: {error}");
    }
}

impl LastRun {
    fn to_text(self) -> String {
        format!("{} {} {}", self.at.millis(), self.removed.blobs, self.removed.bytes)
    }

    fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<i64> = text.split(' ').map_while(|word| word.parse().ok()).collect();
        let [at, blobs, bytes] = numbers[..] else { return None };
        Some(Self { at: Timestamp::from_millis(at), removed: BlobTotals { blobs, bytes } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let run =
            LastRun { at: Timestamp::from_millis(1_768_478_400_000), removed: BlobTotals { blobs: 3, bytes: 12 } };
        assert_eq!(LastRun::parse(&run.to_text()), Some(run));
        assert_eq!(LastRun::parse("1 x 2"), None);
    }
}
