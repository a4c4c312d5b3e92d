//! E-mail addresses of users.

/// A text in the form of an e-mail address: a local part, `@`, a host. It may still not accept mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

/// The text does not look like an e-mail address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an e-mail address")]
pub struct InvalidEmail(String);

impl Email {
    /// Checks the form of an e-mail address of at most 254 bytes.
    pub fn parse(text: &str) -> Result<Self, InvalidEmail> {
        let text = text.trim();
        let is_plain = text.len() <= 254 && !text.chars().any(|c| c.is_control() || c.is_whitespace());
        match text.rsplit_once('@') {
            Some((user, host))
                if is_plain && !user.is_empty() && !host.is_empty() && !host.contains(['<', '>', ',']) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(InvalidEmail(text.chars().take(60).collect())),
        }
    }

    /// The e-mail address as it was given, without surrounding whitespace.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The e-mail address in lower case, which avatar services hash.
    pub fn folded(&self) -> String {
        self.0.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_two_parts() {
        assert_eq!(Email::parse(" Ada@Example.org ").expect("valid").folded(), "ada@example.org");
        for bad in ["", "@", "a@", "@b", "a", "a b@c", "a@b\nc", &format!("{}@b", "x".repeat(254))] {
            assert!(Email::parse(bad).is_err(), "{bad}");
        }
    }
}
