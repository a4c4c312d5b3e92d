//! Finds the parts of a source in which words are checked.

/// A part of a source.
pub(crate) struct Piece {
    pub(crate) line: usize,
    pub(crate) what: What,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// The name of a definition.
    Name,
    /// A string.
    Text,
    /// A string of a log macro.
    Log,
    /// A line of a doc comment or a document.
    Doc,
}

const DEFINING: &[&str] = &["fn", "struct", "enum", "trait", "mod", "const", "static", "type"];
const LOG: &[&str] = &["error", "warn", "info", "debug", "trace"];

/// Returns the lines of a document, without the names in code spans.
pub(crate) fn text(source: &str) -> Vec<Piece> {
    let doc = |(index, line): (usize, &str)| Piece { line: index + 1, what: What::Doc, text: without_names(line) };
    source.lines().enumerate().map(doc).collect()
}

fn without_names(line: &str) -> String {
    let spans = line.split('`').enumerate();
    spans.filter(|(index, span)| index % 2 == 0 || span.contains(' ')).map(|(_, span)| span).collect()
}

/// Returns the pieces of a Rust source without its `mod tests`; of a test, only the doc comments.
pub(crate) fn rust(source: &str, is_test: bool) -> Vec<Piece> {
    let end = source.find("#[cfg(test)]\nmod tests {").unwrap_or(source.len());
    let mut scanner = Scanner {
        rest: &source[..end],
        line: 1,
        pieces: Vec::new(),
        words: Vec::new(),
        depth: 0,
        log: None,
        is_test: false,
    };
    while scanner.step() {}
    scanner.pieces.retain(|piece| !is_test || piece.what == What::Doc);
    scanner.pieces
}

struct Scanner<'s> {
    rest: &'s str,
    line: usize,
    pieces: Vec<Piece>,
    /// The words and signs so far.
    words: Vec<&'s str>,
    depth: usize,
    /// The depth at which the arguments of a log macro began.
    log: Option<usize>,
    /// Whether the next definition is a test, whose name is a sentence.
    is_test: bool,
}

impl<'s> Scanner<'s> {
    /// Reads the next comment, string, word or sign.
    fn step(&mut self) -> bool {
        let rest = self.rest;
        let Some(first) = rest.chars().next() else { return false };
        if rest.starts_with("//") {
            let line = self.take(rest.find('\n').unwrap_or(rest.len()));
            if let Some(doc) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
                self.pieces.push(Piece { line: self.line, what: What::Doc, text: without_names(doc) });
            }
        } else if rest.starts_with("/*") {
            self.take(rest.find("*/").map_or(rest.len(), |end| end + 2));
        } else if let Some(hashes) = raw_string(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let from = rest.find('"').map_or(0, |quote| quote + 1);
            let length = rest[from..].find(&end).unwrap_or(rest.len() - from);
            self.string(&rest[from..from + length], from + length + end.len());
        } else if first == '"' {
            let length = string_length(&rest[1..]);
            self.string(&rest[1..=length], length + 2);
        } else if first == '\'' {
            self.take(character_length(rest));
        } else if first.is_alphanumeric() || first == '_' {
            self.word(rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()));
        } else {
            self.sign(first);
        }
        true
    }

    fn take(&mut self, length: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn string(&mut self, text: &str, length: usize) {
        let what = if self.log.is_some() { What::Log } else { What::Text };
        // A literal can continue on the next line.
        let joined = text.replace("\\\n", "").split_whitespace().collect::<Vec<_>>().join(" ");
        self.pieces.push(Piece { line: self.line, what, text: joined });
        self.take(length);
    }

    fn word(&mut self, length: usize) {
        let line = self.line;
        let word = self.take(length);
        let is_name = self.words.last().is_some_and(|before| DEFINING.contains(before)) && !DEFINING.contains(&word);
        if is_name && !std::mem::take(&mut self.is_test) {
            self.pieces.push(Piece { line, what: What::Name, text: word.to_owned() });
        }
        self.is_test |= word == "test" && matches!(self.words.as_slice(), [.., "#", "["] | [.., "tokio", ":", ":"]);
        self.words.push(word);
    }

    fn sign(&mut self, sign: char) {
        let text = self.take(sign.len_utf8());
        match sign {
            '(' => {
                if matches!(self.words.as_slice(), [.., name, "!"] if LOG.contains(name)) {
                    self.log = Some(self.depth);
                }
                self.depth += 1;
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.log = self.log.filter(|began| *began < self.depth);
            }
            _ => {}
        }
        if !sign.is_whitespace() {
            self.words.push(text);
        }
    }
}

/// Returns the number of `#` of a raw string that begins here.
fn raw_string(rest: &str) -> Option<usize> {
    let marks = rest.strip_prefix('r').or_else(|| rest.strip_prefix("br"))?;
    let hashes = marks.len() - marks.trim_start_matches('#').len();
    marks[hashes..].starts_with('"').then_some(hashes)
}

/// Returns the length of a string up to its closing quote.
fn string_length(rest: &str) -> usize {
    let mut is_escaped = false;
    let end = rest.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    end.map_or(rest.len(), |(at, _)| at)
}

/// Returns the length of a character, or of the quote of a lifetime.
fn character_length(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((after, _))) => rest[after + 1..].find('\'').map_or(1, |end| after + 1 + end + 1),
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}
