//! Small parts that many pages repeat: icons, states, avatars, formats and copy buttons. None of them contains text of
//! users.

use std::fmt::{self, Write as _};

use askama::filters::HtmlSafe;
use sha2::{Digest, Sha256};

use crate::assets::ICONS;

/// HTML that templates insert as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Markup(pub(crate) String);

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Markup {}

/// The number of hues in the style sheet.
const HUES: u8 = 12;

/// The formats with their name, symbol and hue. Others look like generic ones.
const FORMATS: [(&str, &str, &str, u8); 23] = [
    ("generic", "Generic", "generic", 6),
    ("maven", "Maven", "maven", 7),
    ("pypi", "PyPI", "pypi", 0),
    ("npm", "npm", "npm", 8),
    ("cargo", "Cargo", "cargo", 5),
    ("docker", "Container images", "oci", 1),
    ("oci", "Container images", "oci", 1),
    ("debian", "Debian", "debian", 9),
    ("rpm", "RPM", "rpm", 11),
    ("helm", "Helm", "helm", 10),
    ("opkg", "opkg", "generic", 4),
    ("cran", "CRAN", "generic", 3),
    ("nuget", "NuGet", "nuget", 2),
    ("alpine", "Alpine", "generic", 0),
    ("arch", "Arch Linux", "generic", 1),
    ("composer", "Composer", "generic", 10),
    ("conan", "Conan", "generic", 2),
    ("conda", "conda", "generic", 5),
    ("go", "Go", "generic", 1),
    ("vagrant", "Vagrant", "generic", 7),
    ("gem", "RubyGems", "gem", 8),
    ("rubygems", "RubyGems", "gem", 8),
    ("product", "Product", "product", 3),
];

/// An icon. The text beside it says the same, so it is hidden from those who listen.
pub(crate) fn icon(name: &'static str) -> Markup {
    Markup(symbol("icon", name))
}

fn symbol(class: &str, name: &str) -> String {
    format!("<svg class=\"{class}\" aria-hidden=\"true\"><use href=\"{}#{name}\"/></svg>", ICONS.address())
}

/// A text of a user inside markup.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The text with a capital letter at its beginning. Values in messages are quoted, so they stay as they are.
pub(crate) fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_ascii_uppercase().to_string() + rest.as_str()).unwrap_or_default()
}

/// A state: an icon and a word, so that it is never told by its color alone.
pub(crate) fn state(kind: &'static str, name: &'static str, word: &'static str) -> Markup {
    let class = if kind.is_empty() { String::new() } else { format!(" {kind}") };
    let icon = if name.is_empty() { String::new() } else { icon(name).0 };
    Markup(format!("<span class=\"state{class}\">{icon}{word}</span>"))
}

/// The name of a format for people.
pub(crate) fn format_title(kind: &str) -> &'static str {
    FORMATS.iter().find(|(name, ..)| *name == kind).map_or("Files", |(_, title, ..)| title)
}

/// The tile of a format.
pub(crate) fn format(kind: &str, size: &'static str) -> Markup {
    let (_, title, name, hue) = FORMATS.iter().find(|(name, ..)| *name == kind).unwrap_or(&FORMATS[0]);
    let space = if size.is_empty() { "" } else { " " };
    let picture = symbol("icon", &format!("f-{name}"));
    Markup(format!("<span class=\"format hue-{hue}{space}{size}\" title=\"{title}\">{picture}</span>"))
}

/// A picture for a name: its hash selects the hue, and the shape and tone of four tiles.
pub(crate) fn avatar(name: &str, class: &'static str) -> Markup {
    let hash = Sha256::digest(name);
    let mut tiles = String::new();
    for (place, [x, y]) in [[0, 0], [4, 0], [0, 4], [4, 4]].into_iter().enumerate() {
        let tone = if hash[8 + place] % 2 == 0 { 'a' } else { 'b' };
        // Writing to a string cannot fail.
        let _ = write!(tiles, "<path class=\"{tone}\" d=\"{}\"/>", tile(hash[1 + place], x, y));
    }
    let space = if class.is_empty() { "" } else { " " };
    let hue = hash[0] % HUES;
    Markup(format!(
        "<svg class=\"avatar hue-{hue}{space}{class}\" viewBox=\"0 0 8 8\" aria-hidden=\"true\">{tiles}</svg>"
    ))
}

