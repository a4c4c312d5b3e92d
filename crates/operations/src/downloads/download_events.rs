//! Events of downloads for subscribers. The downloads of one second share a few rows, because one row each would cost
//! as much as counting them.

use std::collections::BTreeMap;

use model::{
    event::{Event, EventKind},
    id::SubjectId,
    target::Target,
    timestamp::Timestamp,
};

use crate::{House, downloads::CompletedDownload, events::stream::DownloadEvent};

/// The number of downloads per row.
const PER_ROW: usize = 200;

/// The maximum number of download events per subject and second that a node records. Logs and statistics contain all
/// downloads.
const PER_SECOND: usize = 1_000;

/// The maximum number of characters stored of a `User-Agent`.
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

/// Returns the events of downloads, which are grouped by the id of the subject that they concern.
pub(crate) fn rows(house: &House, downloads: &BTreeMap<SubjectId, Vec<&DownloadEvent>>) -> Vec<Event> {
    let mut events = Vec::new();
    for (subject_id, downloads) in downloads {
        for row in downloads[..downloads.len().min(PER_SECOND)].chunks(PER_ROW) {
            events.push(event(house.next_id(), *subject_id, row));
        }
    }
    events
}

fn event(id: i64, subject_id: SubjectId, row: &[&DownloadEvent]) -> Event {
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

/// Returns the decoded path without the prefix of the endpoint that it was requested from.
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
