//! E-mail addresses of users.

/// An address that looks like one: something, `@`, a host. Whether it takes mail, only mail can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

/// The text does not look like an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an e-mail address")]
pub struct InvalidEmail(String);

impl Email {
    /// Checks the form of an address, at most 254 bytes long.
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

    /// The address as it was given, without blanks around it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What picture services hash: the address in lower case.
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
