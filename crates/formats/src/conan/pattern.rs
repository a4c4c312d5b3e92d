//! Search patterns over references: `*` and `?`.

use super::reference::ConanReference;

/// The maximum length of a pattern.
const PATTERN_BYTES: usize = 300;

/// Returns whether a reference fits a pattern. A pattern without `/` is compared with the name and with the whole
/// reference.
pub fn matches(pattern: &str, reference: &ConanReference, ignores_case: bool) -> bool {
    let fold = |text: &str| if ignores_case { text.to_lowercase() } else { text.to_owned() };
    let pattern: Vec<char> = fold(&pattern[..pattern.len().min(floor(pattern))]).chars().collect();
    let fits = |text: &str| is_match(&pattern, &fold(text).chars().collect::<Vec<_>>());
    fits(&reference.to_string()) || (!pattern.contains(&'/') && fits(&reference.name))
}

/// The number of bytes of a pattern that count.
fn floor(pattern: &str) -> usize {
    (0..=PATTERN_BYTES.min(pattern.len())).rev().find(|at| pattern.is_char_boundary(*at)).unwrap_or(0)
}

/// Compares with one step back to the last `*`, so the time is bounded by the product of both lengths.
fn is_match(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut from, mut star) = (0, 0, None);
    while from < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(c) if *c == '?' || *c == text[from] => {
                at += 1;
                from += 1;
            }
            _ => {
                let Some((star_at, star_from)) = star else { return false };
                star = Some((star_at, star_from + 1));
                at = star_at + 1;
                from = star_from + 1;
            }
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn patterns_fit_names_and_references() {
        let reference = ConanReference::parse("hello", "1.0", "acme", "stable").expect("valid");
        for good in ["hello", "hel*", "hello/1.0*", "*@acme/*", "h?llo/*", "*", "hello/1.0@acme/stable"] {
            assert!(matches(good, &reference, false), "{good}");
        }
        for bad in ["hell", "hello/1.0", "Hello", "hello/2*", "?", ""] {
            assert!(!matches(bad, &reference, false), "{bad}");
        }
        assert!(matches("HELLO*", &reference, true));
        assert!(!matches(&"*a".repeat(100_000), &reference, false));
    }

    proptest! {
        #[test]
        fn a_text_fits_itself_and_stars(text in "[a-c]{0,8}", at in 0_usize..8) {
            let chars: Vec<char> = text.chars().collect();
            prop_assert!(is_match(&chars, &chars));
            let mut starred = chars.clone();
            starred.insert(at.min(chars.len()), '*');
            prop_assert!(is_match(&starred, &chars));
        }
    }
}
