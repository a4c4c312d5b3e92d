//! Frames of generated indexes: texts with places where sections go. A section is a list of texts, each of which was
//! made from a few versions of a package. Only the frame and one text of each section change when a version is
//! published.

use std::collections::BTreeMap;

/// Begins and ends a place in a frame. Neither JSON nor names can contain it.
const MARK: char = '\u{3}';

/// The texts of sections, by the number of the section, in their order.
pub type Sections = BTreeMap<i64, Vec<String>>;

/// The number of texts in a section and the number of their bytes.
pub type SectionSizes = BTreeMap<i64, (usize, usize)>;

/// Returns a place where the texts of a section go, with a separator between them.
pub fn place(section: u8, separator: &str) -> String {
    format!("{MARK}{section}{MARK}{separator}{MARK}")
}

/// Replaces the places of a frame by the texts of their sections. Sections without texts add nothing.
pub fn join(frame: &str, sections: &Sections) -> String {
    let size: usize = sections.values().flatten().map(|text| text.len() + 1).sum();
    let mut joined = String::with_capacity(frame.len() + size);
    for (text, place) in pieces(frame) {
        joined.push_str(text);
        let Some((section, separator)) = place else { continue };
        for (position, text) in sections.get(&section).into_iter().flatten().enumerate() {
            joined.push_str(if position == 0 { "" } else { separator });
            joined.push_str(text);
        }
    }
    joined
}

/// Returns the number of bytes that the joined text has.
pub fn joined_size(frame: &str, sizes: &SectionSizes) -> usize {
    let size = |(text, place): (&str, Option<(i64, &str)>)| {
        let Some((section, separator)) = place else { return text.len() };
        let (texts, bytes) = sizes.get(&section).copied().unwrap_or_default();
        text.len() + bytes + texts.saturating_sub(1) * separator.len()
    };
    pieces(frame).into_iter().map(size).sum()
}

/// Splits a frame into texts, each with the place after it: a section and the separator of its texts.
fn pieces<'f>(frame: &'f str) -> Vec<(&'f str, Option<(i64, &'f str)>)> {
    let texts: Vec<&'f str> = frame.split(MARK).collect();
    let piece = |texts: &[&'f str]| match *texts {
        [text, section, separator] => (text, section.parse().ok().map(|section| (section, separator))),
        [text, ..] => (text, None),
        [] => ("", None),
    };
    texts.chunks(3).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sizes(sections: &Sections) -> SectionSizes {
        let size = |texts: &Vec<String>| (texts.len(), texts.iter().map(String::len).sum());
        sections.iter().map(|(number, texts)| (*number, size(texts))).collect()
    }

    #[test]
    fn sections_go_to_their_places() {
        let frame = format!("[{}] {} [{}] {}.", place(0, ", "), place(12, ""), place(0, "+"), place(2, ","));
        let sections = [(0, vec!["a".to_owned(), "b".to_owned()]), (12, vec!["x".to_owned(), "y".to_owned()])].into();
        let joined = join(&frame, &sections);
        assert_eq!(joined, "[a, b] xy [a+b] .");
        assert_eq!(joined_size(&frame, &sizes(&sections)), joined.len());
    }

    #[test]
    fn a_text_without_places_stays() {
        assert_eq!(join("as it is", &Sections::new()), "as it is");
        assert_eq!(join("", &Sections::new()), "");
    }

    proptest! {
        #[test]
        fn the_size_is_that_of_the_joined_text(
            texts in proptest::collection::vec("[^\u{3}]{0,5}", 0..5), before in "[^\u{3}]{0,5}", separator in "[,;]{0,2}",
        ) {
            let frame = before.clone() + &place(3, &separator);
            let sections: Sections = [(3, texts.clone())].into();
            prop_assert_eq!(join(&frame, &sections), before + &texts.join(&separator));
            prop_assert_eq!(joined_size(&frame, &sizes(&sections)), join(&frame, &sections).len());
        }
    }
}
