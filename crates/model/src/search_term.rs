//! What a name search looks for.

use crate::{
    text::fold,
    unicode::{alike, composed},
};

/// The most bytes of a term: no name is longer.
const TERM_BYTES: usize = 200;

/// A text that is looked for inside names or descriptions, without regard to letter case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchTerm {
    folded: String,
    alike: String,
}

impl SearchTerm {
    /// Checks a term; an empty one is none.
    pub fn parse(text: &str) -> Result<Option<Self>, &'static str> {
        match text {
            "" => Ok(None),
            _ if text.len() > TERM_BYTES => Err("it is longer than 200 bytes"),
            _ if text.chars().any(char::is_control) => Err("it holds a control character"),
            _ => Ok(Some(Self { folded: fold(&composed(text)), alike: alike(text) })),
        }
    }

    /// The term as folded texts hold it.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// The term as the folded names of packages hold it, which also have one form of their characters.
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
