//! Version ranges of dependencies.

use super::version::NugetVersion;
use crate::readers::quoted;

/// Returns the normal form of a range: `1.0` is `[1.0.0, )`, and nothing is `(, )`.
pub fn normalize(text: &str) -> Result<String, String> {
    let invalid = || format!("version range '{}' is not valid", quoted(text));
    let text = text.trim();
    if text.is_empty() {
        return Ok("(, )".to_owned());
    }
    let bound = |part: &str| -> Result<String, String> {
        let part = part.trim();
        if part.is_empty() { Ok(String::new()) } else { NugetVersion::parse(part).map(|version| version.to_string()) }
    };
    if !text.starts_with(['[', '(']) {
        return Ok(format!("[{}, )", bound(text)?));
    }
    let open = &text[..1];
    let close = if text.ends_with(']') { "]" } else { ")" };
    let inner = text[1..].strip_suffix(close).ok_or_else(invalid)?;
    match inner.split_once(',') {
        None if open == "[" && close == "]" && !inner.trim().is_empty() => {
            let version = bound(inner)?;
            Ok(format!("[{version}, {version}]"))
        }
        Some((low, high)) if !high.contains(',') => {
            let (low, high) = (bound(low)?, bound(high)?);
            // A bound that is not given is never part of the range.
            let open = if low.is_empty() { "(" } else { open };
            let close = if high.is_empty() { ")" } else { close };
            Ok(format!("{open}{low}, {high}{close}"))
        }
        _ => Err(invalid()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_are_those_of_nuget() {
        for line in include_str!("../../oracles/nuget-ranges.tsv").lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["+", text, normal] => assert_eq!(normalize(text).as_deref(), Ok(normal), "{text}"),
                // NuGet refuses ranges of one or two characters; a range without bounds is any version here.
                ["!", text] if text.len() > 2 && text.contains(char::is_alphanumeric) => {
                    assert!(normalize(text).is_err(), "{text}");
                }
                _ => {}
            }
        }
    }

    #[test]
    fn ranges_have_a_normal_form() {
        for (text, normal) in [
            ("", "(, )"),
            ("13.0.1", "[13.0.1, )"),
            ("1.0", "[1.0.0, )"),
            ("[1.0]", "[1.0.0, 1.0.0]"),
            ("(,1.0]", "(, 1.0.0]"),
            ("[1.0, 2.0)", "[1.0.0, 2.0.0)"),
            ("( 1.0-beta , )", "(1.0.0-beta, )"),
        ] {
            assert_eq!(normalize(text).as_deref(), Ok(normal), "{text}");
        }
        for bad in ["x", "[1.0", "(1.0)", "[]", "[1,2,3]", "1.0]", "[1.0,2.0", "[\u{e9}", "1.*", "\u{2}"] {
            assert!(normalize(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "\\PC{0,12}") {
            if let Ok(normal) = normalize(&text) {
                prop_assert_eq!(normalize(&normal), Ok(normal.clone()));
            }
        }
    }
}
