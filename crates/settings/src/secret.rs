//! Values that are used and never shown: their `Debug` and their serialised form are masked.
//! Also the masking of whatever an error message repeats.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

const MASK: &str = "***";

/// Keys whose value is never repeated, in no form.
const SECRET_KEYS: [&str; 1] = ["s3.secret_access_key"];

/// A text that must not be seen.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Secret(String);

impl Secret {
    /// Wraps `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one place that needs it.
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

/// The address of a database; the password in it is masked wherever it is shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Wraps `text`, which is checked with the other settings.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The whole address with its password, for the one place that connects.
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

/// How a message repeats the value that `key` was given.
pub(super) fn shown(key: &str, value: &str) -> String {
    if SECRET_KEYS.contains(&key) { MASK.to_owned() } else { masked_url(value) }
}

/// Masks passwords before the last `@` and in `password=` parameters.
/// Too much masked is a nuisance, too little is a leak: what has no clear form is masked whole.
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
