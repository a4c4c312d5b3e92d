//! Tidies HTML: every element ends inside its parent, and elements that the sanitizer does not know are removed. The
//! HTML parser after it then has nothing to repair, which could cost it quadratic time, and its remaining work is
//! counted here.

use std::{collections::HashSet, sync::LazyLock};

use super::{
    markdown::{HTML_BYTES, SANITISER},
    tokens::{Token, Tokens},
};

/// The maximum depth of nested elements.
const DEEPEST: usize = 100;

/// The maximum number of elements and pieces of text.
const NODES: usize = 100_000;

static KNOWN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| SANITISER.clone_tags());

/// The maximum number of nodes that the HTML parser may create for a link inside a link, which it takes apart.
const INNER_LINK: usize = 32;

/// This many bytes of text cost as much as a piece, each time that another piece is joined to them.
const JOINED_BYTES: usize = 1024;

/// The bytes that the sanitizer adds to a link.
const LINK_BYTES: usize = 64;

const VOID: [&str; 4] = ["br", "hr", "img", "wbr"];

/// Elements that end a paragraph.
const BLOCKS: &[&str] = &[
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "nav",
    "ol",
    "p",
    "pre",
    "summary",
    "table",
    "ul",
];

/// Elements that the HTML parser reopens in the next block if they were not closed.
const FORMATS: &[&str] = &["a", "b", "code", "em", "i", "s", "small", "strike", "strong", "tt", "u"];

/// Tidies HTML. `None` if it nests too deep, has too many parts or becomes too large.
pub(super) fn tidy(html: &str) -> Option<String> {
    let mut tree = Tree::default();
    for token in Tokens::new(html) {
        match token {
            Token::Text(text) => tree.text(text)?,
            Token::Start(name, attributes) => {
                if let Some(name) = KNOWN.get(name.as_str()) {
                    tree.start(name, &attributes)?;
                }
            }
            Token::End(name) => tree.end(&name),
        }
    }
    tree.end_from(0);
    (tree.html.len() <= HTML_BYTES).then_some(tree.html)
}

/// An open element.
struct Open {
    name: &'static str,
    /// The bytes it adds to the page each time that it is reopened; 0 for one that is not.
    bytes: usize,
}

#[derive(Default)]
struct Tree {
    html: String,
    open: Vec<Open>,
    /// The number of open elements that could be reopened, and the bytes they would add.
    formats: usize,
    format_bytes: usize,
    nodes: usize,
    repeated_bytes: usize,
    /// The start of the text after the last tag.
    text_begins: usize,
    /// Texts in a table outside its cells: the parser moves them before the table, past all other such texts.
    strays: usize,
}

impl Tree {
    fn text(&mut self, text: &str) -> Option<()> {
        if text.trim_ascii().is_empty() {
            self.html.push_str(text);
            return Some(());
        }
        let is_stray = self.is_between_cells();
        self.strays += usize::from(is_stray);
        // Each entity is a separate piece, which is joined to all of the text before it.
        let begun = self.html.len() - self.text_begins;
        let entities = text.bytes().enumerate().filter(|(_, byte)| *byte == b'&');
        let joined = entities.map(|(at, _)| 1 + (begun + at) / JOINED_BYTES).sum::<usize>();
        self.count(joined + begun / JOINED_BYTES + if is_stray { 1 + self.strays } else { 1 }, 1)?;
        self.html.push_str(if text == "<" { "&lt;" } else { text });
        Some(())
    }

    fn start(&mut self, name: &'static str, attributes: &[(String, &str)]) -> Option<()> {
        if !self.make_room(name) {
            return Some(());
        }
        let times = if name == "a" && self.innermost(|open| open == "a").is_some() { INNER_LINK } else { 1 };
        self.count(times, times)?;
        let before = self.html.len();
        self.html.push('<');
        self.html.push_str(name);
        for (key, value) in attributes {
            self.html.push_str(&format!(" {key}=\"{}\"", value.replace('"', "&quot;")));
        }
        self.html.push('>');
        self.text_begins = self.html.len();
        if !VOID.contains(&name) {
            let bytes = if FORMATS.contains(&name) { self.html.len() - before + LINK_BYTES } else { 0 };
            self.formats += usize::from(bytes > 0);
            self.format_bytes += bytes;
            self.open.push(Open { name, bytes });
        }
        (self.open.len() <= DEEPEST).then_some(())
    }

    /// Closes elements that cannot contain this one. False if it has no valid position.
    fn make_room(&mut self, name: &str) -> bool {
        let rank = rank(name);
        if rank > TABLE {
            return self.make_room_in_table(if rank == CAPTION { SECTION } else { rank });
        }
        if self.is_between_cells() {
            // Only a new table is possible here, which closes this one.
            if name != "table" {
                return false;
            }
            self.end("table");
        }
        if BLOCKS.contains(&name) {
            self.end_within("p", &[]);
        }
        match name {
            "a" if self.open.last().is_some_and(|open| open.name == "a") => self.end("a"),
            "li" => self.end_within("li", &["ul", "ol"]),
            "dt" | "dd" => {
                self.end_within("dt", &["dl"]);
                self.end_within("dd", &["dl"]);
            }
            _ => {}
        }
        true
    }

