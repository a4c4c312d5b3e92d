//! The fields of larger forms, whose texts have lines. They come from our own pages only, like all forms.

use axum::{
    body::{Body, to_bytes},
    http::StatusCode,
};
use model::target::parse_form;

use super::{
    forms::{check_token, session_of, unread},
    posted::OfSession,
    visitor::Visitor,
};
use crate::{
    App,
    error::{Failure, Result},
};

/// The most bytes of a form. Encoded, each byte of a text takes three.
const FORM_BYTES: usize = 3 * TEXT_BYTES;

/// The most bytes of its fields: as much as a body of the API may have.
const TEXT_BYTES: usize = 256 * 1024;

/// What a form holds: what was sent, or what it begins with.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent(Vec<(String, String)>);

impl Sent {
    /// What a form begins with.
    pub(super) fn of<const N: usize>(fields: [(&str, String); N]) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// Lines end as they do everywhere else, and no name stands twice.
    fn parse(form: &str) -> Result<Self> {
        let mut fields: Vec<(String, String)> = Vec::new();
        for (name, value) in parse_form(form)? {
            if fields.iter().any(|(known, _)| *known == name) {
                return Err(Failure::bad_request("A field of the form stands twice"));
            }
            fields.push((name, value.replace("\r\n", "\n")));
        }
        if fields.iter().map(|(_, value)| value.len()).sum::<usize>() > TEXT_BYTES {
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "The form holds more than 256 KiB of text"));
        }
        Ok(Self(fields))
    }

    /// A field as it is; empty when it is absent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    }

    /// A field of one line, without blanks around it.
    pub(super) fn line(&self, name: &str) -> &str {
        self.text(name).trim()
    }

    /// A field of one line that may be left empty.
    pub(super) fn optional(&self, name: &str) -> Option<String> {
        Some(self.line(name)).filter(|line| !line.is_empty()).map(str::to_owned)
    }

    /// A number that may be left empty.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>> {
        let number = |text: String| text.parse().map_err(|_| format!("{name}: '{}' is not a number", cut(&text)));
        self.optional(name).map(number).transpose().map_err(Failure::bad_request)
    }

    /// A list, one item a line.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        self.text(name).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// Whether a box was checked.
    pub(super) fn is_checked(&self, name: &str) -> bool {
        self.text(name) == CHECKED
    }
}

impl OfSession for Sent {
    async fn read_of(app: &App, visitor: &Visitor, body: Body) -> Result<Self> {
        let token = session_of(visitor)?;
        let form = to_bytes(body, FORM_BYTES).await;
        let form = form.map_err(|error| unread(&error))?;
        let form = std::str::from_utf8(&form).map_err(|_| Failure::bad_request("The form is not UTF-8"))?;
        let sent = Self::parse(form)?;
        check_token(app, &token, sent.text("form_token"))?;
        Ok(sent)
    }
}

/// What a checked box sends.
pub(super) const CHECKED: &str = "1";

/// The value of a box.
pub(super) fn checked(is_checked: bool) -> String {
    if is_checked { CHECKED.to_owned() } else { String::new() }
}

fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_texts_lists_numbers_and_boxes() {
        let sent = Sent::parse("name=+cat+&labels=a%0D%0A%0D%0A+b&days=7&private=1").expect("well formed");
        assert_eq!((sent.line("name"), sent.text("name"), sent.text("other")), ("cat", " cat ", ""));
        assert_eq!(sent.list("labels"), ["a", "b"]);
        assert_eq!(sent.number("days").expect("a number"), Some(7));
        assert_eq!(sent.number("other").expect("none"), None);
        assert!(sent.number("name").is_err());
        assert!(sent.is_checked("private") && !sent.is_checked("days"));
    }

    #[test]
    fn a_field_stands_once_and_the_whole_is_bounded() {
        assert!(Sent::parse("a=1&a=1").is_err());
        assert!(Sent::parse(&format!("a={}", "x".repeat(TEXT_BYTES + 1))).is_err());
    }
}
