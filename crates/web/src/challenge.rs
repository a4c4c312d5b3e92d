//! The challenge that asks for credentials.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::error::CHALLENGE;

/// The Basic challenge with the operator's realm, by which clients choose credentials.
#[derive(Debug, Clone)]
pub struct Challenge(HeaderValue);

impl Challenge {
    /// The challenge with this realm.
    pub fn new(realm: &str) -> Self {
        let quoted = realm.replace('\\', "\\\\").replace('"', "\\\"");
        let challenge = HeaderValue::try_from(format!("Basic realm=\"{quoted}\", charset=\"UTF-8\""));
        Self(challenge.unwrap_or(HeaderValue::from_static(CHALLENGE)))
    }

    /// Puts the realm into a response that asks for Basic credentials.
    pub fn put_into(&self, headers: &mut HeaderMap) {
        if let Some(challenge) = headers.get_mut(header::WWW_AUTHENTICATE).filter(|value| *value == CHALLENGE) {
            *challenge = self.0.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(realm: &str, said: &'static str) -> String {
        let mut headers = HeaderMap::from_iter([(header::WWW_AUTHENTICATE, HeaderValue::from_static(said))]);
        Challenge::new(realm).put_into(&mut headers);
        headers[header::WWW_AUTHENTICATE].to_str().expect("text").to_owned()
    }

    #[test]
    fn a_realm_is_quoted() {
        assert_eq!(asked("packhouse", CHALLENGE), CHALLENGE);
        assert_eq!(asked("Acme API", CHALLENGE), r#"Basic realm="Acme API", charset="UTF-8""#);
        assert_eq!(asked(r#"a "b" \c"#, CHALLENGE), r#"Basic realm="a \"b\" \\c", charset="UTF-8""#);
    }

    #[test]
    fn other_challenges_stay() {
        assert_eq!(asked("Acme API", "Bearer realm=\"x\""), "Bearer realm=\"x\"");
    }
}
