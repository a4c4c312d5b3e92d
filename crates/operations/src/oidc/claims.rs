//! The claims of a token whose signature was right.

use model::timestamp::Timestamp;
use serde_json::{Map, Value};

/// How far the clock of an issuer may be off, in seconds.
const SKEW_SECS: i64 = 60;

/// The longest time for which a token may still be valid, in seconds.
const LONGEST_SECS: i64 = 24 * 60 * 60;

/// The most bytes of a subject.
const SUBJECT_BYTES: usize = 255;

/// The claims of a token, or of the provider's answer about a user.
#[derive(Debug, Clone, Default)]
pub(crate) struct Claims(Map<String, Value>);

/// What the claims of a token must say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'e> {
    /// The issuer.
    pub(crate) issuer: &'e str,
    /// The audience.
    pub(crate) audience: &'e str,
    /// The current time.
    pub(crate) now: Timestamp,
}

impl Claims {
    pub(super) fn new(claims: Map<String, Value>) -> Self {
        Self(claims)
    }

    /// Reads the provider's answer about a user.
    pub(crate) fn parse(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok().map(Self)
    }

    /// The text of a claim; numbers and truth values have one, lists and objects have none.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// The texts of a claim that is a list; one text is a list of one.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        match self.0.get(name) {
            Some(Value::Array(items)) => items.iter().filter_map(|item| Some(item.as_str()?.to_owned())).collect(),
            Some(Value::String(text)) => vec![text.clone()],
            _ => Vec::new(),
        }
    }

    /// Returns whether a claim is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The subject, which a checked token always has.
    pub(crate) fn subject(&self) -> String {
        self.text("sub").unwrap_or_default()
    }

    /// The time after which the token is no longer valid, with the allowed difference of clocks.
    pub(crate) fn last_valid(&self) -> Timestamp {
        let expiry = self.seconds("exp").unwrap_or_default();
        Timestamp::from_millis(expiry.saturating_add(SKEW_SECS).saturating_mul(1_000))
    }

    /// Adds the claims that another answer has and this one has not.
    pub(crate) fn or(mut self, other: Self) -> Self {
        for (name, value) in other.0 {
            self.0.entry(name).or_insert(value);
        }
        self
    }

    /// Explains what is wrong with the claims, if something is.
    pub(crate) fn check(&self, expected: &Expected<'_>) -> Result<(), &'static str> {
        if self.0.get("iss").and_then(Value::as_str) != Some(expected.issuer) {
            return Err("it is from another issuer");
        }
        let audiences = self.texts("aud");
        let is_party = self.text("azp").is_none_or(|party| party == expected.audience);
        let is_alone = audiences.len() == 1 || self.has("azp");
        if !audiences.iter().any(|one| one == expected.audience) || !is_party || !is_alone {
            return Err("it is for another audience");
        }
        if !self.text("sub").is_some_and(|subject| !subject.is_empty() && subject.len() <= SUBJECT_BYTES) {
            return Err("it has no subject");
        }
        self.check_times(expected.now.millis().div_euclid(1_000))
    }

    fn check_times(&self, now: i64) -> Result<(), &'static str> {
        let (Some(expiry), Some(issued)) = (self.seconds("exp"), self.seconds("iat")) else {
            return Err("it does not say from when and until when it is valid");
        };
        if now >= expiry.saturating_add(SKEW_SECS) {
            return Err("it has expired");
        }
        let not_before = if self.has("nbf") { self.seconds("nbf").ok_or("its nbf is not a time")? } else { issued };
        if now.saturating_add(SKEW_SECS) < issued.max(not_before) {
            return Err("it is not valid yet");
        }
        if expiry.saturating_sub(now) > LONGEST_SECS {
            return Err("it is valid for more than a day");
        }
        Ok(())
    }

    /// A time in seconds, which some issuers write with a fraction.
    fn seconds(&self, name: &str) -> Option<i64> {
        let value = self.0.get(name)?;
        let whole = value.as_f64().filter(|number| (0.0..1e11).contains(number)).map(f64::floor);
        value.as_i64().filter(|number| (0..100_000_000_000).contains(number)).or_else(|| {
            // The text of a whole number has no fraction and no exponent in this range.
            whole.and_then(|number| format!("{number:.0}").parse().ok())
        })
    }
}

#[cfg(test)]
mod tests;
