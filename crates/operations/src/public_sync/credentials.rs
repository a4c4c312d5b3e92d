//! Credentials of a registry. They exist only during a sync and are never stored.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::{Error, Result};

/// The maximum length of a name or a password.
const BYTES: usize = 1_000;

/// The replacement for a secret.
const HIDDEN: &str = "***";

/// The name and the password of a registry user or of a token.
#[derive(Clone)]
pub struct Credentials {
    username: String,
    password: String,
}

impl Credentials {
    /// Checks the credentials of a caller. Errors never contain them.
    pub fn new(username: Option<String>, password: Option<String>) -> Result<Self> {
        Ok(Self { username: check("username", username)?, password: check("password", password)? })
    }

    /// Both values encoded as one token, which both protocols use.
    pub(super) fn token(&self) -> String {
        BASE64_STANDARD.encode(format!("{}:{}", self.username, self.password))
    }

    /// Removes the secrets from a foreign text: a registry may echo the credentials.
    pub(super) fn scrub(&self, text: &str) -> String {
        let parts =
            [self.token(), BASE64_STANDARD.encode(&self.password), self.password.clone(), self.username.clone()];
        parts.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), HIDDEN))
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Credentials(hidden)")
    }
}

fn check(field: &'static str, text: Option<String>) -> Result<String> {
    let text = text.filter(|text| !text.is_empty()).ok_or_else(|| Error::invalid(field, "it is missing"))?;
    if text.len() > BYTES || text.chars().any(char::is_control) {
        return Err(Error::invalid(field, format!("it is longer than {BYTES} bytes or holds a control character")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(username: &str, password: &str) -> Result<Credentials> {
        Credentials::new(Some(username.to_owned()), Some(password.to_owned()))
    }

    #[test]
    fn nothing_shows_them() {
        let credentials = new("token-ada", "hush").expect("credentials");
        assert_eq!(format!("{credentials:?}"), "Credentials(hidden)");
        let echo = format!("Basic {} for token-ada with hush", credentials.token());
        assert_eq!(credentials.scrub(&echo), "Basic *** for *** with ***");
    }

    #[test]
    fn what_is_missing_is_named_and_nothing_else() {
        let reason = |made: Result<Credentials>| made.expect_err("refused").to_string();
        assert_eq!(reason(Credentials::new(None, Some("hush".to_owned()))), "username: it is missing");
        assert_eq!(reason(new("ada", "")), "password: it is missing");
        assert!(!reason(new("ada", "hush\n")).contains("hush"));
        assert!(new("ada", &"x".repeat(1_001)).is_err());
    }
}
