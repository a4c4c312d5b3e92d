//! What a callback tells.

use database::{
    Read,
    catalogue::{
        documents::{self, DocumentKind, DocumentOwner},
        packages::Package,
        versions::Version,
    },
};
use model::timestamp::Timestamp;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The longest address with a payload in it: what common servers take.
const ADDRESS_BYTES: usize = 8_000;

/// A release, in the words of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Payload {
    pub(super) package: String,
    pub(super) version: String,
    pub(super) released: String,
    pub(super) release_notes: String,
}

impl Payload {
    /// A version that is released at this time, unless it says another.
    pub(super) fn new(package: &Package, version: &Version, now: Timestamp, release_notes: String) -> Self {
        Self {
            package: package.name.to_string(),
            version: version.name.to_string(),
            released: version.profile.released.unwrap_or(now).to_string(),
            release_notes,
        }
    }

    /// As it is sent in a body, and kept until then.
    pub(super) fn to_text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| Error::Internal(format!("a payload could not be written: {error}")))
    }

    /// What was kept.
    pub(super) fn from_text(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| Error::Internal(format!("a payload could not be read: {error}")))
    }

    /// As it is sent in an address. Notes that are too long for one are cut.
    pub(super) fn in_query(&self, url: &Url) -> Url {
        let with = |notes: &str| {
            let mut url = url.clone();
            let fields = [("package", &self.package), ("version", &self.version), ("released", &self.released)];
            url.query_pairs_mut().extend_pairs(fields).append_pair("release_notes", notes);
            url
        };
        let mut room = ADDRESS_BYTES.saturating_sub(with("").as_str().len());
        let fits = |c: &char| {
            let bytes = if c.is_ascii_alphanumeric() { 1 } else { 3 * c.len_utf8() };
            let is_room = bytes <= room;
            room = room.saturating_sub(bytes);
            is_room
        };
        let notes: String = self.release_notes.chars().take_while(fits).collect();
        with(&notes)
    }
}

/// The notes of a version, or else of its package.
pub(super) async fn notes(db: &impl Read, version: &Version) -> Result<String> {
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

    fn payload(release_notes: &str) -> Payload {
        Payload {
            package: "a b&c".to_owned(),
            version: "1.0+2".to_owned(),
            released: "2026-01-15T12:00:00.000Z".to_owned(),
            release_notes: release_notes.to_owned(),
        }
    }

    #[test]
    fn a_body_has_the_fields_of_the_contract_in_their_order() {
        let text = payload("\"new\"").to_text().expect("a text");
        assert_eq!(
            text,
            r#"{"package":"a b&c","version":"1.0+2","released":"2026-01-15T12:00:00.000Z","release_notes":"\"new\""}"#
        );
        assert_eq!(Payload::from_text(&text).expect("a payload"), payload("\"new\""));
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
            assert!((ADDRESS_BYTES - 12..=ADDRESS_BYTES).contains(&sent.as_str().len()), "{}", sent.as_str().len());
            let (_, cut) = sent.query_pairs().last().expect("notes");
            assert!(notes.starts_with(&*cut) && !cut.is_empty());
        }
    }
}
