//! Lists of words kept as lines of one text. Words hold no line ends: their types see to that.

/// The lines of a list.
pub(crate) fn join(words: &[String]) -> String {
    words.join("\n")
}

/// The list of some lines.
pub(crate) fn split(lines: &str) -> Vec<String> {
    lines.lines().map(str::to_owned).collect()
}
