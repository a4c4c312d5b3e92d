//! Texts that are far more expensive to parse than to write, each of the maximum size: all are rendered or rejected
//! quickly.

use std::{
    fs,
    time::{Duration, Instant},
};

use proptest::prelude::*;

use super::markdown::{HTML_BYTES, TEXT_BYTES, render};

/// The maximum processor time for a text of full size; builds without optimization take several times as long.
const SOON: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 250 });

/// Pieces of Markdown and HTML. All pairs of them are tested, repeated.
const PIECES: &[&str] = &[
    "[", "](", "![", "[a]", "[a]: x\n", "*", "**a", "_", "~~", "`", "``a", "<", ">", "> ", "- ", "1. ", "|", "|-|\n",
    "a", " ", "\n", "\n\n", "\n> ", "\n- ", "&", "&amp;", "\\", "http://a", "<b>", "</b>", "<p>", "</p>", "<a>",
    "</a>", "<i x>", "<table>", "</table>", "<td>", "<tr>", "<li>", "<ul>", "<div>", "</div>", "<font>", "<svg>",
    "<br>", "<code>", "<!--", "<b a=\"", "<select>", "<dd>",
];

fn filled(unit: &str) -> String {
    unit.repeat(TEXT_BYTES / unit.len())
}

/// Texts without repetition, or with more than one repeated part.
fn shapes() -> Vec<(&'static str, String)> {
    let numbered = |count: usize, piece: fn(usize) -> String| (0..count).map(piece).collect::<String>();
    let half = TEXT_BYTES / 2;
    vec![
        ("formats and paragraphs", format!("<p>{}{}", numbered(3000, |n| format!("<b a{n}>")), "<p>x".repeat(50_000))),
        (
            "formats that end late",
            format!(
                "{}{}{}",
                numbered(6000, |n| format!("<b {n}>")),
                numbered(6000, |n| format!("<i {n}>")),
                "x</b>".repeat(20_000)
            ),
        ),
        (
            "a long address again and again",
            format!("<p><a href=\"http://{}\">{}", "A".repeat(half), "<p>a".repeat(half / 4 - 8)),
        ),
        ("a tag of many attributes", format!("<b{}>", numbered(40_000, |n| format!(" a{n}")))),
        ("half quotes", ">".repeat(25_000)),
        ("quotes", filled(">")),
        ("quotes and lines", format!("{}{}", ">".repeat(half), "a\n".repeat(half / 2))),
        ("lists and lines", format!("{}{}", "- ".repeat(half / 2), "a\n".repeat(half / 2))),
        ("stairs", numbered(700, |n| format!("{}- a\n", " ".repeat(n)))),
        ("shallow quotes, many lines", format!("{}a\n", "> ".repeat(30)).repeat(TEXT_BYTES / 62)),
        ("emphasis in emphasis", filled("*a _b ")),
        ("emphasis that does not match", filled("*a_")),
        ("deep emphasis", format!("{}a{}", "*a **a ".repeat(18_000), "b** b*".repeat(20_000))),
        ("brackets", format!("{}{}", "[".repeat(half), "]".repeat(half))),
        ("links in links", format!("{}a{}", "[".repeat(50_000), "](b)".repeat(50_000))),
        ("backticks of all lengths", numbered(700, |n| format!("{} ", "`".repeat(n)))),
        ("wide tables", format!("|{}\n|{}\n{}", "a|".repeat(10_000), "-|".repeat(10_000), "|b\n".repeat(60_000))),
        (
            "references",
            format!(
                "{}{}",
                numbered(8000, |n| format!("[r{n}]: http://a/{n}\n")),
                numbered(8000, |n| format!("[r{n}] "))
            ),
        ),
        ("one long reference", format!("[x]: http://{}\n\n{}", "x".repeat(half), "[x] ".repeat(half / 4 - 8))),
        ("entities", filled("&notanentity &#x41;")),
        ("ampersands", "&".repeat(99_000)),
        ("ampersands in a table", format!("<table>{}", "&".repeat(TEXT_BYTES - 7))),
        ("ampersands in a cell", format!("<table><td>{}", "&".repeat(99_000))),
        ("tables in tables", filled("<table><tr><td>")),
        ("texts before a table", format!("<table>{}", "x<i></i>".repeat(32_000))),
        ("tables that do not end", filled("<table>x<table><b>")),
        ("fonts", filled("<font size=1>a<p>")),
        ("links that do not end", numbered(9000, |n| format!("<a name=a{n}>x<div>"))),
        ("links", filled("[](http://a)")),
        ("nothing ends", filled("<div a='")),
        ("lists of HTML", filled("<ul><li>")),
        ("rulers", filled("* * *\n")),
        ("one word", filled("a")),
        ("lines", filled("a\n")),
    ]
}

/// The processor time of this thread, if the system reports it: other processes may keep the machine busy.
fn processor_time() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn assert_soon(name: &str, text: &str) {
    assert!(text.len() <= TEXT_BYTES, "{name} has {} bytes", text.len());
    let (begun, used) = (Instant::now(), processor_time());
    let html = render(text);
    let taken = match (used, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => begun.elapsed(),
    };
    assert!(taken < SOON, "{name} took {taken:?}");
    assert!(html.is_none_or(|html| html.len() <= HTML_BYTES), "{name}");
}

#[test]
fn every_nasty_shape_is_rendered_or_given_up_soon() {
    for (name, mut text) in shapes() {
        text.truncate(TEXT_BYTES);
        assert_soon(name, &text);
    }
}

#[test]
fn attacks_that_worked_are_given_up() {
    for name in ["formats and paragraphs", "half quotes", "quotes"] {
        let (_, text) = shapes().into_iter().find(|(shape, _)| *shape == name).expect("a shape");
        assert_eq!(render(&text), None, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_repeats_is_rendered_or_given_up_soon(
        unit in prop::collection::vec(prop::sample::select(PIECES), 1..6),
        before in prop::collection::vec(prop::sample::select(PIECES), 0..6),
    ) {
        let (unit, before) = (unit.concat(), before.concat());
        let room = TEXT_BYTES / 4 - before.len();
        assert_soon(&format!("{before:?} and {unit:?}"), &(before + &unit.repeat(room / unit.len())));
    }
}
