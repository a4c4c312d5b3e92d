//! The fields of a form, decoded. Unlike what stands in a query, a field may have several lines.

use model::target::decode_form;

use crate::error::{Failure, Result};

/// The fields, in the order in which they were sent.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a form. Lines end in one way, and there is no other control character.
    pub(super) fn parse(form: &str) -> Result<Self> {
        let broken = |reason: &str| Failure::bad_request(format!("The form is not valid: {reason}"));
        let mut fields = Vec::new();
        for pair in form.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode_form(name).map_err(broken)?;
            let value = decode_form(value).map_err(broken)?.replace("\r\n", "\n");
            if name.chars().chain(value.chars()).any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
                return Err(broken("a field holds a control character"));
            }
            fields.push((name, value));
        }
        Ok(Self(fields))
    }

    /// A field, however many lines it has; empty when it is absent. Repeating it with another value is refused.
    pub(super) fn text(&self, name: &str) -> Result<&str> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let first = values.next().unwrap_or_default();
        if values.any(|other| other != first) {
            return Err(Failure::bad_request("a field was sent several times with different values"));
        }
        Ok(first)
    }

    /// A field of one line; empty when it is absent.
    pub(super) fn line(&self, name: &str) -> Result<&str> {
        let text = self.text(name)?;
        if text.contains(['\n', '\t']) {
            return Err(Failure::bad_request(format!("{name}: it has more than one line")));
        }
        Ok(text)
    }

    /// The lines of a field that are not empty.
    pub(super) fn lines(&self, name: &str) -> Result<Vec<String>> {
        let lines = self.text(name)?.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(lines.map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_have_lines_and_a_line_is_one() {
        let fields = Fields::parse("a=x+y%26&b=1%0D%0A%0D%0A+2+%0A&c=%E2%82%AC").expect("a form");
        assert_eq!(fields.line("a").ok(), Some("x y&"));
        assert_eq!(fields.lines("b").ok(), Some(vec!["1".to_owned(), "2".to_owned()]));
        assert_eq!(fields.line("c").ok(), Some("\u{20ac}"));
        assert!(fields.line("b").is_err() && fields.line("d").is_ok_and(str::is_empty));
    }

    #[test]
    fn what_no_browser_sends_is_refused() {
        for bad in ["a=%00", "a=%0", "a=%FF", "a=%1B", "%07=a"] {
            assert!(Fields::parse(bad).is_err(), "{bad}");
        }
        assert!(Fields::parse("a=1&a=2").is_ok_and(|fields| fields.text("a").is_err()));
    }
}
