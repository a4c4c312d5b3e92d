//! The usage of an organization or a repository compared to its thresholds, for its owners.

use operations::usage::usage_thresholds::{self, ThresholdOwner, ThresholdStatus};
use web::{App, error::Result};

use crate::{errors::allowed, sizes, visitor::Visitor};

/// A threshold on a page.
pub(crate) struct Threshold {
    pub(crate) title: &'static str,
    pub(crate) used: String,
    pub(crate) limit: String,
    pub(crate) is_crossed: bool,
}

/// All thresholds; empty if the visitor may not see them.
pub(crate) async fn find(app: &App, visitor: &Visitor, owner: &ThresholdOwner) -> Result<Vec<Threshold>> {
    let found = allowed(usage_thresholds::compare(app.house(), &visitor.caller, owner).await)?;
    Ok(found.unwrap_or_default().iter().map(Threshold::from).collect())
}

impl From<&ThresholdStatus> for Threshold {
    fn from(compared: &ThresholdStatus) -> Self {
        let title = match compared.measure {
            "monthly_storage_bytes" => "Stored this month",
            "monthly_download_bytes" => "Downloaded this month",
            _ => "Downloaded today",
        };
        Self {
            title,
            used: sizes::bytes(compared.used.unsigned_abs()),
            limit: sizes::bytes(compared.threshold.unsigned_abs()),
            is_crossed: compared.used >= compared.threshold,
        }
    }
}
