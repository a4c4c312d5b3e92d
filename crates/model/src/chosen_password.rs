//! Checks passwords that users choose for access keys, which can be guessed over the network. Generated passwords are
//! better; of the chosen ones, those that attackers try first are rejected.

/// The allowed length.
const LENGTH: std::ops::RangeInclusive<usize> = 12..=256;

/// Minimum number of distinct characters.
const DISTINCT: usize = 6;

/// Minimum number of characters besides a common word or a known name.
const BESIDE: usize = 6;

/// Common entries of password lists, and keyboard rows.
const TRIED_FIRST: &[&str] = &[
    "password",
    "passwort",
    "passw0rd",
    "p@ssw0rd",
    "p@ssword",
    "letmein",
    "welcome",
    "changeme",
    "default",
    "iloveyou",
    "administrator",
    "superuser",
    "masterkey",
    "trustno1",
    "sunshine",
    "princess",
    "football",
    "baseball",
    "starwars",
    "dragon",
    "monkey",
    "shadow",
    "michael",
    "secret",
    "qwerty",
    "qwertz",
    "azerty",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "1q2w3e4r",
    "1qaz2wsx",
    "qazwsx",
    "q1w2e3r4",
    "abc123",
    "123456",
    "654321",
    "111111",
    "000000",
    "test",
    "admin",
    "guest",
    "root",
];

/// Rejects a password that someone who knows these names can guess easily. The error says what to do instead.
pub fn check(password: &str, names: &[&str]) -> Result<(), &'static str> {
    // Clients encode other characters in different ways.
    if !LENGTH.contains(&password.len()) || !password.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err("it must be 12 to 256 printable ASCII characters; leave it out and the server makes one");
    }
    let text = password.to_ascii_lowercase();
    let mut distinct: Vec<u8> = text.bytes().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < DISTINCT || is_repeated(text.as_bytes()) {
        return Err("it repeats itself; choose other characters, or leave it out and the server makes one");
    }
    if is_sequence(text.as_bytes()) {
        return Err("it is a sequence; choose other characters, or leave it out and the server makes one");
    }
    let is_known = |word: &&str| word.len() > 3 && text.contains(word) && text.replace(word, "").len() < BESIDE;
    let names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    if TRIED_FIRST.iter().any(is_known) || names.iter().any(|name| is_known(&name.as_str())) {
        return Err("it is a word that is tried first; add more to it, or leave it out and the server makes one");
    }
    Ok(())
}

/// Returns whether the text is a repetition of a shorter text.
fn is_repeated(text: &[u8]) -> bool {
    (1..=text.len() / 2).any(|period| text.iter().zip(&text[period..]).all(|(one, other)| one == other))
}

/// Returns whether nearly every character is adjacent to the one before.
fn is_sequence(text: &[u8]) -> bool {
    let steps = text.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= 1 || pair == b"90" || pair == b"09").count();
    steps * 4 >= (text.len() - 1) * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_first_is_refused() {
        for bad in [
            "",
            "elevenchars",
            "pässwörter-lang",
            "aaaaaaaaaaaaaaaa",
            "abababababababab",
            "abcdefabcdef",
            "correct-correct-",
            "123456789012",
            "abcdefghijklm",
            "zyxwvutsrqpo",
            "9876543210987",
            "Password1234",
            "password!2026",
            "1234password",
            "qwertyuiop12",
            "administrator",
            "customer-key1",
            "Acme-Customer",
            "line\nfeed-and-more",
        ] {
            assert!(check(bad, &["customer", "acme-customer"]).is_err(), "{bad:?}");
        }
        for good in
            ["difference engine", "a-long-password", "pass word:82 x", "k3-Ztf9q.Wm2", "correct horse battery staple"]
        {
            assert_eq!(check(good, &["customer", "acme"]), Ok(()), "{good:?}");
        }
        assert!(check(&"k3-Ztf9q.Wm2 difference".repeat(12)[..257], &[]).is_err());
    }
}
