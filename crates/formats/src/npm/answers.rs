//! Small documents that a registry answers with.

use model::timestamp::Timestamp;
use serde_json::{Value, json};

/// A package in the answer to a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPackage {
    /// Its name with its scope.
    pub name: String,
    /// Its latest version.
    pub version: String,
    /// Its description.
    pub description: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// The time of the latest version.
    pub date: Timestamp,
    /// Its home page.
    pub homepage: Option<String>,
    /// The user name of the publisher.
    pub publisher: Option<String>,
}

/// The answer to a search.
pub fn search(found: &[FoundPackage], total: u64, at: Timestamp) -> String {
    let objects: Vec<Value> = found.iter().map(object).collect();
    json!({ "objects": objects, "total": total, "time": at.to_string() }).to_string()
}

fn object(found: &FoundPackage) -> Value {
    let publisher = found.publisher.as_ref().map(|name| json!({ "username": name }));
    json!({
        "package": {
            "name": found.name,
            "version": found.version,
            "description": found.description.as_deref().unwrap_or_default(),
            "keywords": found.keywords,
            "date": found.date.to_string(),
            "links": found.homepage.as_ref().map_or_else(|| json!({}), |url| json!({ "homepage": url })),
            "maintainers": publisher.iter().collect::<Vec<_>>(),
            "publisher": publisher.clone().unwrap_or_else(|| json!({})),
        },
        "score": { "final": 1, "detail": { "quality": 1, "popularity": 1, "maintenance": 1 } },
        "searchScore": 1,
    })
}

/// The name of the caller.
pub fn whoami(user_name: &str) -> String {
    json!({ "username": user_name }).to_string()
}

/// The answer to a login with this API key as the password.
pub fn logged_in(user_name: &str, key: &str) -> String {
    json!({ "ok": format!("you are authenticated as '{user_name}'"), "token": key }).to_string()
}

/// The answer to a publish or another change.
pub fn done() -> String {
    json!({ "ok": true, "success": true }).to_string()
}

/// The body of a failure, which npm prints.
pub fn error(reason: &str) -> String {
    json!({ "error": reason, "reason": reason }).to_string()
}

/// The reason of a refusal to publish a version twice, in the words of npm's own registry.
pub fn published_before(version: &str) -> String {
    format!("You cannot publish over the previously published versions: {version}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_that_npm_reads() {
        assert_eq!(whoami("ada"), r#"{"username":"ada"}"#);
        assert_eq!(done(), r#"{"ok":true,"success":true}"#);
        assert_eq!(error("no"), r#"{"error":"no","reason":"no"}"#);
        assert!(logged_in("ada", "key").contains(r#""token":"key""#));
        assert_eq!(published_before("1.1.0"), "You cannot publish over the previously published versions: 1.1.0.");
    }

    #[test]
    fn a_search_has_packages() {
        let at = Timestamp::parse("2026-11-16T10:00:00Z").expect("a time");
        let found = FoundPackage {
            name: "@acme/hello".to_owned(),
            version: "1.0.0".to_owned(),
            description: None,
            keywords: vec!["a".to_owned()],
            date: at,
            homepage: Some("https://example.org".to_owned()),
            publisher: Some("ada".to_owned()),
        };
        let answer: Value = serde_json::from_str(&search(&[found], 1, at)).expect("JSON");
        assert_eq!((&answer["total"], &answer["time"]), (&json!(1), &json!("2026-11-16T10:00:00.000Z")));
        let package = &answer["objects"][0]["package"];
        assert_eq!((&package["name"], &package["description"]), (&json!("@acme/hello"), &json!("")));
        assert_eq!(package["links"], json!({ "homepage": "https://example.org" }));
        assert_eq!(package["publisher"], json!({ "username": "ada" }));
    }
}
