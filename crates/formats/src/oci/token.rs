//! The challenge of the token endpoint, scopes and the token's document.

use model::timestamp::Timestamp;
use serde_json::json;

use super::name::ImageName;
use crate::documents::seconds;

/// The service in challenges.
pub const SERVICE: &str = "packhouse";

/// The header that every answer below `/v2/` has.
pub const API_VERSION: (&str, &str) = ("Docker-Distribution-Api-Version", "registry/2.0");

/// A scope that a client asks a token for: `repository:<name>:pull,push`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenScope {
    /// The image.
    pub name: ImageName,
    /// Whether the client wants to read.
    pub pull: bool,
    /// Whether the client wants to write.
    pub push: bool,
    /// Whether the client wants to delete.
    pub delete: bool,
}

impl TokenScope {
    /// A scope to read an image, and to write it if wanted.
    pub fn new(name: ImageName, push: bool) -> Self {
        Self { name, pull: true, push, delete: false }
    }

    /// Parses a scope. Scopes that mean nothing here are `None`; clients send them, and they are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, actions) = text.strip_prefix("repository:")?.rsplit_once(':')?;
        let name = ImageName::parse(name).ok()?;
        let has = |action: &str| actions.split(',').any(|word| word.trim() == action || word.trim() == "*");
        Some(Self { name, pull: has("pull"), push: has("push"), delete: has("delete") })
    }
}

impl std::fmt::Display for TokenScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = [("pull", self.pull), ("push", self.push), ("delete", self.delete)];
        let actions: Vec<&str> = words.into_iter().filter(|(_, has)| *has).map(|(word, _)| word).collect();
        write!(f, "repository:{}:{}", self.name, actions.join(","))
    }
}

/// Parses all scopes of a token request: several values, and several scopes in one value.
pub fn scopes<'a>(values: impl IntoIterator<Item = &'a str>) -> Vec<TokenScope> {
    values.into_iter().flat_map(|value| value.split(' ')).filter_map(TokenScope::parse).collect()
}

/// The `WWW-Authenticate` header. `public_url` is the server's URL from its settings; `is_refused` says that the
/// presented token is not good.
pub fn challenge(public_url: &str, scope: Option<&TokenScope>, is_refused: bool) -> String {
    let mut text = format!("Bearer realm=\"{public_url}/v2/token\",service=\"{SERVICE}\"");
    if let Some(scope) = scope {
        text.push_str(&format!(",scope=\"{scope}\""));
    }
    if is_refused {
        text.push_str(",error=\"invalid_token\"");
    }
    text
}

/// The answer of the token endpoint.
pub fn token_document(token: &str, lifetime_seconds: u64, issued: Timestamp) -> String {
    let document = json!({
        "token": token, "access_token": token, "expires_in": lifetime_seconds, "issued_at": seconds(issued),
    });
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_and_others_ignored() {
        let read = scopes(["repository:a/b/c:pull,push repository:a/b/d:pull", "registry:catalog:*", "", "x:y"]);
        let texts: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["repository:a/b/c:pull,push", "repository:a/b/d:pull"]);
        assert_eq!(TokenScope::parse("repository:a/b/c:*").map(|scope| scope.delete), Some(true));
        for bad in ["repository:a/b/C:pull", "repository:a/b:pull", "repository:a/b/c\"\r\n:pull", "repository:"] {
            assert_eq!(TokenScope::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_challenge_names_realm_service_and_scope() {
        let scope = TokenScope::new(ImageName::parse("acme/img/app").expect("a name"), false);
        assert_eq!(
            challenge("https://h", Some(&scope), false),
            "Bearer realm=\"https://h/v2/token\",service=\"packhouse\",scope=\"repository:acme/img/app:pull\""
        );
        let refused = "Bearer realm=\"https://h/v2/token\",service=\"packhouse\",error=\"invalid_token\"";
        assert_eq!(challenge("https://h", None, true), refused);
    }

    #[test]
    fn a_token_has_both_names() {
        assert_eq!(
            token_document("t", 900, Timestamp::EPOCH),
            r#"{"access_token":"t","expires_in":900,"issued_at":"1970-01-01T00:00:00Z","token":"t"}"#
        );
    }
}
