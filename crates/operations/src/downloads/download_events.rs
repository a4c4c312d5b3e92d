//! Downloads for those who follow. The many of a second share a few rows: a row each would cost as much as counting.

use std::collections::BTreeMap;

use database::events::{Event, EventKind};
use model::{target::Target, timestamp::Timestamp};

use crate::{House, downloads::CompletedDownload, events::stream::DownloadEvent};

/// Downloads of one row.
const PER_ROW: usize = 200;

/// The most that a server tells of a subject in a second. Logs and numbers have them all.
const PER_SECOND: usize = 1_000;

/// The most characters of what a client says it is.
const AGENT_CHARACTERS: usize = 300;

impl From<&CompletedDownload> for DownloadEvent {
    fn from(delivered: &CompletedDownload) -> Self {
        Self {
            at: delivered.at.millis(),
            path: plain(&delivered.path),
            user: delivered.user.as_deref().map(str::to_owned),
            address: delivered.address.to_string(),
            agent: delivered.agent.as_deref().map(|agent| agent.chars().take(AGENT_CHARACTERS).collect()),
        }
    }
}

/// The events of downloads, which are sorted by the subjects that they concern.
pub(crate) fn rows(house: &House, downloads: &BTreeMap<i64, Vec<&DownloadEvent>>) -> Vec<Event> {
    let mut events = Vec::new();
    for (subject_id, downloads) in downloads {
        for row in downloads[..downloads.len().min(PER_SECOND)].chunks(PER_ROW) {
            events.push(event(house.next_id(), *subject_id, row));
        }
    }
    events
}

fn event(id: i64, subject_id: i64, row: &[&DownloadEvent]) -> Event {
    Event {
        id,
        subject_id,
        at: Timestamp::from_millis(row.last().map_or(0, |download| download.at)),
        kind: EventKind::Download,
        repo: String::new(),
        package: String::new(),
        version: String::new(),
        path: None,
        actor: String::new(),
        address: String::new(),
        agent: None,
        detail: Some(serde_json::to_string(row).expect("texts and numbers are JSON")),
    }
}

/// The path without the surface that it was asked for on, decoded.
fn plain(path: &str) -> String {
    let segments = Target::parse(path, "").map(|target| target.segments).unwrap_or_default();
    match &segments[..] {
        [surface, rest @ ..] if surface == "dl" => rest.join("/"),
        [api, surface, owner, repo, _, rest @ ..] if api == "api" && surface == "maven" => {
            [owner, repo].into_iter().chain(rest).cloned().collect::<Vec<_>>().join("/")
        }
        other => other.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_that_of_a_file() {
        assert_eq!(plain("/dl/ada/tools/a%20b/c.bin"), "ada/tools/a b/c.bin");
        assert_eq!(plain("/api/maven/ada/tools/cat/org/x/cat.jar"), "ada/tools/org/x/cat.jar");
    }
}
