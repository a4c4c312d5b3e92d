//! Stanzas of fields, as in Debian control files and in R's DESCRIPTION.

use serde::{Deserialize, Serialize};

use super::quoted;

/// The maximum size of one field.
const FIELD_BYTES: usize = 64 * 1024;

/// The maximum number of fields.
const FIELDS: usize = 1_000;

/// The fields of one stanza, in their order. A value of several lines has them as in the source: the lines after the
/// first one begin with a blank. So no value can begin another field or stanza.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stanza {
    fields: Vec<(String, String)>,
}

impl Stanza {
    /// Parses a text of exactly one stanza.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        Self::parse_text(text)
    }

    /// Parses a text of exactly one stanza, which may have empty lines only before and after it.
    pub fn parse_text(text: &str) -> Result<Self, String> {
        let mut stanza = Stanza::default();
        for line in text.trim_matches('\n').split('\n') {
            stanza.add_line(line.strip_suffix('\r').unwrap_or(line))?;
        }
        Ok(stanza)
    }

    fn add_line(&mut self, line: &str) -> Result<(), String> {
        if line.chars().any(|character| character.is_control() && character != '\t') {
            return Err(format!("the line '{}' holds a control character", quoted(line)));
        }
        if line.trim().is_empty() {
            return Err("it has a blank line inside".to_owned());
        }
        if line.starts_with([' ', '\t']) {
            let (name, value) = self.fields.last_mut().ok_or("it begins with a blank")?;
            value.push('\n');
            value.push_str(line.trim_end());
            return check_size(name, value);
        }
        let is_name = |name: &&str| {
            !name.is_empty() && !name.starts_with(['#', '-']) && name.bytes().all(|byte| byte.is_ascii_graphic())
        };
        let (name, value) = line
            .split_once(':')
            .filter(|(name, _)| is_name(name))
            .ok_or_else(|| format!("the line '{}' is not a field", quoted(line)))?;
        if self.get(name).is_some() {
            return Err(format!("it has the field '{}' twice", quoted(name)));
        }
        if self.fields.len() >= FIELDS {
            return Err(format!("it has more than {FIELDS} fields"));
        }
        check_size(name, value)?;
        self.fields.push((name.to_owned(), value.trim().to_owned()));
        Ok(())
    }

    /// The value of a field; letter case makes no difference in its name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The value of a field that must be there, on one line, and not empty.
    pub fn line(&self, name: &str) -> Result<&str, String> {
        match self.get(name) {
            None | Some("") => Err(format!("it has no field '{name}'")),
            Some(value) if value.contains('\n') => Err(format!("its field '{name}' has more than one line")),
            Some(value) => Ok(value),
        }
    }

    /// All fields with their values, in their order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Removes fields by their names.
    pub fn remove(&mut self, names: &[&str]) {
        self.fields.retain(|(field, _)| !names.iter().any(|name| field.eq_ignore_ascii_case(name)));
    }

    /// Appends the fields to a text, without an empty line at the end.
    pub fn write(&self, text: &mut String) {
        for (name, value) in &self.fields {
            write_field(text, name, value);
        }
    }
}

/// Appends a field to a text. Lines after the first one get a blank in front and blank lines a full stop, so that a
/// value can begin neither another field nor another stanza.
pub fn write_field(text: &mut String, name: &str, value: &str) {
    text.push_str(name);
    text.push(':');
    for (at, line) in value.split(['\n', '\r']).enumerate() {
        match (at, line.trim().is_empty()) {
            (0, true) => {}
            (0, false) => text.extend([" ", line.trim()]),
            (_, true) => text.push_str("\n ."),
            (_, false) if line.starts_with([' ', '\t']) => text.extend(["\n", line]),
            (_, false) => text.extend(["\n ", line]),
        }
    }
    text.push('\n');
}

fn check_size(name: &str, value: &str) -> Result<(), String> {
    if value.len() > FIELD_BYTES {
        return Err(format!("its field '{}' is larger than {FIELD_BYTES} bytes", quoted(name)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fields_are_read_and_written_as_they_are() {
        let text = "Package: a\nEmpty:\nDescription: short\n long line\n .\n  indented\n";
        let stanza = Stanza::parse(format!("\n{text}\n\n").as_bytes()).expect("valid");
        assert_eq!(stanza.line("package"), Ok("a"));
        assert_eq!(stanza.get("Description"), Some("short\n long line\n .\n  indented"));
        assert_eq!(stanza.line("Empty"), Err("it has no field 'Empty'".to_owned()));
        let mut written = String::new();
        stanza.write(&mut written);
        assert_eq!(written, text);
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, reason) in [
            (&b"a: \xff"[..], "it is not UTF-8"),
            (b"", "it has a blank line inside"),
            (b"no field", "the line 'no field' is not a field"),
            (b" a: b", "it begins with a blank"),
            (b"a: b\n\nc: d", "it has a blank line inside"),
            (b"a: b\n \t\n c", "it has a blank line inside"),
            (b"a: b\nA: c", "it has the field 'A' twice"),
            (b"a: b\rc: d", "the line 'a: b\\rc: d' holds a control character"),
            (b"a b: c", "the line 'a b: c' is not a field"),
        ] {
            assert_eq!(Stanza::parse(text), Err(reason.to_owned()));
        }
        let long = format!("a: {}", "x".repeat(70_000));
        assert_eq!(Stanza::parse(long.as_bytes()), Err("its field 'a' is larger than 65536 bytes".to_owned()));
        let folded = format!("a: 1\n{}", " x\n".repeat(40_000));
        assert_eq!(Stanza::parse(folded.as_bytes()), Err("its field 'a' is larger than 65536 bytes".to_owned()));
    }

    proptest! {
        #[test]
        fn a_value_stays_in_its_field(value in "[ -~\n\r\t]{0,60}") {
            let mut text = String::new();
            write_field(&mut text, "A", "first");
            write_field(&mut text, "B", &value);
            write_field(&mut text, "C", "last");
            let stanza = Stanza::parse(text.as_bytes()).expect("one stanza");
            prop_assert_eq!(stanza.fields().map(|(name, _)| name).collect::<Vec<_>>(), ["A", "B", "C"]);
            prop_assert_eq!(stanza.get("C"), Some("last"));
        }

        #[test]
        fn any_bytes_are_a_stanza_or_have_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            if let Ok(stanza) = Stanza::parse(&bytes) {
                let mut text = String::new();
                stanza.write(&mut text);
                prop_assert_eq!(Stanza::parse(text.as_bytes()), Ok(stanza));
            }
        }
    }
}
