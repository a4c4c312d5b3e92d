//! The term of a name search.

use crate::{
    text::fold,
    unicode::{alike, composed},
};

/// Maximum length of a term in bytes: no name is longer.
const TERM_BYTES: usize = 200;

/// A text to find inside names or descriptions, in any letter case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTerm {
    folded: String,
    alike: String,
}

impl SearchTerm {
    /// Validates a term; an empty one is `None`.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        match text {
            "" => Ok(None),
            _ if text.len() > TERM_BYTES => Err("it is longer than 200 bytes"),
            _ if text.chars().any(char::is_control) => Err("it holds a control character"),
            _ => Ok(Some(Self { folded: fold(&composed(text)), alike: alike(text) })),
        }
    }

    /// The term in lower case, as it occurs in folded texts.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// The term as it occurs in the folded names of packages, which are also normalized.
    pub fn alike(&self) -> &str {
        &self.alike
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_folded_and_bounded() {
        let term = SearchTerm::parse("Stra%ß_").expect("a term").expect("not empty");
        assert_eq!(term.folded(), "stra%ss_");
        assert_eq!(SearchTerm::parse(""), Ok(None));
        assert!(SearchTerm::parse(&"x".repeat(200)).is_ok());
        assert!(SearchTerm::parse(&"x".repeat(201)).is_err());
        assert!(SearchTerm::parse("a\0b").is_err());
    }
}
