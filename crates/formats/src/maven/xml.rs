//! Writes XML as text, indented like Maven's.

use quick_xml::escape::partial_escape;

/// An XML document that is being written.
#[derive(Debug)]
pub(super) struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    /// Writes a UTF-8 document: the root element, its attributes and its contents.
    pub(super) fn document(name: &str, attributes: &str, write: impl FnOnce(&mut Xml)) -> String {
        let mut xml = Xml { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), depth: 0 };
        xml.within(&format!("<{name} {attributes}>"), name, write);
        xml.text
    }

    /// Writes an element with its contents.
    pub(super) fn element(&mut self, name: &str, write: impl FnOnce(&mut Xml)) {
        self.within(&format!("<{name}>"), name, write);
    }

    /// Writes an element that contains only text.
    pub(super) fn leaf(&mut self, name: &str, text: &str) {
        self.line(&format!("<{name}>{}</{name}>", partial_escape(text)));
    }

    fn within(&mut self, start: &str, name: &str, write: impl FnOnce(&mut Xml)) {
        self.line(start);
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self.line(&format!("</{name}>"));
    }

    fn line(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_indented_and_text_is_escaped() {
        let text = Xml::document("a", "x=\"1\"", |xml| xml.element("b", |xml| xml.leaf("c", "<&>\"é")));
        let expected = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<a x=\"1\">",
            "  <b>",
            "    <c>&lt;&amp;&gt;\"é</c>",
            "  </b>",
            "</a>",
            "",
        ];
        assert_eq!(text, expected.join("\n"));
    }
}
