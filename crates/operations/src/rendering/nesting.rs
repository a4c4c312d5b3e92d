//! Measures how deep Markdown nests quotes and lists. Parsing costs lines times depth, so the depth is checked first.

/// The maximum depth of nested quotes and lists that is rendered.
const DEEPEST: usize = 32;

/// Returns whether quotes and lists nest no deeper than the maximum. Takes one pass over the text.
pub(super) fn is_shallow(text: &str) -> bool {
    let (mut depth, mut may_go_on) = (0, false);
    for line in text.split(['\n', '\r']) {
        let prefix = Prefix::of(line);
        if prefix.is_blank {
            // Lists continue after blank lines.
            may_go_on = false;
            continue;
        }
        // An indented line can be inside open lists; each of them takes at least two columns.
        let here = prefix.markers + depth.min(prefix.blank_columns / 2);
        // A line of plain text can continue everything that is open.
        depth = if may_go_on { here.max(depth) } else { here };
        if depth > DEEPEST {
            return false;
        }
        may_go_on = true;
    }
    true
}

/// The start of a line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Prefix {
    /// Markers of quotes and list items: no more than these can begin on the line.
    markers: usize,
    /// Columns of blanks before and between them.
    blank_columns: usize,
    is_blank: bool,
}

impl Prefix {
    fn of(line: &str) -> Self {
        let mut prefix = Prefix { is_blank: true, ..Prefix::default() };
        let is_rule = is_rule(line);
        let mut bytes = line.bytes().peekable();
        while let Some(byte) = bytes.next() {
            let ends_marker = matches!(bytes.peek(), None | Some(b' ' | b'\t'));
            match byte {
                b' ' => prefix.blank_columns += 1,
                b'\t' => prefix.blank_columns += 4,
                b'>' => prefix.markers += 1,
                b'-' | b'+' | b'*' | b'.' | b')' if ends_marker && !is_rule => prefix.markers += 1,
                b'0'..=b'9' => {}
                _ => {
                    prefix.is_blank = false;
                    break;
                }
            }
            prefix.is_blank &= matches!(byte, b' ' | b'\t');
        }
        prefix
    }
}

/// Returns whether a line is a horizontal rule: a single repeated sign, with or without blanks.
fn is_rule(line: &str) -> bool {
    let mut signs = line.bytes().filter(|byte| !matches!(byte, b' ' | b'\t'));
    let Some(first @ (b'-' | b'*' | b'_')) = signs.next() else { return false };
    signs.all(|sign| sign == first) && line.bytes().filter(|byte| *byte == first).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_shallow() {
        let texts = [
            "",
            "# Cat\n\n- a\n  - b\n    - c\n\n> quoted\n> > twice\n",
            "1. one\n2. two\n10. ten\n",
            "- - -\n* * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * *\n",
            "-------------------------------------------------------------------------------------\n",
            "    let deep =\n                                                                                  1;\n",
        ];
        for text in texts {
            assert!(is_shallow(text), "{text}");
        }
        assert!(is_shallow(&"- a\n".repeat(1000)));
        assert!(is_shallow(&"> a\n\n".repeat(1000)));
    }

    #[test]
    fn what_nests_deep_is_found_however_it_is_written() {
        let many = DEEPEST + 1;
        let stairs: String = (0..many).map(|step| format!("{}-\n", " ".repeat(2 * step))).collect();
        let numbered: String = (0..many).map(|step| format!("{}1. a\n", " ".repeat(3 * step))).collect();
        let tabs: String = (0..many).map(|step| format!("{}- a\n\n", "\t".repeat(step))).collect();
        let mixed = "> - ".repeat(many / 2 + 1);
        let late = format!("fine\n\n{}x", ">".repeat(many));
        for text in [">".repeat(many), "- ".repeat(many) + "a", "1) ".repeat(many), stairs, numbered, tabs, mixed, late]
        {
            assert!(!is_shallow(&text), "{text}");
        }
    }
}
