//! Texts that people write.

/// The most bytes of a name for people.
const FULL_NAME_BYTES: usize = 200;

/// A name for people: printable and not too long.
pub fn check_full_name(text: &str) -> Result<(), &'static str> {
    match text {
        _ if text.len() > FULL_NAME_BYTES => Err("it is longer than 200 bytes"),
        _ if text.chars().any(char::is_control) => Err("it holds a control character"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_people_are_one_short_line() {
        assert!(check_full_name("Ada, Countess of Lovelace").is_ok());
        assert!(check_full_name("a\nb").is_err());
        assert!(check_full_name(&"x".repeat(201)).is_err());
    }
}
