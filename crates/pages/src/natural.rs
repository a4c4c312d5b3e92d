//! The order in which people expect names: `app-9` before `app-10`, and `a` next to `A`.

use std::cmp::Ordering;

/// Compares two names: digits by the number that they are, and letters in either case.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let (number, other_number) = (digits(left), digits(right));
        let order = if number.is_empty() || other_number.is_empty() {
            let (Some(letter), Some(other_letter)) = (left.chars().next(), right.chars().next()) else {
                return left.len().cmp(&right.len()).then_with(|| one.cmp(other));
            };
            (left, right) = (&left[letter.len_utf8()..], &right[other_letter.len_utf8()..]);
            letter.to_ascii_lowercase().cmp(&other_letter.to_ascii_lowercase())
        } else {
            (left, right) = (&left[number.len()..], &right[other_number.len()..]);
            let (value, other_value) = (number.trim_start_matches('0'), other_number.trim_start_matches('0'));
            value.len().cmp(&other_value.len()).then_with(|| value.cmp(other_value))
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The digits at the beginning.
fn digits(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_digit).count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_and_letters_ignore_their_case() {
        let sorted =
            ["", "1.9", "1.10", "1.10-rc1", "02", "2", "a", "A1", "a01b", "a2", "App", "app.asc", "b", "\u{e4}"];
        let mut names = sorted;
        names.reverse();
        names.sort_by(|one, other| compare(one, other));
        assert_eq!(names, sorted);
        assert_eq!(compare("A", "a"), Ordering::Less);
    }
}
