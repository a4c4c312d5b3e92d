//! Renders Markdown as safe HTML, at a cost that is bounded in advance.

use std::{collections::HashSet, fmt, sync::LazyLock};

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::{decorate, highlight, images, nesting, tidy};

/// The maximum size of a text that is rendered; requests cannot contain more.
pub(super) const TEXT_BYTES: usize = 256 * 1024;

/// The maximum size of the HTML of a text.
pub(super) const HTML_BYTES: usize = 1024 * 1024;

/// The rules of the sanitizer.
pub(super) static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .rm_tags(["map", "area", "h1", "h2", "col", "colgroup"])
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .add_allowed_classes("code", highlight::CLASSES)
        .url_relative(UrlRelative::Custom(Box::new(decorate::relative)))
        .link_rel(Some("nofollow noopener noreferrer"));
    builder
});

/// Renders a text as safe HTML. `None` if it nests too deep, has too many parts or becomes too large. HTML inside the
/// Markdown is sanitized like the generated HTML.
pub(super) fn render(text: &str) -> Option<String> {
    if text.len() > TEXT_BYTES || !nesting::is_shallow(text) {
        return None;
    }
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut made = Bounded(String::new());
    html::write_html_fmt(&mut made, Parser::new_ext(text, options).map(fitted)).ok()?;
    let safe = images::link_all(SANITISER.clean(&tidy::tidy(&made.0)?).to_string());
    (safe.len() <= HTML_BYTES).then(|| decorate::decorate(safe))
}

/// A text with a maximum size.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if self.0.len() + piece.len() > HTML_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(piece);
        Ok(())
    }
}

/// The boxes of tasks: done, and not done.
pub(super) const BOXES: [&str; 2] = ["\u{2611} ", "\u{2610} "];

/// Lowers headings below those of the page, names the language of code, and marks tasks as done or not.
fn fitted(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: lower(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level))),
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
            let class = highlight::class_of(&info).and_then(|class| class.strip_prefix("language-"));
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(class.unwrap_or_default().into())))
        }
        Event::TaskListMarker(is_done) => Event::Text(BOXES[usize::from(!is_done)].into()),
        other => other,
    }
}

fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        HeadingLevel::H3 => HeadingLevel::H5,
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        render(text).expect("small enough")
    }

    #[test]
    fn markdown_becomes_html_below_the_headings_of_the_page() {
        let made = rendered("# Cat\n\nA *quiet* [cat](https://example.org/) | ~~dog~~\n");
        assert!(made.contains("<h3 id=\"doc-cat\">Cat</h3>") && made.contains("<em>quiet</em>"), "{made}");
        assert!(made.contains("href=\"https://example.org/\"") && made.contains("nofollow"), "{made}");
    }

    #[test]
    fn what_people_write_keeps_its_shape() {
        let text = "1. one\n   - two\n\n     three `a < b`\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n\
            <details>\n<summary>More</summary>\n\nInside &amp; out\n\n</details>\n\n<p align=\"center\">\n  <b>mid</b>\n</p>\n\n\
            - [x] done\n\n```rust\nfn main() {}\n```\n";
        assert_holds(
            &rendered(text),
            &[
                "<ol>\n<li>one\n<ul>\n<li>\n<p>two</p>\n<p>three <code>a &lt; b</code></p>\n</li>\n</ul>\n</li>\n</ol>",
                "<blockquote>\n<p>quoted</p>\n</blockquote>",
                "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>\n<tr><td>1</td><td><strong>2</strong></td></tr>\n</tbody></table>",
                "<details>\n<summary>More</summary>\n<p>Inside &amp; out</p>\n</details>",
                "<p>\n  <b>mid</b>\n</p>",
                "\u{2611} done",
                "<pre><code><span class=\"hl-k\">fn</span> main() {}\n</code></pre>",
            ],
        );
    }

    fn assert_holds(made: &str, parts: &[&str]) {
        for part in parts {
            assert!(made.contains(part), "{part}\nis not in\n{made}");
        }
    }

    #[test]
    fn nothing_that_acts_gets_through() {
        let hostile = [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[x](javascript:alert(1))",
            "[x](JaVaScRiPt:alert(1))",
            "[x](data:text/html,<script>alert(1)</script>)",
            "<a href=\"&#106;avascript:alert(1)\">x</a>",
            "<a href='&quot; onclick=&quot;alert(1)'>x</a>",
            "<a href='\" onclick=\"alert(1)'>x</a>",
            "<p title='\"><script>alert(1)</script>'>x</p>",
            "<p style=\"position:fixed\" onclick=\"alert(1)\" id=\"q\">x</p>",
            "<iframe src=\"https://evil.example\"></iframe>",
            "<form action=\"/logout\" method=post><button>x</button></form>",
            "<svg><a xlink:href=\"javascript:alert(1)\">x</a></svg>",
            "<svg><style><img src=x onerror=alert(1)></style></svg>",
            "<scr<script>ipt>alert(1)</script>",
            "<textarea><script>alert(1)</script></textarea>",
            "![x](https://evil.example/a.png)",
            "[x](/logout)",
            "<base href=\"https://evil.example\"><link rel=stylesheet href=x><style>*{}</style>",
        ];
        let parts = ["<script", "onerror=", " onclick=", "href=\"j", "javascript:", "data:text", "style", "<iframe"];
        let more = ["<form", "<button", "<svg", "/logout", "<base", "<link", "id="];
        for text in hostile {
            let made = rendered(text);
            // Text between quotes is not a tag.
            let tags: String = made.split('"').step_by(2).collect();
            let links: Vec<&str> = made.split("href=").skip(1).collect();
            let images: Vec<&str> = made.split("src=").skip(1).collect();
            assert!(images.iter().all(|image| image.starts_with("\"/-/image?url=http")), "{text} became {made}");
            let found = parts.iter().chain(&more).find(|part| tags.contains(**part));
            assert_eq!(found, None, "{text} became {made}");
            assert!(
                links.iter().all(|link| !link.starts_with("\"j") && !link.starts_with("\"/")),
                "{text} became {made}"
            );
        }
    }
}
