//! The only parser of request targets. It removes matrix parameters from the raw path first, then decodes each part
//! once.

use crate::file_path::check_segment;

/// Maximum length of a raw path in bytes.
pub const PATH_BYTES: usize = 4 * 1024;

/// Maximum length of a raw query in bytes.
pub const QUERY_BYTES: usize = 8 * 1024;

/// A parsed request target: decoded path segments, matrix parameters and query parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The decoded segments. A segment may contain a `/` that was percent-encoded: names reject it, file paths treat it
    /// as a separator.
    pub segments: Vec<String>,
    /// Whether the path ended in a slash.
    pub is_folder: bool,
    /// The `;name=value` parameters of all segments, in order.
    pub matrix: Vec<(String, String)>,
    /// The `name=value` parameters of the query, in order.
    pub query: Vec<(String, String)>,
}

/// A target that is rejected before any handler sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTarget {
    /// The path or the query is longer than the limit.
    #[error("the request's path or query is too long")]
    TooLong,
    /// No resource can have this path.
    #[error("the request's path is not valid: {0}")]
    Path(&'static str),
    /// The query does not parse.
    #[error("the request's query is not valid: {0}")]
    Query(&'static str),
    /// The form does not parse.
    #[error("the form is not valid: {0}")]
    Form(&'static str),
    /// A parameter was given several times with different values.
    #[error("a parameter was given several times with different values")]
    Ambiguous,
}

impl Target {
    /// Parses a raw path and a raw query.
    pub fn parse(path: &str, query: &str) -> Result<Self, InvalidTarget> {
        if path.len() > PATH_BYTES || query.len() > QUERY_BYTES {
            return Err(InvalidTarget::TooLong);
        }
        let mut target = Target { is_folder: path.ends_with('/'), ..Target::default() };
        for raw in path.split('/') {
            target.push_segment(raw)?;
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            target.query.push(parameter(pair, decode_form).map_err(InvalidTarget::Query)?);
        }
        Ok(target)
    }

    /// Adds a segment. Empty segments, and segments with matrix parameters only, are dropped.
    fn push_segment(&mut self, raw: &str) -> Result<(), InvalidTarget> {
        let mut parts = raw.split(';');
        let name = decode(parts.next().unwrap_or_default()).map_err(InvalidTarget::Path)?;
        for pair in parts.filter(|pair| !pair.is_empty()) {
            self.matrix.push(parameter(pair, decode).map_err(InvalidTarget::Path)?);
        }
        if !name.is_empty() {
            check_decoded(&name).map_err(InvalidTarget::Path)?;
            self.segments.push(name);
        }
        Ok(())
    }

    /// The query parameter with this name. Repeating it with another value is an error.
    pub fn query(&self, name: &str) -> Result<Option<&str>, InvalidTarget> {
        single(&self.query, name)
    }

    /// The matrix parameter with this name. Repeating it with another value is an error.
    pub fn matrix(&self, name: &str) -> Result<Option<&str>, InvalidTarget> {
        single(&self.matrix, name)
    }

    /// The canonically encoded path without matrix parameters, so that each resource has one spelling.
    pub fn canonical_path(&self) -> String {
        let mut path = String::new();
        for segment in &self.segments {
            path.push('/');
            encode_into(&mut path, segment);
        }
        if path.is_empty() {
            path.push('/');
        }
        path
    }
}

/// Parses the fields of a form. Lines end with `\n`, and a value contains no other control character than that and the
/// tab. The caller bounds the text.
pub fn parse_form(text: &str) -> Result<Vec<(String, String)>, InvalidTarget> {
    let is_refused = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let field = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decode_form(name)?, decode_form(value)?.replace("\r\n", "\n"));
        if name.chars().any(char::is_control) || value.chars().any(is_refused) {
            return Err("a field contains a control character");
        }
        Ok((name, value))
    };
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| field(pair).map_err(InvalidTarget::Form)).collect()
}

fn single<'t>(parameters: &'t [(String, String)], name: &str) -> Result<Option<&'t str>, InvalidTarget> {
    let mut values = parameters.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let first = values.next();
    match first {
        Some(first) if values.any(|other| other != first) => Err(InvalidTarget::Ambiguous),
        _ => Ok(first),
    }
}

/// Checks that a decoded segment is harmless, also to a proxy or a tool that decodes it again.
fn check_decoded(text: &str) -> Result<(), &'static str> {
    text.split('/').try_for_each(|part| check_segment(part).and_then(|()| check_not_encoded(part)))
}

/// Rejects a part that was encoded twice: it still contains an escape of a separator, of a NUL or of a dot segment.
fn check_not_encoded(part: &str) -> Result<(), &'static str> {
    if !part.contains('%') {
        return Ok(());
    }
    let lower = part.to_ascii_lowercase();
    let is_relative = matches!(lower.replace("%2e", ".").as_str(), "." | "..");
    if is_relative || ["%2f", "%5c", "%00"].iter().any(|escape| lower.contains(escape)) {
        return Err("it is encoded twice");
    }
    match decode(part) {
        Ok(again) if again != part => check_segment(&again),
        _ => Ok(()),
    }
}

fn parameter(pair: &str, decode: fn(&str) -> Result<String, &'static str>) -> Result<(String, String), &'static str> {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    let (name, value) = (decode(name)?, decode(value)?);
    if name.chars().chain(value.chars()).any(char::is_control) {
        return Err("a parameter holds a control character");
    }
    Ok((name, value))
}

/// Decodes a name or a value of a form, once. The result may contain control characters.
fn decode_form(text: &str) -> Result<String, &'static str> {
    decode(&text.replace('+', " "))
}

