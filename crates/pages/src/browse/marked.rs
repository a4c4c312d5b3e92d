//! Texts in which the words of a search are marked.

use crate::parts::{Markup, escaped};

/// The text with the words marked, in any letter case of ASCII.
pub(crate) fn marked(text: &str, query: &str) -> Markup {
    let (folded, words) = (text.to_ascii_lowercase(), query.to_ascii_lowercase());
    let mut found: Vec<(usize, usize)> = words
        .split_whitespace()
        .flat_map(|word| folded.match_indices(word).map(|(start, word)| (start, start + word.len())))
        .collect();
    found.sort_unstable();
    let (mut html, mut end) = (String::new(), 0);
    for (from, to) in found {
        // A word that begins inside another one adds only what goes beyond it.
        let from = from.max(end);
        if from < to {
            html += &format!("{}<mark>{}</mark>", escaped(&text[end..from]), escaped(&text[from..to]));
            end = to;
        }
    }
    Markup(html + &escaped(&text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_and_the_rest_is_escaped() {
        assert_eq!(marked("Tarmac <b>", "tar").0, "<mark>Tar</mark>mac &lt;b&gt;");
        assert_eq!(marked("a<b", "<").0, "a<mark>&lt;</mark>b");
        assert_eq!(marked("relay", "rel lay").0, "<mark>rel</mark><mark>ay</mark>");
        assert_eq!(marked("Ürelay", "x").0, "Ürelay");
        assert_eq!(marked("Ürelay", "ü re").0, "Ü<mark>re</mark>lay");
    }
}
