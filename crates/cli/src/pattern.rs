//! File patterns with `*` and `?`.

/// Returns whether a pattern matches the path or the name of a file.
pub(crate) fn matches(pattern: &str, file: &api::File) -> bool {
    is_like(pattern.as_bytes(), file.path.as_bytes()) || is_like(pattern.as_bytes(), file.name.as_bytes())
}

fn is_like(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // The position of the last star, and how much of the text it has matched.
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == text[read] => {
                at += 1;
                read += 1;
            }
            _ => match star {
                Some((star_at, taken)) => {
                    star = Some((star_at, taken + 1));
                    at = star_at + 1;
                    read = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_take_any_text_and_question_marks_one_byte() {
        for (pattern, text, expected) in [
            ("*.jar", "a.jar", true),
            ("*.jar", "a.jar.asc", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*a*b*", "xxaxxbxx", true),
            ("", "", true),
            ("", "a", false),
            ("**", "", true),
        ] {
            assert_eq!(is_like(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} {text}");
        }
    }
}
