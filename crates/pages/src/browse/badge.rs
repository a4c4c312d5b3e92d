//! Badges: small images with the latest version, the downloads or the licence of a package, for readmes here and
//! elsewhere.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use operations::{
    catalogue::packages,
    usage::statistics::{self, StatisticsQuery},
};
use web::{App, error::Result, path_names::PathNames};

use super::readme_image::POLICY;
use crate::{parts::escaped, sizes, visitor::Visitor};

/// How long others may keep a badge, in seconds. One of a private package is for its reader only.
const PUBLIC: &str = "public, max-age=300";
const PRIVATE: &str = "private, max-age=300";

/// The most characters of a value.
const CHARACTERS: usize = 40;

/// Colors of values with enough contrast to white text.
const BLUE: &str = "#1d5fd6";
const GREY: &str = "#57606a";

/// The latest version.
pub(super) async fn version(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let detail = packages::show(app.house(), &visitor.caller, &at).await?;
    let is_private = detail.access.repo.repo.profile.is_private;
    let latest = detail.latest_version.unwrap_or_default();
    Ok(badge(at.package.as_str(), &latest, BLUE, is_private))
}

/// The downloads in thirty days, for those who may see them.
pub(super) async fn downloads(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let detail = packages::show(app.house(), &visitor.caller, &at).await?;
    let wanted = StatisticsQuery { package: at, version: None, from: None, to: None };
    let found = statistics::list_by_day(app.house(), &visitor.caller, &wanted).await?;
    let count = found.records.iter().map(|record| record.count).sum();
    // Numbers that only some may see are for their reader only.
    let profile = &detail.access.package.profile;
    let is_private = detail.access.repo.repo.profile.is_private || !profile.public_download_numbers;
    Ok(badge("downloads", &format!("{} in 30 days", sizes::number(count)), BLUE, is_private))
}

/// The licences.
pub(super) async fn license(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let detail = packages::show(app.house(), &visitor.caller, &path.package_address()?).await?;
    let profile = &detail.access.package.profile;
    let names = profile.licenses.iter().map(ToString::to_string);
    let names: Vec<String> = names.chain(profile.custom_licenses.iter().map(ToString::to_string)).collect();
    Ok(badge("licence", &names.join(", "), BLUE, detail.access.repo.repo.profile.is_private))
}

fn badge(label: &str, value: &str, color: &'static str, is_private: bool) -> Response {
    let (value, color) = if value.is_empty() { ("none", GREY) } else { (value, color) };
    let mut response = svg(&shortened(label), &shortened(value), color).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(if is_private { PRIVATE } else { PUBLIC }));
    headers.insert(header::VARY, HeaderValue::from_static("authorization, cookie"));
    response
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= CHARACTERS {
        return text.to_owned();
    }
    text.chars().take(CHARACTERS - 1).chain(['\u{2026}']).collect()
}

/// Draws the badge. The length of each text is given, so it has the same width in every font.
fn svg(label: &str, value: &str, color: &str) -> String {
    let (left, right) = (width(label) + 12, width(value) + 12);
    let text = |text: &str, start: usize, room: usize| {
        let (middle, length, text) = (start + room / 2, room - 12, escaped(text));
        format!("<text x=\"{middle}\" y=\"14\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\">{text}</text>")
    };
    let all = left + right;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" aria-label=\"{0}: {1}\">\
         <title>{0}: {1}</title><clipPath id=\"r\"><rect width=\"{all}\" height=\"20\" rx=\"4\"/></clipPath>\
         <g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" fill=\"#3b434c\"/>\
         <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{color}\"/></g>\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Geist,Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\
         {2}{3}</g></svg>",
        escaped(label),
        escaped(value),
        text(label, 0, left),
        text(value, left, right),
    )
}

/// About the width of a text in pixels.
fn width(text: &str) -> usize {
    text.chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | '\'' | '|' | '!' => 4,
            'f' | 'r' | 't' | ' ' | '-' | '(' | ')' | '/' => 5,
            'm' | 'w' | 'M' | 'W' => 10,
            c if c.is_ascii() => 7,
            _ => 11,
        })
        .sum::<usize>()
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_users_stay_texts() {
        let drawn = svg("<b>\"&", "1.0", BLUE);
        assert!(drawn.contains("&lt;b&gt;&quot;&amp;") && !drawn.contains("<b>"), "{drawn}");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shortened("1.0"), "1.0");
        assert_eq!(shortened(&"\u{e9}".repeat(100)).chars().count(), CHARACTERS);
    }
}
