//! The payload of an event that is not a release.

use model::{file_path::FilePath, webhook_event::WebhookEvent};
use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::{
    Caller,
    events::{NewEvent, webhooks::payload::query_with},
};

/// An event of a version or of one of its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EventPayload {
    event: String,
    subject: String,
    repo: String,
    package: String,
    version: String,
    /// The file; null for an event of the version.
    path: Option<String>,
    at: String,
    actor: String,
}

impl EventPayload {
    /// Builds the payload of a caller's event, for the version or one of its files.
    pub(super) fn new(kind: WebhookEvent, event: &NewEvent<'_>, path: Option<&FilePath>, caller: &Caller) -> Self {
        Self {
            event: kind.as_str().to_owned(),
            subject: event.repo.owner.to_string(),
            repo: event.repo.name.to_string(),
            package: event.scope.package().to_owned(),
            version: event.scope.version().to_owned(),
            path: path.map(FilePath::to_string),
            at: event.at.to_string(),
            actor: caller.audit_name(),
        }
    }

    /// Returns the URL with the payload as its query, without a path that is null. A path that is too long for it is
    /// cut.
    pub(super) fn in_query(&self, url: &Url) -> Url {
        let fields = [
            ("event", &*self.event),
            ("subject", &self.subject),
            ("repo", &self.repo),
            ("package", &self.package),
            ("version", &self.version),
            ("at", &self.at),
            ("actor", &self.actor),
        ];
        query_with(url, &fields, self.path.as_deref().map(|path| ("path", path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::webhooks::payload::{Payload, URL_BYTES};

    fn payload(path: Option<String>) -> EventPayload {
        EventPayload {
            event: "upload".to_owned(),
            subject: "ada".to_owned(),
            repo: "tools".to_owned(),
            package: "a b&c".to_owned(),
            version: "1.0+2".to_owned(),
            path,
            at: "2026-01-15T12:00:00.000Z".to_owned(),
            actor: "robot@ada".to_owned(),
        }
    }

    #[test]
    fn a_body_has_eight_fields_in_their_order() {
        let sent = Payload::Event(payload(None));
        let text = sent.to_text().expect("a text");
        assert_eq!(
            text,
            r#"{"event":"upload","subject":"ada","repo":"tools","package":"a b&c","version":"1.0+2","path":null,"at":"2026-01-15T12:00:00.000Z","actor":"robot@ada"}"#
        );
        assert_eq!(Payload::from_text(WebhookEvent::Upload, &text).expect("a payload"), sent);
        assert!(Payload::from_text(WebhookEvent::Release, &text).is_err(), "it is not a release");
    }

    #[test]
    fn a_query_has_the_same_fields_but_no_empty_path() {
        let url = Url::parse("https://h/x?token=1").expect("an address");
        let names = |payload: EventPayload| -> Vec<String> {
            payload.in_query(&url).query_pairs().map(|(name, _)| name.into_owned()).collect()
        };
        let all = ["token", "event", "subject", "repo", "package", "version", "at", "actor"];
        assert_eq!(names(payload(None)), all);
        assert_eq!(names(payload(Some("a/b.bin".to_owned()))), [&all[..], &["path"]].concat());
    }

    #[test]
    fn a_long_path_is_cut_in_a_query() {
        let url = Url::parse(&format!("https://h/{}", "x".repeat(1_900))).expect("an address");
        let path = "é/".repeat(900);
        let sent = payload(Some(path.clone())).in_query(&url);
        assert!(sent.as_str().len() <= URL_BYTES, "{}", sent.as_str().len());
        let (_, cut) = sent.query_pairs().last().expect("a path");
        assert!(path.starts_with(&*cut) && !cut.is_empty());
    }
}
