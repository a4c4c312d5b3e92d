//! Lists of words, stored as the lines of one text. Words contain no line breaks; their types guarantee that.

/// Joins a list into lines.
pub(crate) fn join(words: &[String]) -> String {
    words.join("\n")
}

/// Splits lines into a list.
pub(crate) fn split(lines: &str) -> Vec<String> {
    lines.lines().map(str::to_owned).collect()
}
