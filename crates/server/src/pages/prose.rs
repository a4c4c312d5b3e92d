//! Readmes, release notes and agreements as HTML that can do no harm.

use std::{collections::HashSet, fmt};

use ammonia::{Builder, UrlRelative};
use model::document::{Document, Syntax};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::error::Result;

/// A text as HTML that was made safe. Templates write it as it is.
#[derive(Debug, Clone)]
pub(super) struct Prose(String);

impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text of somebody else as HTML. A long one takes a while, so it does not hold up other requests.
pub(super) async fn render(document: Document) -> Result<Prose> {
    let rendered = tokio::task::spawn_blocking(move || match document.syntax {
        Syntax::Markdown => markdown(&document.content),
        Syntax::Asciidoc | Syntax::PlainText => plain(&document.content),
    });
    Ok(rendered.await.map_err(|error| operations::Error::Internal(error.to_string()))?)
}

fn plain(text: &str) -> Prose {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Prose(format!("<pre class=\"plain\">\n{escaped}</pre>"))
}

/// What Markdown lets through as HTML is sanitised like everything that it makes itself.
fn markdown(text: &str) -> Prose {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut made = String::new();
    html::push_html(&mut made, Parser::new_ext(text, options).filter_map(fitted));
    Prose(sanitiser().clean(&made).to_string())
}

/// Headings stand below those of the page. Pictures are their words: nothing is loaded from elsewhere.
fn fitted(event: Event<'_>) -> Option<Event<'_>> {
    match event {
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Some(Event::Start(Tag::Heading { level: lower(level), id, classes, attrs }))
        }
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(lower(level)))),
        other => Some(other),
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

fn sanitiser() -> Builder<'static> {
    let mut builder = Builder::default();
    builder
        .rm_tags(["img", "map", "area", "h1", "h2"])
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("nofollow noopener noreferrer"));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html_below_the_headings_of_the_page() {
        let made = markdown("# Cat\n\nA *quiet* [cat](https://example.org/) | ~~dog~~\n").to_string();
        assert!(made.contains("<h3>Cat</h3>") && made.contains("<em>quiet</em>"), "{made}");
        assert!(made.contains("href=\"https://example.org/\"") && made.contains("nofollow"), "{made}");
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
            "<p style=\"position:fixed\" onclick=\"alert(1)\" id=\"q\">x</p>",
            "<iframe src=\"https://evil.example\"></iframe>",
            "<form action=\"/logout\" method=post><button>x</button></form>",
            "<svg><a xlink:href=\"javascript:alert(1)\">x</a></svg>",
            "![x](https://evil.example/a.png)",
            "[x](/logout)",
            "<base href=\"https://evil.example\"><link rel=stylesheet href=x><style>*{}</style>",
        ];
        let parts = ["<script", "onerror=", "onclick=", "href=\"j", "javascript:", "data:text", "style", "<iframe"];
        let more = ["<form", "<button", "<svg", "<img", "/logout", "<base", "<link", "id="];
        for text in hostile {
            let made = markdown(text).to_string();
            let found = parts.iter().chain(&more).find(|part| made.contains(**part));
            assert_eq!(found, None, "{text} became {made}");
        }
    }

    #[test]
    fn other_texts_are_shown_as_they_are() {
        let shown = plain("= Cat\n<b>& more</b>").to_string();
        assert_eq!(shown, "<pre class=\"plain\">\n= Cat\n&lt;b&gt;&amp; more&lt;/b&gt;</pre>");
    }
}
