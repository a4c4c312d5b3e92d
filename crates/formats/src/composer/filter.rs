//! The names that `list.json` is asked for.

use super::name::ComposerName;

/// A vendor, and a pattern in which `*` stands for any characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameFilter<'a> {
    vendor: Option<&'a str>,
    pattern: Option<&'a str>,
}

impl<'a> NameFilter<'a> {
    /// A filter of these query parameters. With a vendor, the pattern is for the second part of a name.
    pub(super) fn new(vendor: Option<&'a str>, pattern: Option<&'a str>) -> Self {
        let given = |text: &&str| !text.is_empty();
        Self { vendor: vendor.filter(given), pattern: pattern.filter(given) }
    }

    /// Returns whether a name matches.
    pub(super) fn matches(&self, name: &ComposerName) -> bool {
        let (own, rest) = name.as_str().split_once('/').unwrap_or((name.as_str(), ""));
        let text = if self.vendor.is_some() { rest } else { name.as_str() };
        self.vendor.is_none_or(|vendor| vendor == own) && self.pattern.is_none_or(|pattern| is_match(pattern, text))
    }
}

/// Compares piece by piece: the first begins the text, the last ends it, and the others follow each other.
fn is_match(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*').filter(|piece| !piece.is_empty()) {
        let Some(at) = text.find(piece) else { return false };
        text = &text[at + piece.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        let name = ComposerName::parse("acme/hello-world").expect("a name");
        let matches = |vendor, pattern| NameFilter::new(vendor, pattern).matches(&name);
        assert!(matches(None, None) && matches(Some(""), Some("")));
        for pattern in ["acme/*", "*", "*hello*", "a*o-w*d", "acme/hello-world", "acme/**"] {
            assert!(matches(None, Some(pattern)), "{pattern}");
        }
        for pattern in ["acme", "hello*", "*hello", "acme/hello-world*x", "a*hello*hello*"] {
            assert!(!matches(None, Some(pattern)), "{pattern}");
        }
        assert!(matches(Some("acme"), Some("hello*")) && matches(Some("acme"), None));
        assert!(!matches(Some("other"), None) && !matches(Some("acme"), Some("acme/*")));
    }
}
