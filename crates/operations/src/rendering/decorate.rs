//! Adds to safe HTML what people expect of a readme: headings that links lead to, coloured code, and tasks without bullets. It works on the
//! output of the sanitizer, and adds only its own attributes and elements.

use std::{borrow::Cow, collections::HashMap};

use super::{
    highlight, images,
    markdown::{BOXES, HTML_BYTES},
};

/// The start of the id of a heading: no id of a page begins like this.
const PREFIX: &str = "doc-";

/// The maximum length of an id.
const ID_CHARACTERS: usize = 60;

/// The start of a block of code with a known language.
const CODE: &str = "<pre><code class=\"";

/// The start of an item of a list.
const ITEM: &str = "<li>";

/// Decorates HTML. If it would become too large, it stays as it is.
pub(super) fn decorate(html: String) -> String {
    let mut made = String::with_capacity(html.len() + html.len() / 4);
    let (mut rest, mut ids) = (html.as_str(), HashMap::new());
    while let Some(place) = rest.find('<') {
        made.push_str(&rest[..place]);
        rest = &rest[place..];
        let length =
            code(rest, &mut made).or_else(|| task(rest, &mut made)).or_else(|| heading(rest, &mut made, &mut ids));
        // Nothing to decorate: the sign itself is copied, and what follows is looked at.
        let length = length.unwrap_or_else(|| {
            made.push('<');
            1
        });
        rest = &rest[length..];
    }
    made.push_str(rest);
    if made.len() > HTML_BYTES { html } else { made }
}

/// Writes the block of code at the start; returns its length.
fn code(rest: &str, made: &mut String) -> Option<usize> {
    let (class, inner) = rest.strip_prefix(CODE)?.split_once("\">")?;
    let inner = &inner[..inner.find('<')?];
    let length = CODE.len() + class.len() + 2 + inner.len();
    // HTML of the author inside the block is left alone.
    if !highlight::CLASSES.contains(&class) || !rest[length..].starts_with("</code>") {
        return None;
    }
    made.push_str("<pre><code>");
    made.push_str(&highlight::code(inner, class));
    Some(length)
}

/// Writes the start of the task at the start, which needs no bullet before its box; returns its length.
fn task(rest: &str, made: &mut String) -> Option<usize> {
    let inner = rest.strip_prefix(ITEM)?;
    if !BOXES.iter().any(|mark| inner.starts_with(mark)) {
        return None;
    }
    made.push_str("<li class=\"task\">");
    Some(ITEM.len())
}

/// Writes the start of the heading at the start; returns its length.
fn heading(rest: &str, made: &mut String, ids: &mut HashMap<String, usize>) -> Option<usize> {
    let level =
        rest.strip_prefix("<h").and_then(|rest| rest.chars().next()).filter(|level| ('3'..='6').contains(level))?;
    let inner = rest[3..].strip_prefix('>')?;
    let inner = &inner[..inner.find(&format!("</h{level}>"))?];
    let name = slug(inner);
    if name.is_empty() {
        return None;
    }
    let times = ids.entry(name.clone()).and_modify(|times| *times += 1).or_insert(0);
    let id = if *times == 0 { name } else { format!("{name}-{times}") };
    made.push_str(&format!("<h{level} id=\"{PREFIX}{id}\">"));
    Some(4)
}

/// The name of a heading in links: its letters and digits, with a dash for each blank.
fn slug(inner: &str) -> String {
    let (mut name, mut is_text, mut is_entity) = (String::new(), true, false);
    for c in inner.chars() {
        match c {
            '<' => is_text = false,
            '>' => is_text = true,
            '&' if is_text => is_entity = true,
            ';' if is_entity => is_entity = false,
            _ if !is_text || is_entity => {}
            _ if c.is_alphanumeric() || c == '_' => name.extend(c.to_lowercase()),
            ' ' | '-' => name.push('-'),
            _ => {}
        }
    }
    name.chars().take(ID_CHARACTERS).collect::<String>().trim_matches('-').to_owned()
}

/// The link to a heading of the same text, or a badge of this server; other relative links lead nowhere.
pub(super) fn relative(url: &str) -> Option<Cow<'_, str>> {
    if images::is_badge(url) {
        return Some(url.into());
    }
    let name = url.strip_prefix('#')?;
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    is_plain.then(|| Cow::Owned(format!("#{PREFIX}{}", name.to_lowercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_marked_and_other_items_are_not() {
        let made = decorate("<ul><li>\u{2611} a</li><li>\u{2610} b</li><li>c</li></ul>".to_owned());
        let tasks = "<ul><li class=\"task\">\u{2611} a</li><li class=\"task\">\u{2610} b</li><li>c</li></ul>";
        assert_eq!(made, tasks);
    }

    #[test]
    fn headings_get_ids_of_their_own() {
        let made = decorate("<h3>How <em>to</em> start</h3><p>a</p><h4>How to start</h4><h5>&amp;</h5>".to_owned());
        let expected = "<h3 id=\"doc-how-to-start\">How <em>to</em> start</h3><p>a</p>\
            <h4 id=\"doc-how-to-start-1\">How to start</h4><h5>&amp;</h5>";
        assert_eq!(made, expected);
    }

    #[test]
    fn only_plain_code_of_a_known_language_is_coloured() {
        let made = decorate("<pre><code class=\"language-data\">true</code></pre>".to_owned());
        assert_eq!(made, "<pre><code><span class=\"hl-k\">true</span></code></pre>");
        for other in [
            "<pre><code class=\"language-data\"><b>true</b></code></pre>",
            "<pre><code class=\"other\">true</code></pre>",
            "<pre><code>true</code></pre>",
            "<pre><code class=\"language-data\">true",
            "a < b <h3>open",
        ] {
            assert_eq!(decorate(other.to_owned()), other);
        }
    }

    #[test]
    fn links_lead_to_headings_and_badges_and_nowhere_else() {
        assert_eq!(relative("#How-To").as_deref(), Some("#doc-how-to"));
        assert_eq!(relative("/-/badge/a/b/c/version.svg").as_deref(), Some("/-/badge/a/b/c/version.svg"));
        for other in ["/-/badge/../a", "/-/badge/a?b", "#", "#a b", "#\"x", "/logout", "a#b", ""] {
            assert_eq!(relative(other), None, "{other}");
        }
    }
}
