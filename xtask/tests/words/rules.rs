//! Finds the words of the glossary in names and texts.

use crate::{
    glossary::{IN_LOGS, IN_STRINGS, NAMES, NAMES_OF, PHRASES},
    scanner::What,
};

/// Returns the problem with a name in a file.
pub(crate) fn check_name(path: &str, name: &str) -> Option<String> {
    let words = words(name);
    let fits = |pattern: &str| match pattern.strip_prefix('^') {
        Some(first) => words.starts_with(&format!(" {first} ")),
        None => words.contains(&format!(" {pattern} ")),
    };
    let here =
        NAMES_OF.iter().filter(|(place, _, _)| path.starts_with(place)).map(|(_, word, instead)| (word, instead));
    let everywhere = NAMES.iter().map(|(word, instead)| (word, instead));
    let (word, instead) = everywhere.chain(here).find(|(word, _)| fits(word))?;
    Some(format!("`{name}`: say {instead}, not {}", word.trim_start_matches('^')))
}

/// Returns the words of a name in small letters, each between spaces.
fn words(name: &str) -> String {
    let mut words = String::from(" ");
    let mut was_small = false;
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && was_small) {
            words.push(' ');
        }
        if c != '_' {
            words.extend(c.to_lowercase());
        }
        was_small = !c.is_uppercase();
    }
    words + " "
}

/// Returns the problems with a text.
pub(crate) fn check_text(text: &str, what: What) -> Vec<String> {
    let plain = text.to_lowercase();
    let rules: &[&[(&str, &str)]] = match what {
        What::Log => &[PHRASES, IN_STRINGS, IN_LOGS],
        What::Text => &[PHRASES, IN_STRINGS],
        What::Doc | What::Name => &[PHRASES],
    };
    let found = rules.iter().copied().flatten().filter(|(phrase, _)| contains(&plain, phrase));
    found.map(|(phrase, instead)| format!("say {instead}, not \"{phrase}\": {text}")).collect()
}

/// Returns whether a text contains a phrase that begins and ends at words.
fn contains(text: &str, phrase: &str) -> bool {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    text.match_indices(phrase)
        .any(|(at, _)| is_end(text[..at].chars().next_back()) && is_end(text[at + phrase.len()..].chars().next()))
}
