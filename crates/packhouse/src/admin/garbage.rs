//! `packhouse admin gc`.

use operations::{
    House,
    maintenance::garbage::{self, BlobTotals},
};

use crate::admin::progress::in_units;

/// Whether to remove garbage or only report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Run,
    DryRun,
}

pub(super) async fn run(house: &House, mode: Mode, grace_hours: Option<u32>) -> Result<(), String> {
    let grace_hours = grace_hours.map_or(house.policy.garbage_grace_hours, i64::from);
    let (done, report) = match mode {
        Mode::Run => ("removed", garbage::collect(house, grace_hours).await),
        Mode::DryRun => ("would remove", garbage::preview(house, grace_hours).await),
    };
    let report = report.map_err(|error| error.to_string())?;
    println!("{done} {}", amount(report.removed));
    if report.waiting != BlobTotals::default() {
        println!("{} wait until they have been unreferenced for {grace_hours} hours", amount(report.waiting));
    }
    Ok(())
}

/// A number of blobs and their bytes, also in a larger unit if there is one.
pub(super) fn amount(BlobTotals { blobs, bytes }: BlobTotals) -> String {
    let size = in_units(bytes.unsigned_abs());
    let size = if size.ends_with(" bytes") { String::new() } else { format!(" ({size})") };
    format!("{blobs} blobs of {bytes} bytes{size}")
}