    fn make_room_in_table(&mut self, rank: usize) -> bool {
        let Some(table) = self.innermost(|open| open == "table") else { return false };
        let is_in_the_way = |open: &Open| self::rank(open.name) >= rank || !in_table(open.name);
        if let Some(place) = self.open[table + 1..].iter().position(is_in_the_way) {
            self.end_from(table + 1 + place);
        }
        true
    }

    fn is_between_cells(&self) -> bool {
        self.innermost(in_table).is_some_and(|place| rank(self.open[place].name) < CELL)
    }

    fn end(&mut self, name: &str) {
        if in_table(name) { self.end_within_table(name) } else { self.end_within(name, &[]) }
    }

    /// Closes the innermost element with this name, unless one of these or a part of a table is in between.
    fn end_within(&mut self, name: &str, walls: &[&str]) {
        let found = self.innermost(|open| open == name || walls.contains(&open) || in_table(open));
        if let Some(place) = found.filter(|place| self.open[*place].name == name) {
            self.end_from(place);
        }
    }

    fn end_within_table(&mut self, name: &str) {
        let found = self.innermost(|open| open == name || open == "table");
        if let Some(place) = found.filter(|place| self.open[*place].name == name) {
            self.end_from(place);
        }
    }

    fn end_from(&mut self, place: usize) {
        for Open { name, bytes } in self.open.drain(place..).rev() {
            self.html.push_str("</");
            self.html.push_str(name);
            self.html.push('>');
            self.text_begins = self.html.len();
            self.formats -= usize::from(bytes > 0);
            self.format_bytes -= bytes;
        }
    }

    fn innermost(&self, is_it: impl Fn(&str) -> bool) -> Option<usize> {
        self.open.iter().rposition(|open| is_it(open.name))
    }

    /// Counts the nodes that the HTML parser may create for one piece: the piece, and every element that could be
    /// reopened for it.
    fn count(&mut self, pieces: usize, times: usize) -> Option<()> {
        self.nodes += pieces + self.formats;
        self.repeated_bytes += times * self.format_bytes;
        let bytes = self.html.len().max(self.repeated_bytes);
        (self.nodes <= NODES && bytes <= HTML_BYTES).then_some(())
    }
}

/// The level of an element in a table: a higher one is inside a lower one.
fn rank(name: &str) -> usize {
    match name {
        "table" => TABLE,
        "thead" | "tbody" | "tfoot" => SECTION,
        "tr" => ROW,
        "td" | "th" => CELL,
        "caption" => CAPTION,
        _ => 0,
    }
}

const TABLE: usize = 1;
const SECTION: usize = 2;
const ROW: usize = 3;
const CELL: usize = 4;
const CAPTION: usize = 5;

fn in_table(name: &str) -> bool {
    rank(name) >= TABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_end_where_they_began() {
        let cases = [
            ("<p>a<b>b</p>c</b>", "<p>a<b>b</b></p>c"),
            ("<b><i>x</b>y</i>", "<b><i>x</i></b>y"),
            ("<p>a<p>b<div>c", "<p>a</p><p>b</p><div>c</div>"),
            ("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"),
            ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
            ("<a name=x><a name=y>z", "<a name=\"x\"></a><a name=\"y\">z</a>"),
            ("<svg><circle/>x</svg></p></div>", "x"),
            ("a < b<br>c &lt; d", "a &lt; b<br>c &lt; d"),
        ];
        for (html, ordered) in cases {
            assert_eq!(tidy(html).as_deref(), Some(ordered), "{html}");
        }
    }

    #[test]
    fn tables_hold_cells_and_nothing_else() {
        let cases = [
            (
                "<table><tr><td>a<td>b<tr><th>c</table>d",
                "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d",
            ),
            ("<table><b><tr><i><td></b>x</table>", "<table><tr><td>x</td></tr></table>"),
            ("<b><table><td>x</b>y</table>", "<b><table><td>xy</td></table></b>"),
            ("<table><table><td>x", "<table></table><table><td>x</td></table>"),
            ("<table><td>a<caption>b<td>c</table>", "<table><td>a</td><caption>b</caption><td>c</td></table>"),
            ("<td>x</td><tr>", "x"),
        ];
        for (html, ordered) in cases {
            assert_eq!(tidy(html).as_deref(), Some(ordered), "{html}");
        }
    }

    #[test]
    fn what_would_grow_is_given_up() {
        let names: String = (0..300).map(|n| format!("<b a{n}>")).collect();
        assert_eq!(tidy(&names), None);
        assert_eq!(tidy(&"<div>".repeat(DEEPEST + 1)), None);
        assert!(tidy(&"<div>".repeat(DEEPEST)).is_some());
        assert_eq!(tidy(&"<br>".repeat(NODES + 1)), None);
        assert_eq!(tidy(&"&".repeat(NODES)), None);
        assert_eq!(tidy(&format!("<b a=\"{}\">{}", "x".repeat(10_000), "<p>x".repeat(200))), None);
        assert_eq!(tidy(&format!("<table>{}", "x<tr>".repeat(1000))), None);
    }
}
