//! Submitted forms. Their fields always come from [`Form::read`]: bounded, one value per name, with a valid token.
//!
//! The edge has already rejected forms that a page of another site submits, as it does for every request that changes
//! something.

mod ask;
mod field;
mod form_page;
mod read;
mod submitted;
mod token;

use std::collections::HashSet;

use model::{target::parse_form, timestamp::Timestamp};
use web::error::{Failure, Result};

pub(crate) use field::Field;
pub(crate) use form_page::{FormPage, Row};
pub(crate) use submitted::Submitted;
pub(crate) use token::{check_token, session_of};

use crate::{notice::Notice, sizes};

/// The value of a checked checkbox.
pub(crate) const CHECKED: &str = "1";

/// The most characters of a value that a message repeats.
const SHOWN_CHARS: usize = 40;

/// The fields of a form: as submitted, or as a page first shows them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// A form with these values.
    pub(crate) fn with<'f>(fields: impl IntoIterator<Item = (&'f str, String)>) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The form with another value of a field.
    pub(crate) fn replaced(mut self, name: &str, value: String) -> Self {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), value));
        self
    }

    /// Parses an encoded form. Each name appears once.
    fn parse(text: &str) -> Result<Self> {
        let fields = parse_form(text)?;
        let mut names = HashSet::new();
        if !fields.iter().all(|(name, _)| names.insert(name.as_str())) {
            return Err(Failure::bad_request("The form contains a field twice"));
        }
        Ok(Self(fields))
    }

    /// How many bytes of text the fields have.
    fn text_bytes(&self) -> usize {
        self.0.iter().map(|(_, value)| value.len()).sum()
    }

    /// A notice of its rejection, on a page that shows it again.
    pub(crate) fn refusal(&self, failure: Failure) -> Result<Notice> {
        Ok(Notice { refused: self.0.clone(), ..Notice::from_failure(failure)? })
    }

    /// A field as it is; empty if it is absent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    }

    /// A field of one line; empty if it is absent.
    pub(crate) fn line(&self, name: &str) -> Result<&str> {
        match self.text(name) {
            text if text.contains(['\n', '\t']) => {
                Err(Failure::bad_request(format!("{name}: it has more than one line")))
            }
            text => Ok(text),
        }
    }

    /// A field of one line without surrounding blanks.
    pub(crate) fn trimmed(&self, name: &str) -> Result<&str> {
        self.line(name).map(str::trim)
    }

    /// A field of one line without surrounding blanks; `None` if it is empty.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<String>> {
        Ok(Some(self.trimmed(name)?).filter(|text| !text.is_empty()).map(str::to_owned))
    }

    /// A whole number; `None` if the field is empty.
    pub(crate) fn number(&self, name: &str) -> Result<Option<i64>> {
        let number = |text: String| {
            let shown: String = text.chars().take(SHOWN_CHARS).collect();
            text.parse().map_err(|_| Failure::bad_request(format!("{name}: '{shown}' is not a whole number")))
        };
        self.optional(name)?.map(number).transpose()
    }

    /// A number of bytes, with or without a unit; `None` if the field is empty.
    pub(crate) fn size(&self, name: &str) -> Result<Option<i64>> {
        let size = |text: String| {
            let shown: String = text.chars().take(SHOWN_CHARS).collect();
            let wrong = || Failure::bad_request(format!("{name}: '{shown}' is not a size such as 10 GB"));
            sizes::parse(&text).and_then(|bytes| i64::try_from(bytes).ok()).ok_or_else(wrong)
        };
        self.optional(name)?.map(size).transpose()
    }

    /// A point in time; `None` if the field is empty. A date picker sends neither a time zone, which is UTC, nor
    /// seconds if there are none.
    pub(crate) fn moment(&self, name: &str) -> Result<Option<Timestamp>> {
        let moment = |text: String| {
            let complete =
                ["", "Z", ":00Z"].into_iter().find_map(|rest| Timestamp::parse(&format!("{text}{rest}")).ok());
            let wrong = |error| Failure::bad_request(format!("{name}: {error}"));
            complete.map_or_else(|| Timestamp::parse(&text).map_err(wrong), Ok)
        };
        self.optional(name)?.map(moment).transpose()
    }

    /// The items of a list, one per line.
    pub(crate) fn lines(&self, name: &str) -> Vec<String> {
        self.text(name).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// Whether a checkbox is checked.
    pub(crate) fn is_checked(&self, name: &str) -> bool {
        self.text(name) == CHECKED
    }

    /// Rejects the form unless its field `confirm` contains the name of the object that it deletes.
    pub(crate) fn check_confirmed(&self, name: &str) -> Result<()> {
        if self.trimmed("confirm")? == name {
            Ok(())
        } else {
            Err(Failure::bad_request(format!("Type '{name}' to confirm")))
        }
    }
}

/// A point in time as a date picker shows it, in UTC.
pub(crate) fn picked(moment: Option<Timestamp>) -> String {
    let text = moment.map(|moment| moment.to_string()).unwrap_or_default();
    let text = text.strip_suffix('Z').unwrap_or(&text);
    text.strip_suffix(".000").unwrap_or(text).to_owned()
}

/// The value of a checkbox.
pub(crate) fn checked(is_checked: bool) -> String {
    if is_checked { CHECKED.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_texts_lines_lists_numbers_and_checkboxes() {
        let form =
            Form::parse("name=+cat+&labels=a%0D%0A%0D%0A+b&days=7&private=1&euro=%E2%82%AC").expect("well formed");
        assert_eq!((form.text("name"), form.text("other")), (" cat ", ""));
        assert_eq!(form.line("name").ok(), Some(" cat "));
        assert_eq!((form.trimmed("name").ok(), form.trimmed("euro").ok()), (Some("cat"), Some("\u{20ac}")));
        assert_eq!((form.text("labels"), form.lines("labels")), ("a\n\n b", vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!((form.number("days").ok(), form.number("other").ok()), (Some(Some(7)), Some(None)));
        assert!(form.number("name").is_err() && form.line("labels").is_err());
        assert!(form.is_checked("private") && !form.is_checked("days") && !form.is_checked("other"));
    }

    #[test]
    fn a_moment_comes_from_a_picker_or_from_a_text() {
        let texts = ["2026-12-31", "2026-12-31T00:00", "2026-12-31T00:00:00", "2026-12-31T00:00:00.000Z"];
        for text in texts {
            let moment = Form::with([("at", text.to_owned())]).moment("at").ok().flatten().expect("a time");
            assert_eq!(picked(Some(moment)), "2026-12-31T00:00:00", "{text}");
        }
        let odd = Timestamp::parse("2026-12-31T10:00:00.250Z").ok();
        let form = Form::with([("at", picked(odd))]);
        assert_eq!((form.moment("at").ok(), picked(None)), (Some(odd), String::new()));
        assert!(Form::with([("at", "tomorrow".to_owned())]).moment("at").is_err());
    }

    #[test]
    fn a_repeated_name_and_control_characters_are_refused() {
        for bad in ["a=1&a=1", "a=1&b=2&a=", "a=%00", "a=%0D", "a=%1B", "%07=a", "a=%FF", "a=%0"] {
            assert!(Form::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_deletion_is_confirmed_by_the_name() {
        let form = Form::with([("confirm", " cat ".to_owned())]);
        assert!(form.check_confirmed("cat").is_ok() && form.check_confirmed("dog").is_err());
    }
}
