//! Texts that accompany packages and versions: readmes and release notes.

/// The markup language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// Markdown.
    Markdown,
    /// AsciiDoc.
    Asciidoc,
    /// No markup.
    PlainText,
}

impl Syntax {
    /// Returns the syntax with this name, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "markdown" => Some(Self::Markdown),
            "asciidoc" => Some(Self::Asciidoc),
            "plain_text" => Some(Self::PlainText),
            _ => None,
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Asciidoc => "asciidoc",
            Self::PlainText => "plain_text",
        }
    }
}

/// A text with its markup language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The markup language.
    pub syntax: Syntax,
    /// The text.
    pub content: String,
}

/// Rejects control characters that no text needs. Form feeds are allowed, because old changelogs separate pages with
/// them.
pub fn check_content(content: &str) -> Result<(), &'static str> {
    if content.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}')) {
        return Err("it holds a control character");
    }
    Ok(())
}

/// The kind of a package's document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentKind {
    /// A description of the package.
    Readme,
    /// Notes on changes.
    ReleaseNotes,
}

impl DocumentKind {
    /// Returns the name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            DocumentKind::Readme => "readme",
            DocumentKind::ReleaseNotes => "release_notes",
        }
    }

    /// Parses the name of a kind; the schema allows no third one.
    pub fn parse(name: &str) -> Self {
        if name == "readme" { DocumentKind::Readme } else { DocumentKind::ReleaseNotes }
    }
}

/// A document and the form in which it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedDocument {
    /// The document.
    pub document: Document,
    /// Whether it was sent in the first form of this API, wrapped in an object.
    pub is_wrapped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_syntax_has_a_name() {
        for syntax in [Syntax::Markdown, Syntax::Asciidoc, Syntax::PlainText] {
            assert_eq!(Syntax::parse(syntax.as_str()), Some(syntax));
        }
        assert_eq!(Syntax::parse("MARKDOWN"), Some(Syntax::Markdown));
        assert_eq!(Syntax::parse("html"), None);
    }

    #[test]
    fn a_text_has_lines_and_pages_and_no_other_controls() {
        assert!(check_content("# Cat\r\n\n\tmeow\u{c}\n").is_ok());
        assert!(check_content("\u{1b}[1mCat").is_err());
        assert!(check_content("\u{85}").is_err());
    }
}
