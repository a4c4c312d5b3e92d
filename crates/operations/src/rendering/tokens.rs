//! Splits HTML into texts and tags. Comments, declarations, scripts and styles are skipped. Takes one pass for any
//! input.

/// A piece of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Text, with its entities as written.
    Text(&'t str),
    /// A start tag.
    Start(String, Vec<(String, &'t str)>),
    /// An end tag.
    End(String),
}

/// The maximum number of attributes of a tag. The check for duplicates costs their number for each.
const ATTRIBUTES: usize = 16;

/// Iterates over the tokens of a text.
pub(super) struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(html: &'t str) -> Self {
        Self { rest: html }
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Skips everything up to the end of this mark, or to the end of the text.
    fn skip_past(&mut self, mark: &str) {
        let end = self.rest.find(mark).map_or(self.rest.len(), |at| at + mark.len());
        self.take(end);
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|sign| !is_part(sign)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Reads a tag, whose name is next. `None` if the text ends within it.
    fn tag(&mut self) -> Option<(String, Vec<(String, &'t str)>)> {
        let name = self.take_while(|sign| !is_blank(sign) && !matches!(sign, '/' | '>')).to_ascii_lowercase();
        let mut attributes = Vec::new();
        loop {
            self.take_while(|sign| is_blank(sign) || sign == '/');
            if self.rest.is_empty() {
                return None;
            }
            if self.rest.starts_with('>') {
                self.take(1);
                return Some((name, attributes));
            }
            let attribute = self.attribute()?;
            if attributes.len() < ATTRIBUTES && attribute.0.bytes().all(is_plain) {
                attributes.push(attribute);
            }
        }
    }

    fn attribute(&mut self) -> Option<(String, &'t str)> {
        let equals = usize::from(self.rest.starts_with('='));
        let rest = &self.rest[equals..];
        let end = rest.find(|sign| is_blank(sign) || matches!(sign, '/' | '>' | '=')).unwrap_or(rest.len());
        let name = self.take(equals + end).to_ascii_lowercase();
        let before = self.rest;
        self.take_while(is_blank);
        if !self.rest.starts_with('=') {
            self.rest = before;
            return Some((name, ""));
        }
        self.take(1);
        self.take_while(is_blank);
        let value = match self.rest.bytes().next()? {
            quote @ (b'"' | b'\'') => {
                self.take(1);
                let value = self.take(self.rest.find(char::from(quote))?);
                self.take(1);
                value
            }
            _ => self.take_while(|sign| !is_blank(sign) && sign != '>'),
        };
        Some((name, value))
    }

    /// Skips the content of a script or a style, which is not HTML.
    fn skip_content(&mut self, name: &str) {
        loop {
            self.skip_past("</");
            let is_end = self.rest.get(..name.len()).is_some_and(|next| next.eq_ignore_ascii_case(name));
            if is_end || self.rest.is_empty() {
                self.skip_past(">");
                return;
            }
        }
    }

    fn markup(&mut self) -> Option<Token<'t>> {
        let second = self.rest[1..].chars().next();
        match second {
            Some('!' | '?') => {
                let mark = if self.rest.starts_with("<!--") { "-->" } else { ">" };
                self.skip_past(mark);
                None
            }
            Some('/') => {
                self.take(2);
                if !self.rest.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
                    self.skip_past(">");
                    return None;
                }
                self.whole_tag().map(|(name, _)| Token::End(name))
            }
            Some(sign) if sign.is_ascii_alphabetic() => {
                self.take(1);
                let (name, attributes) = self.whole_tag()?;
                if matches!(name.as_str(), "script" | "style") {
                    self.skip_content(&name);
                    return None;
                }
                Some(Token::Start(name, attributes))
            }
            _ => Some(Token::Text(self.take(1))),
        }
    }

    /// Reads a tag; an unclosed one consumes the rest of the text.
    fn whole_tag(&mut self) -> Option<(String, Vec<(String, &'t str)>)> {
        let tag = self.tag();
        if tag.is_none() {
            self.rest = "";
        }
        tag
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        while !self.rest.is_empty() {
            let text = self.rest.find('<').unwrap_or(self.rest.len());
            if text > 0 {
                return Some(Token::Text(self.take(text)));
            }
            if let Some(token) = self.markup() {
                return Some(token);
            }
        }
        None
    }
}

fn is_blank(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> String {
        let show = |token| match token {
            Token::Text(text) => format!("{text:?}"),
            Token::Start(name, attributes) => format!("<{name} {attributes:?}>"),
            Token::End(name) => format!("</{name}>"),
        };
        Tokens::new(html).map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tags_and_texts_are_told_apart() {
        assert_eq!(shown("a<B>c</b >d"), r#""a" <b []> "c" </b> "d""#);
        assert_eq!(shown("1 < 2 <"), r#""1 " "<" " 2 " "<""#);
        assert_eq!(shown("a<!-- <b> -->b<!doctype x>c<?php ?>d</ x>e</>f"), r#""a" "b" "c" "d" "e" "f""#);
        assert_eq!(shown("a<script>if (a < b) </b></SCRIPT >c<style>x"), r#""a" "c""#);
    }

    #[test]
    fn attributes_are_read_however_they_are_quoted() {
        let tag = r#"<a HREF="x>y" title='"' id=1/ checked data-x = z =odd a"b=c>"#;
        assert_eq!(
            shown(tag),
            r#"<a [("href", "x>y"), ("title", "\""), ("id", "1/"), ("checked", ""), ("data-x", "z")]>"#
        );
    }

    #[test]
    fn what_does_not_end_is_left_out() {
        for html in ["a<b", "a<b c", "a<b c=", "a<b c=\"d>e", "a</b", "a<!-- b", "a<script>b"] {
            assert_eq!(shown(html), "\"a\"", "{html}");
        }
    }

    #[test]
    fn a_tag_has_few_attributes() {
        let many: String = (0..100).map(|n| format!(" a{n}")).collect();
        let token = Tokens::new(&format!("<b{many}>")).next().map(|token| format!("{token:?}"));
        assert_eq!(token.expect("a tag").matches("\"a").count(), ATTRIBUTES);
    }
}
