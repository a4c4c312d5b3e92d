//! Headers in the style of RFC 822, as in METADATA and PKG-INFO.

use super::quoted;

/// The maximum number of header fields.
const FIELDS: usize = 5_000;

/// The header fields of a document and the text after them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Headers {
    fields: Vec<(String, String)>,
    /// The text after the empty line.
    pub body: String,
}

impl Headers {
    /// Parses a document. Lines that begin with a blank continue the field before them.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut headers = Headers::default();
        let mut rest = text;
        while !rest.is_empty() {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            rest = after;
            let line = line.strip_suffix('\r').unwrap_or(line);
            if line.is_empty() {
                rest.clone_into(&mut headers.body);
                break;
            }
            headers.add(line)?;
        }
        Ok(headers)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        if line.contains(['\r', '\0']) {
            return Err(format!("the line '{}' holds a control character", quoted(line)));
        }
        if line.starts_with([' ', '\t']) {
            let last = self.fields.last_mut().ok_or("it begins with a blank")?;
            last.1.push('\n');
            last.1.push_str(line);
            return Ok(());
        }
        let (name, value) =
            line.split_once(':').ok_or_else(|| format!("the line '{}' is not a header", quoted(line)))?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!("the line '{}' is not a header", quoted(line)));
        }
        if self.fields.len() >= FIELDS {
            return Err(format!("it has more than {FIELDS} fields"));
        }
        self.fields.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        Ok(())
    }

    /// All values of a field, by its name in lower case.
    pub fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The value of a field that appears at most once and on one line.
    pub fn line(&self, name: &'static str) -> Result<Option<&str>, String> {
        let mut values = self.all(name);
        let first = values.next();
        if values.next().is_some() {
            return Err(format!("it has the field '{name}' twice"));
        }
        match first {
            Some(value) if value.contains('\n') => Err(format!("its field '{name}' has more than one line")),
            value => Ok(value.filter(|value| !value.is_empty())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fields_and_body_are_read() {
        let text =
            "Metadata-Version: 2.1\r\nName: a\nClassifier: x\nclassifier: y\nLicense: MIT\n  and more\n\nBody\n\nB: 1";
        let headers = Headers::parse(text.as_bytes()).expect("valid");
        assert_eq!(headers.line("name"), Ok(Some("a")));
        assert_eq!(headers.line("version"), Ok(None));
        assert_eq!(headers.all("classifier").collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(headers.all("license").collect::<Vec<_>>(), ["MIT\n  and more"]);
        assert_eq!(headers.body, "Body\n\nB: 1");
        assert_eq!(headers.line("b"), Ok(None));
    }

    #[test]
    fn a_folded_or_repeated_field_is_no_line() {
        let headers = Headers::parse(b"Name: x\n Version: 1\nVersion: 1\nVersion: 2\n").expect("valid");
        assert_eq!(headers.line("name"), Err("its field 'name' has more than one line".to_owned()));
        assert_eq!(headers.line("version"), Err("it has the field 'version' twice".to_owned()));
    }

    #[test]
    fn other_texts_are_refused() {
        for (bytes, reason) in [
            (&b"Name: \xff"[..], "it is not UTF-8"),
            (b"no header", "the line 'no header' is not a header"),
            (b"a b: c", "the line 'a b: c' is not a header"),
            (b": c", "the line ': c' is not a header"),
            (b" a: c", "it begins with a blank"),
            (b"a: c\rd: e", "the line 'a: c\\rd: e' holds a control character"),
        ] {
            assert_eq!(Headers::parse(bytes), Err(reason.to_owned()));
        }
        let many = "Classifier: a\n".repeat(10_000);
        assert_eq!(Headers::parse(many.as_bytes()), Err("it has more than 5000 fields".to_owned()));
    }

    proptest! {
        #[test]
        fn any_bytes_have_headers_or_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Headers::parse(&bytes);
        }

        #[test]
        fn written_fields_are_read(fields in prop::collection::vec(("[a-z-]{1,9}", "[!-~]{1,9}"), 0..20)) {
            let text: String = fields.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
            let headers = Headers::parse(text.as_bytes()).expect("valid");
            prop_assert_eq!(headers.fields, fields);
        }
    }
}
