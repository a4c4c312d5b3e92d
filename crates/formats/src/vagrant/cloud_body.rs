//! The bodies of calls of `vagrant cloud`.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::documents::clean;

/// The maximum length of a description.
const DESCRIPTION_CHARACTERS: usize = 10_000;

/// What such a body says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CloudBody {
    /// The organization of a new box.
    pub(super) username: Option<String>,
    /// The name of a new box.
    pub(super) name: Option<String>,
    /// The number of a version.
    pub(super) version: Option<String>,
    /// The description of the box or of the version.
    pub(super) description: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct SentBody {
    username: Option<String>,
    name: Option<String>,
    short_description: Option<String>,
    description: Option<String>,
    is_private: Option<bool>,
    version: Option<SentVersion>,
    provider: Option<SentProvider>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct SentVersion {
    version: Option<String>,
    description: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct SentProvider {
    url: Option<String>,
}

impl CloudBody {
    /// Parses a body, which may be empty, and refuses what a repository cannot do.
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let invalid = |error: serde_json::Error| format!("the body is not valid: {error}");
        let sent: SentBody = if text.trim_ascii().is_empty() {
            SentBody::default()
        } else {
            // A list would be read as the fields in their order.
            let sent: Map<String, Value> = serde_json::from_slice(text).map_err(invalid)?;
            serde_json::from_value(Value::Object(sent)).map_err(invalid)?
        };
        if sent.is_private == Some(true) {
            return Err("the repository decides who may read its boxes; make the repository private".to_owned());
        }
        if sent.provider.is_some_and(|provider| provider.url.is_some_and(|url| !url.is_empty())) {
            return Err("boxes of other servers cannot be listed; upload the box".to_owned());
        }
        let SentVersion { version, description } = sent.version.unwrap_or_default();
        let description = description.or(sent.description).or(sent.short_description);
        let description = description.map(|text| clean(&text, DESCRIPTION_CHARACTERS)).filter(|text| !text.is_empty());
        Ok(Self { username: sent.username, name: sent.name, version, description })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_names_a_box_or_a_version() {
        let read = |text: &str| CloudBody::parse(text.as_bytes());
        let new = read(r#"{"username":"boxes","name":"ubuntu","short_description":"a box"}"#).expect("valid");
        assert_eq!((new.name.as_deref(), new.description.as_deref()), (Some("ubuntu"), Some("a box")));
        let version = read(r#"{"version":{"version":"1.0","description":"notes"}}"#).expect("valid");
        assert_eq!((version.version.as_deref(), version.description.as_deref()), (Some("1.0"), Some("notes")));
        assert_eq!(read(""), Ok(CloudBody::default()));
        assert_eq!(read(r#"{"provider":{"name":"libvirt","checksum":"9f"}}"#), Ok(CloudBody::default()));
    }

    #[test]
    fn what_a_repository_cannot_do_is_refused() {
        for bad in [r#"{"is_private":true}"#, r#"{"provider":{"url":"https://x.example/a.box"}}"#, "[]", "{", "1"] {
            assert!(CloudBody::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
