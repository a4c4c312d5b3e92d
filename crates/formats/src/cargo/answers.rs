//! The documents that a registry answers with.

use serde_json::{Value, json};

use crate::base::{BASE, json_text};

/// A crate in the answer to a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCrate {
    /// Its name.
    pub name: String,
    /// Its highest version.
    pub max_version: String,
    /// Its description.
    pub description: Option<String>,
}

/// An owner of a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateOwner {
    /// A number that identifies the owner.
    pub id: u32,
    /// The user name.
    pub login: String,
    /// The full name.
    pub name: Option<String>,
}

/// `config.json`, with the marker for the URL of the repository. Cargo sends its token with every request if the
/// repository is private.
pub fn config(is_private: bool) -> String {
    let mut config = json!({ "dl": format!("{BASE}/crates/{{crate}}/{{crate}}-{{version}}.crate"), "api": BASE });
    if is_private {
        config["auth-required"] = Value::Bool(true);
    }
    json_text(&config)
}

/// The answer to a search.
pub fn search(crates: &[FoundCrate], total: u64) -> String {
    let crates: Vec<Value> = crates
        .iter()
        .map(|found| json!({ "name": found.name, "max_version": found.max_version, "description": found.description }))
        .collect();
    json!({ "crates": crates, "meta": { "total": total } }).to_string()
}

/// The owners of a crate.
pub fn owners(owners: &[CrateOwner]) -> String {
    let users: Vec<Value> =
        owners.iter().map(|owner| json!({ "id": owner.id, "login": owner.login, "name": owner.name })).collect();
    json!({ "users": users }).to_string()
}

/// The answer to a publish.
pub fn published() -> String {
    json!({ "warnings": { "invalid_categories": [], "invalid_badges": [], "other": [] } }).to_string()
}

/// The answer to a yank or an unyank.
pub fn done() -> String {
    json!({ "ok": true }).to_string()
}

/// The body of a failure, which Cargo prints.
pub fn error(detail: &str) -> String {
    json!({ "errors": [{ "detail": detail }] }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_has_absolute_urls() {
        let public = "{\"api\":\"\u{2}base\u{2}\",\"dl\":\"\u{2}base\u{2}/crates/{crate}/{crate}-{version}.crate\"}";
        assert_eq!(config(false), public);
        assert!(config(true).contains("\"auth-required\":true"));
    }

    #[test]
    fn answers_are_those_that_cargo_reads() {
        let found = FoundCrate { name: "a".to_owned(), max_version: "1.0.0".to_owned(), description: None };
        let text = r#"{"crates":[{"description":null,"max_version":"1.0.0","name":"a"}],"meta":{"total":7}}"#;
        assert_eq!(search(&[found], 7), text);
        let owner = CrateOwner { id: 1, login: "ada".to_owned(), name: Some("Ada".to_owned()) };
        assert_eq!(owners(&[owner]), r#"{"users":[{"id":1,"login":"ada","name":"Ada"}]}"#);
        assert_eq!(published(), r#"{"warnings":{"invalid_badges":[],"invalid_categories":[],"other":[]}}"#);
        assert_eq!(done(), r#"{"ok":true}"#);
        assert_eq!(error("a \"b\""), r#"{"errors":[{"detail":"a \"b\""}]}"#);
    }
}
