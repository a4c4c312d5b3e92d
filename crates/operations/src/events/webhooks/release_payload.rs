//! The payload of a release.

use database::{
    Read,
    catalogue::documents::{self, DocumentOwner},
};
use model::{document::DocumentKind, package::Package, timestamp::Timestamp, version::Version};
use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::{Result, events::webhooks::payload::query_with};

/// A release, with the field names of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReleasePayload {
    package: String,
    version: String,
    released: String,
    release_notes: String,
}

impl ReleasePayload {
    /// Builds the payload of a version that is released at this time, unless the version has another release time.
    pub(super) fn new(package: &Package, version: &Version, now: Timestamp, release_notes: String) -> Self {
        Self {
            package: package.name.to_string(),
            version: version.name.to_string(),
            released: version.profile.released.unwrap_or(now).to_string(),
            release_notes,
        }
    }

    /// Returns the URL with the payload as its query. Notes that are too long for it are cut.
    pub(super) fn in_query(&self, url: &Url) -> Url {
        let fields = [("package", &*self.package), ("version", &self.version), ("released", &self.released)];
        query_with(url, &fields, Some(("release_notes", &self.release_notes)))
    }
}

/// Returns the notes of a version, or else of its package.
pub(super) async fn notes(db: &dyn Read, version: &Version) -> Result<String> {
    let of_version = documents::find(db, DocumentOwner::Version(version.id)).await?;
    let notes = match of_version {
        Some(notes) => Some(notes),
        None => documents::find(db, DocumentOwner::Package(version.package_id, DocumentKind::ReleaseNotes)).await?,
    };
    Ok(notes.map(|notes| notes.content).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::webhooks::payload::{Payload, URL_BYTES};

    fn payload(release_notes: &str) -> ReleasePayload {
        ReleasePayload {
            package: "a b&c".to_owned(),
            version: "1.0+2".to_owned(),
            released: "2026-01-15T12:00:00.000Z".to_owned(),
            release_notes: release_notes.to_owned(),
        }
    }

    #[test]
    fn a_body_has_the_fields_of_the_contract_in_their_order() {
        let text = Payload::Release(payload("\"new\"")).to_text().expect("a text");
        assert_eq!(
            text,
            r#"{"package":"a b&c","version":"1.0+2","released":"2026-01-15T12:00:00.000Z","release_notes":"\"new\""}"#
        );
        let read = Payload::from_text(model::webhook_event::WebhookEvent::Release, &text);
        assert_eq!(read.expect("a payload"), Payload::Release(payload("\"new\"")));
    }

    #[test]
    fn a_query_has_the_same_fields_behind_those_that_are_there() {
        let url = Url::parse("https://h/x?token=1#end").expect("an address");
        let pairs: Vec<_> = payload("what is new?").in_query(&url).query_pairs().into_owned().collect();
        let expected = [
            ("token", "1"),
            ("package", "a b&c"),
            ("version", "1.0+2"),
            ("released", "2026-01-15T12:00:00.000Z"),
            ("release_notes", "what is new?"),
        ];
        assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn long_notes_are_cut_in_a_query() {
        let url = Url::parse("https://h/").expect("an address");
        for notes in ["x".repeat(20_000), "é".repeat(20_000), "x\n🙂".repeat(9_000)] {
            let sent = payload(&notes).in_query(&url);
            assert!((URL_BYTES - 12..=URL_BYTES).contains(&sent.as_str().len()), "{}", sent.as_str().len());
            let (_, cut) = sent.query_pairs().last().expect("notes");
            assert!(notes.starts_with(&*cut) && !cut.is_empty());
        }
    }
}
