//! Names of distribution tags.

use crate::readers::quoted;

/// The maximum length of a tag in bytes.
const TAG_BYTES: usize = 100;

/// Names that objects have in JavaScript.
const RESERVED: &[&str] = &["__proto__", "constructor", "prototype", "hasownproperty", "tostring", "valueof"];

/// Checks the name of a tag. It may not look like a version or a range of versions, because clients accept
/// both in one position.
pub fn check(tag: &str) -> Result<(), String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    let reason = match tag {
        "" => "it is empty",
        _ if tag.len() > TAG_BYTES => "it is longer than 100 bytes",
        _ if !tag.bytes().all(is_allowed) => "it may hold letters, digits, '-', '.', '_' and '~' only",
        _ if looks_like_version(tag) => "it looks like a version",
        _ if tag.starts_with('.') || RESERVED.contains(&tag.to_ascii_lowercase().as_str()) => "it is reserved",
        _ => return Ok(()),
    };
    Err(format!("tag '{}' is not valid: {reason}", quoted(tag)))
}

fn looks_like_version(tag: &str) -> bool {
    let plain = tag.trim_start_matches(['v', 'V', '~']);
    let is_any = |part: &str| part.eq_ignore_ascii_case("x");
    plain.is_empty() || plain.starts_with(|first: char| first.is_ascii_digit()) || plain.split('.').all(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_no_versions() {
        for good in ["latest", "next", "beta-1", "release-1.x", "vnext", "canary_2"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "v",
            "",
            "1.0.0",
            "v1",
            "1",
            "~1",
            "x",
            "X.x",
            "^1",
            ">=1",
            "a b",
            "a/b",
            "*",
            "__proto__",
            "constructor",
            ".",
            "ä",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert_eq!(check("1.0.0"), Err("tag '1.0.0' is not valid: it looks like a version".to_owned()));
    }
}