fn tile(shape: u8, x: u8, y: u8) -> String {
    match shape % 7 {
        0 => format!("M{x} {y}h4v4h-4z"),
        1 => format!("M{x} {y}h4a4 4 0 0 1-4 4z"),
        2 => format!("M{x} {y}h4v4a4 4 0 0 1-4-4z"),
        3 => format!("M{x} {y}h4l-4 4z"),
        4 => format!("M{} {y}a2 2 0 0 1 0 4 2 2 0 0 1 0-4z", x + 2),
        5 => format!("M{x} {y}a4 4 0 0 1 4 4h-4z"),
        _ => format!("M{} {y}v4h-4a4 4 0 0 1 4-4z", x + 4),
    }
}

/// The reason why the value of a field was rejected.
pub(crate) fn field_error(field: &'static str, reason: Option<&str>) -> Markup {
    let shown = |reason| {
        let (icon, reason) = (icon("fail").0, escaped(&capitalized(reason)));
        format!("<p class=\"error\" id=\"{field}-error\">{icon}<span>{reason}</span></p>")
    };
    Markup(reason.map(shown).unwrap_or_default())
}

/// The attribute of an input whose value was rejected.
pub(crate) fn invalid(is_invalid: bool) -> Markup {
    Markup(if is_invalid { " aria-invalid=\"true\"".to_owned() } else { String::new() })
}

/// A button that copies the text before it. The script shows it.
pub(crate) fn copy(label: &'static str) -> Markup {
    let icon = icon("copy").0;
    Markup(format!(
        "<button class=\"button quiet bare\" type=\"button\" data-copy hidden aria-label=\"{label}\" title=\"Copy\">\
         {icon}</button>"
    ))
}

/// The highest place of a line in a sparkline, and its floor.
const SPARK: (i64, i64) = (20, 280);

/// A line of counts without axes, in tenths of the picture's units. It decorates a number, so it is hidden from those
/// who listen.
pub(crate) fn spark(counts: &[i64], class: &'static str) -> Markup {
    let most = counts.iter().copied().max().unwrap_or_default().max(1);
    let steps = i64::try_from(counts.len().max(2) - 1).unwrap_or(1);
    let place = |(step, count): (i64, &i64)| {
        let height = i128::from(*count) * i128::from(SPARK.1 - SPARK.0) / i128::from(most);
        let y = SPARK.1 - i64::try_from(height).unwrap_or_default();
        format!("{},{}", tenths(1120 * step / steps), tenths(y))
    };
    let points = (0..).zip(counts).map(place).collect::<Vec<_>>().join(" ");
    let space = if class.is_empty() { "" } else { " " };
    Markup(format!(
        "<svg class=\"spark{space}{class}\" viewBox=\"0 0 112 28\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <polygon class=\"area\" points=\"0,28 {points} 112,28\"/><polyline class=\"line\" points=\"{points}\"/></svg>"
    ))
}

fn tenths(value: i64) -> String {
    if value % 10 == 0 { (value / 10).to_string() } else { format!("{}.{}", value / 10, value % 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_avatar_is_the_same_for_the_same_name() {
        assert_eq!(avatar("acme", "").0, avatar("acme", "").0);
        assert_ne!(avatar("acme", "").0, avatar("acne", "").0);
        assert_eq!(avatar("<b>", "large").0.matches("<path").count(), 4);
    }

    #[test]
    fn a_spark_has_a_point_for_each_count() {
        let line = spark(&[0, 5, 10], "").0;
        assert!(line.contains("points=\"0,28 56,15 112,2\""), "{line}");
        assert!(spark(&[], "").0.contains("points=\"\"") && spark(&[i64::MAX], "").0.contains("0,2"));
    }

    #[test]
    fn a_state_has_a_word() {
        assert!(state("good", "shield", "Signed").0.ends_with("Signed</span>"));
        assert_eq!(state("", "", "npm").0, "<span class=\"state\">npm</span>");
    }
}
