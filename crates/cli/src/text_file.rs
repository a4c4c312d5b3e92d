//! Text that a command reads from a file or from standard input, and its syntax.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use clap::ValueEnum;

use crate::error::{Error, Result};

/// The syntax of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Syntax {
    /// Markdown
    Markdown,
    /// AsciiDoc
    Asciidoc,
    /// Plain text
    PlainText,
}

impl Syntax {
    /// The name in the API.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Asciidoc => "asciidoc",
            Self::PlainText => "plain_text",
        }
    }

    /// The syntax that the name of a file suggests.
    pub(crate) fn of(file: &Path) -> Self {
        match file.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("adoc" | "asciidoc" | "asc") => Self::Asciidoc,
            Some("txt" | "text") => Self::PlainText,
            _ => Self::Markdown,
        }
    }
}

/// Reads a text file, or standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(|error| Error::local("standard input", error))?;
        return Ok(text);
    }
    fs::read_to_string(file).map_err(|error| Error::local(file.display(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_suggests_its_syntax() {
        for (name, syntax) in [
            ("README.md", Syntax::Markdown),
            ("README", Syntax::Markdown),
            ("NOTES.ADOC", Syntax::Asciidoc),
            ("terms.txt", Syntax::PlainText),
        ] {
            assert_eq!(Syntax::of(Path::new(name)), syntax, "{name}");
        }
    }
}
