//! Downloads by day and version as a file for spreadsheets.

use axum::response::Response;
use model::{day::Day, statistics::DailyDownloads};
use operations::usage::statistics::Statistics;

use crate::csv::{self, cell};

/// The numbers as a file.
pub(super) fn file(package: &str, numbers: &Statistics<DailyDownloads>) -> Response {
    let mut text = String::from("day,version,downloads\r\n");
    for record in &numbers.records {
        text.push_str(&format!("{},{},{}\r\n", Day::from_number(record.day), cell(&record.version), record.count));
    }
    csv::file(&format!("{package}-downloads"), text)
}
