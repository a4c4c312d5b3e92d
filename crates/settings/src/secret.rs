//! Values that are never printed: their `Debug` output and their serialized form are masked.
//! Also masks the values that error messages quote.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

const MASK: &str = "***";

/// Keys whose value is never quoted, in any form.
const SECRET_KEYS: [&str; 2] = ["s3.secret_access_key", "oidc.client_secret"];

/// A string that is never printed.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Secret(String);

impl Secret {
    /// Wraps `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the string itself, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(MASK)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(MASK)
    }
}

/// The URL of a database. The password in it is masked wherever it is printed.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Wraps `text`, which is validated with the other settings.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the full URL with its password, for the one place that connects.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&masked_url(&self.0))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for DatabaseUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Returns the value of `key` as a message may quote it.
pub(super) fn shown(key: &str, value: &str) -> String {
    if SECRET_KEYS.contains(&key) { MASK.to_owned() } else { masked_url(value) }
}

/// Masks passwords before the last `@` and in `password=` parameters. Masking too much is a nuisance, masking too
/// little is a leak: text without a clear form that may contain a password is masked completely.
fn masked_url(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        let suspect = text.contains('@') || text.to_ascii_lowercase().contains("password");
        return if suspect { MASK } else { text }.to_owned();
    };
    let rest = match rest.rsplit_once('@') {
        Some((login, place)) => match login.split_once(':') {
            Some((user, _)) => format!("{user}:{MASK}@{}", masked_parameters(place)),
            None => format!("{login}@{}", masked_parameters(place)),
        },
        None => masked_parameters(rest),
    };
    format!("{scheme}://{rest}")
}

fn masked_parameters(text: &str) -> String {
    let Some((place, query)) = text.split_once('?') else {
        return text.to_owned();
    };
    let parameters: Vec<String> = query
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((name, _)) if name.to_ascii_lowercase().contains("password") => {
                format!("{name}={MASK}")
            }
            _ => parameter.to_owned(),
        })
        .collect();
    format!("{place}?{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_seen_in_debug_or_json() {
        let secret = Secret::new("hush");
        assert_eq!(format!("{secret:?}"), "***");
        assert_eq!(serde_json::json!(secret), serde_json::json!("***"));
        assert_eq!(secret.reveal(), "hush");
    }

    #[test]
    fn the_password_of_a_database_url_is_masked() {
        let url = DatabaseUrl::new("postgres://ada:hush@db.example.com:5432/packhouse?sslmode=require");
        let masked = "postgres://ada:***@db.example.com:5432/packhouse?sslmode=require";
        assert_eq!(url.to_string(), masked);
        assert_eq!(format!("{url:?}"), masked);
        assert_eq!(serde_json::json!(url), serde_json::json!(masked));
    }

    #[test]
    fn a_password_with_an_at_sign_or_a_slash_is_masked_whole() {
        assert_eq!(masked_url("postgres://ada:a@b@host/x"), "postgres://ada:***@host/x");
        assert_eq!(masked_url("postgres://ada:a/b@host/x"), "postgres://ada:***@host/x");
    }

    #[test]
    fn a_password_parameter_is_masked() {
        assert_eq!(masked_url("postgres://host/x?user=ada&password=hush"), "postgres://host/x?user=ada&password=***");
        assert_eq!(masked_url("postgres://ada@host/x?password=hush"), "postgres://ada@host/x?password=***");
    }

    #[test]
    fn a_text_of_no_clear_form_is_masked_whole() {
        assert_eq!(masked_url("host=x password=hush"), "***");
        assert_eq!(masked_url("ada:hush@host"), "***");
        assert_eq!(masked_url("./blobs"), "./blobs");
    }

    #[test]
    fn a_secret_key_shows_no_value() {
        assert_eq!(shown("s3.secret_access_key", "hush"), "***");
    }
}