fn decode(text: &str) -> Result<String, &'static str> {
    if !text.contains('%') {
        return Ok(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { hex_pair(rest.next(), rest.next())? } else { byte });
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8")
}

fn hex_pair(high: Option<u8>, low: Option<u8>) -> Result<u8, &'static str> {
    let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
    match (digit(high), digit(low)) {
        (Some(high), Some(low)) => u8::try_from(high << 4 | low).map_err(|_| "it has a broken escape"),
        _ => Err("it has a broken escape"),
    }
}

fn encode_into(path: &mut String, segment: &str) {
    for byte in segment.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,=:@".contains(&byte) {
            path.push(char::from(byte));
        } else {
            path.push('%');
            path.push_str(&crate::digest::hex(&[byte]).to_uppercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segments(path: &str) -> Vec<String> {
        Target::parse(path, "").expect(path).segments
    }

    #[test]
    fn matrix_parameters_leave_the_raw_path_from_every_segment() {
        let target = Target::parse("/maven/s/r/p/;publish=1/org/a%3Bb.jar;svc_package=x%2Fy", "").expect("well formed");
        assert_eq!(target.segments, ["maven", "s", "r", "p", "org", "a;b.jar"]);
        assert_eq!(target.matrix("publish"), Ok(Some("1")));
        assert_eq!(target.matrix("svc_package"), Ok(Some("x/y")));
        assert_eq!(target.canonical_path(), "/maven/s/r/p/org/a%3Bb.jar");
    }

    #[test]
    fn doubled_and_trailing_slashes_collapse() {
        assert_eq!(segments("//a///b//"), ["a", "b"]);
        assert_eq!(segments("/"), [""; 0]);
    }

    #[test]
    fn decoding_happens_once() {
        assert_eq!(segments("/a%2525b/%41"), ["a%25b", "A"]);
        assert_eq!(segments("/a%2Fb"), ["a/b"]);
    }

    #[test]
    fn dangerous_paths_are_refused() {
        for bad in [
            "/..",
            "/a/../b",
            "/%2e%2e",
            "/a/.",
            "/..%2fb",
            "/a%2f..%2fb",
            "/%2Fa",
            "/a%2F",
            "/a%00",
            "/a%5cb",
            "/a\\b",
            "/%zz",
            "/%",
            "/%4",
            "/%ff",
            "/%c0%ae",
            "/%252e%252e%252f",
            "/%252e%252e",
            "/a%252fb",
            "/a%255cb",
            "/a%2500",
            "/a%2Fb%252Fc",
            "/%252F%25zz",
            "/x%252f%25",
            "/%25zz%255C",
            "/%2500%25g",
            "/a%2F%252e%252E",
            "/a%2F%252e.",
            "/%252e",
            "/a%0ab",
            "/;a=%00",
            "/;a=%zz",
        ] {
            assert!(matches!(Target::parse(bad, ""), Err(InvalidTarget::Path(_))), "{bad}");
        }
    }

    #[test]
    fn queries_are_forms() {
        let target = Target::parse("/", "name=a+b%2B&&flag&name=a%20b%2B").expect("well formed");
        assert_eq!(target.query("name"), Ok(Some("a b+")));
        assert_eq!(target.query("flag"), Ok(Some("")));
        assert_eq!(target.query("other"), Ok(None));
    }

    #[test]
    fn texts_of_forms_may_have_lines() {
        let fields = parse_form("desc=a%0D%0Ab+c&&name=%C3%BC").expect("well formed");
        assert_eq!(fields, [("desc".into(), "a\nb c".into()), ("name".into(), "ü".into())]);
        for bad in ["a=%00", "a=%1b", "a=%0D", "a=%0C", "a%0A=1", "a=%ff", "a=%0", "a=%zz"] {
            assert!(matches!(parse_form(bad), Err(InvalidTarget::Form(_))), "{bad}");
        }
    }

    #[test]
    fn disagreeing_parameters_are_refused() {
        let target = Target::parse("/x;publish=1/y;publish=0", "a=1&a=2").expect("well formed");
        assert_eq!(target.query("a"), Err(InvalidTarget::Ambiguous));
        assert_eq!(target.matrix("publish"), Err(InvalidTarget::Ambiguous));
    }

    #[test]
    fn long_targets_are_refused() {
        assert_eq!(Target::parse(&format!("/{}", "a/".repeat(2_048)), ""), Err(InvalidTarget::TooLong));
        assert_eq!(Target::parse("/", &"a".repeat(QUERY_BYTES + 1)), Err(InvalidTarget::TooLong));
    }

    proptest! {
        #[test]
        fn the_canonical_path_reads_as_the_same_target(path in "(/|[a-z.%;=\\\\ é]|%2[0-9a-f]|%25|\\.\\.){0,40}") {
            if let Ok(target) = Target::parse(&path, "") {
                let again = Target::parse(&target.canonical_path(), "").expect("canonical paths are valid");
                prop_assert_eq!(&again.segments, &target.segments);
                prop_assert_eq!(again.canonical_path(), target.canonical_path());
            }
        }

        #[test]
        fn no_accepted_segment_leads_elsewhere(path in "(/|[.%;a]|%2e|%2f|%5c|%25|%00){0,30}") {
            if let Ok(target) = Target::parse(&path, "") {
                for part in target.segments.iter().flat_map(|segment| segment.split('/')) {
                    prop_assert!(check_segment(part).is_ok());
                }
            }
        }
    }
}
