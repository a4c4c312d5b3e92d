//! Files of `key = value` lines: the .PKGINFO of Alpine and Arch.

use super::quoted;

/// The maximum number of lines.
const LINES: usize = 100_000;

/// The lines of such a file, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyValues {
    lines: Vec<(String, String)>,
}

impl KeyValues {
    /// Parses a file. Empty lines and lines that begin with `#` are comments.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let mut lines = Vec::new();
        for line in text.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if line.chars().any(|character| character.is_control() && character != '\t') {
                return Err(format!("the line '{}' holds a control character", quoted(line)));
            }
            let (key, value) =
                line.split_once('=').ok_or_else(|| format!("the line '{}' has no value", quoted(line)))?;
            let key = key.trim();
            if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(format!("the line '{}' has no key", quoted(line)));
            }
            if lines.len() >= LINES {
                return Err(format!("it has more than {LINES} lines"));
            }
            lines.push((key.to_owned(), value.trim().to_owned()));
        }
        Ok(Self { lines })
    }

    /// All values of a key that are not empty.
    pub fn all(&self, key: &str) -> Vec<String> {
        let values = self.lines.iter().filter(|(name, value)| name == key && !value.is_empty());
        values.map(|(_, value)| value.clone()).collect()
    }

    /// The value of a key that appears at most once; `None` if it is missing or empty.
    pub fn one(&self, key: &str) -> Result<Option<&str>, String> {
        let mut values = self.lines.iter().filter(|(name, _)| name == key);
        let first = values.next();
        if values.next().is_some() {
            return Err(format!("it has the key '{key}' twice"));
        }
        Ok(first.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty()))
    }

    /// The value of a key that must be there.
    pub fn required(&self, key: &str) -> Result<&str, String> {
        self.one(key)?.ok_or_else(|| format!("it has no key '{key}'"))
    }

    /// The value of a key that is a number below 2^53, which every reader of JSON can represent.
    pub fn number(&self, key: &str) -> Result<Option<u64>, String> {
        let Some(text) = self.one(key)? else { return Ok(None) };
        let number = text.parse::<u64>().ok().filter(|number| *number < 1 << 53);
        number.map(Some).ok_or_else(|| format!("its '{key}' is not a number below 2^53: '{}'", quoted(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_are_read() {
        let values = KeyValues::parse(b"# made by hand\npkgname = a\ndepend = b>=1\n\ndepend = c\nurl =\nsize = 12\n");
        let values = values.expect("valid");
        assert_eq!(values.required("pkgname"), Ok("a"));
        assert_eq!(values.all("depend"), ["b>=1", "c"]);
        assert_eq!((values.one("url"), values.number("size")), (Ok(None), Ok(Some(12))));
        assert_eq!(values.one("depend"), Err("it has the key 'depend' twice".to_owned()));
        assert_eq!(values.required("pkgver"), Err("it has no key 'pkgver'".to_owned()));
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, reason) in [
            (&b"a = \xff"[..], "it is not UTF-8"),
            (b"no value", "the line 'no value' has no value"),
            (b"a b = c", "the line 'a b = c' has no key"),
            (b"a = b\rc", "the line 'a = b\\rc' holds a control character"),
        ] {
            assert_eq!(KeyValues::parse(text), Err(reason.to_owned()));
        }
        let values = KeyValues::parse(b"size = 9007199254740992\nbuilddate = -1\n").expect("valid");
        assert!(values.number("size").is_err());
        assert!(values.number("builddate").is_err());
    }
}
