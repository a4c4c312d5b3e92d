//! Images in HTML: stored texts name them by the path of the proxy, and pages get that path with a signature.

use std::borrow::Cow;

use crate::{
    House,
    outbound::{authority, encoded},
};

/// The start of an image in stored HTML; the URL of the image follows, encoded.
const STORED: &str = "<img src=\"/-/image?url=";

/// The start of the path of badges, which this server draws itself.
const BADGES: &str = "/-/badge/";

/// The maximum number of images of a text. Others are shown as their alternative text.
const IMAGES: usize = 100;

/// The longest URL of an image.
const URL_BYTES: usize = 2000;

/// Lets the images of sanitized HTML come from this server.
pub(in crate::rendering) fn link_all(html: String) -> String {
    let (mut made, mut rest, mut images) = (String::new(), html.as_str(), 0);
    while let Some(place) = rest.find("<img") {
        made.push_str(&rest[..place]);
        rest = &rest[place..];
        let length = link(rest, &mut made, &mut images).unwrap_or_else(|| {
            // The sanitizer writes no such tag; so it becomes text.
            made.push_str("&lt;");
            1
        });
        rest = &rest[length..];
    }
    if made.is_empty() && rest.len() == html.len() {
        return html;
    }
    made.push_str(rest);
    made
}

/// Writes the image at the start of sanitized HTML; returns its length. What cannot be shown becomes its alternative
/// text.
fn link(rest: &str, made: &mut String, images: &mut usize) -> Option<usize> {
    let inner = rest.strip_prefix("<img")?;
    let (mut attributes, mut tail) = (Vec::new(), inner);
    while let Some(attribute) = tail.strip_prefix(' ') {
        let (name, value) = attribute.split_once("=\"")?;
        let (value, after) = value.split_once('"')?;
        attributes.push((name, value));
        tail = after;
    }
    let length = rest.len() - tail.strip_prefix('>')?.len();
    let value = |wanted: &str| attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    let alt = value("alt").unwrap_or_default().replace('<', "&lt;").replace('>', "&gt;");
    let Some(source) = value("src").and_then(source).filter(|_| *images < IMAGES) else {
        made.push_str(&alt);
        return Some(length);
    };
    *images += 1;
    made.push_str(&format!("<img src=\"{source}\" alt=\"{alt}\" loading=\"lazy\""));
    for name in ["width", "height"] {
        if let Some(pixels) = value(name).filter(|value| is_number(value)) {
            made.push_str(&format!(" {name}=\"{pixels}\""));
        }
    }
    made.push('>');
    Some(length)
}

/// The stored source of an image: the path of the proxy, or a badge of this server.
fn source(value: &str) -> Option<String> {
    if is_badge(value) {
        return Some(value.to_owned());
    }
    let url = value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let is_fetched = url.len() <= URL_BYTES && authority(&url).is_ok();
    is_fetched.then(|| format!("/-/image?url={}", encoded(&url)))
}

/// Whether a relative URL is that of a badge.
pub(in crate::rendering) fn is_badge(url: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '~' | '%' | '+');
    url.strip_prefix(BADGES).is_some_and(|rest| rest.chars().all(is_plain) && !rest.contains(".."))
}

fn is_number(value: &str) -> bool {
    (1..=4).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Signs the images of stored HTML for a page. If images of other sites are off, it has their alternative texts.
pub(in crate::rendering) fn shown(house: &House, html: String) -> String {
    let sign = |url: &str| house.policy.readme_images.is_on.then(|| house.secrets.sign_image(&decoded(url)));
    signed(html, &sign)
}

fn signed(html: String, sign: &dyn Fn(&str) -> Option<String>) -> String {
    let mut made = String::new();
    let mut rest = html.as_str();
    while let Some(place) = rest.find(STORED) {
        let Some((url, after)) = rest[place + STORED.len()..].split_once('"') else { break };
        let Some((tags, behind)) = after.split_once('>') else { break };
        made.push_str(&rest[..place]);
        match sign(url) {
            Some(signature) => {
                made.push_str(&format!("<img src=\"/-/image?signature={signature}&amp;url={url}\"{tags}>"));
            }
            None => made.push_str(tags.split('"').nth(1).unwrap_or_default()),
        }
        rest = behind;
    }
    if made.is_empty() {
        return html;
    }
    made.push_str(rest);
    made
}

/// Decodes a URL that `encoded` has written.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut pieces = text.split('%');
    bytes.extend_from_slice(pieces.next().unwrap_or_default().as_bytes());
    for piece in pieces {
        let (code, plain) = piece.split_at_checked(2).unwrap_or((piece, ""));
        bytes.extend(u8::from_str_radix(code, 16).ok());
        bytes.extend_from_slice(plain.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(html: &str) -> String {
        let mut made = String::new();
        let length = link(html, &mut made, &mut 0).expect("an image");
        made + &html[length..]
    }

    #[test]
    fn images_of_the_web_are_loaded_through_the_proxy() {
        let made =
            linked("<img alt=\"A &amp; b\" src=\"https://example.org/a.png?x=1&amp;y=2\" width=\"20\" height=\"5%\">!");
        let expected = "<img src=\"/-/image?url=https%3A%2F%2Fexample.org%2Fa.png%3Fx%3D1%26y%3D2\" alt=\"A &amp; b\" \
            loading=\"lazy\" width=\"20\">!";
        assert_eq!(made, expected);
        assert_eq!(link_all("a <img broken".to_owned()), "a &lt;img broken");
        assert_eq!(
            linked("<img src=\"/-/badge/a/b/c/version.svg\">"),
            "<img src=\"/-/badge/a/b/c/version.svg\" alt=\"\" loading=\"lazy\">"
        );
    }

    #[test]
    fn other_images_become_their_alternative_text() {
        for source in
            ["a.png", "/logout", "data:image/png,x", "https://", "ftp://a/b.png", "https://a/b c.png", "/-/badge/../x"]
        {
            assert_eq!(linked(&format!("<img src=\"{source}\" alt=\"a < b\">.")), "a &lt; b.", "{source}");
        }
        let long = format!("<img src=\"https://a/{}\" alt=\"x\">", "a".repeat(URL_BYTES));
        assert_eq!(linked(&long), "x");
    }

    #[test]
    fn a_text_has_so_many_images_and_no_more() {
        let (mut made, mut images) = (String::new(), 0);
        for _ in 0..=IMAGES {
            link("<img src=\"https://a/b\" alt=\"x\">", &mut made, &mut images);
        }
        assert_eq!((made.matches("<img").count(), made.ends_with(">x")), (IMAGES, true));
    }

    #[test]
    fn pages_get_signed_images_or_their_alternative_text() {
        let stored =
            linked("<img src=\"https://a/b%20c\" alt=\"x\">") + " and " + &linked("<img src=\"https://b/\" alt=\"y\">");
        let sign = |url: &str| Some(decoded(url).len().to_string());
        let made = signed(stored.clone(), &sign);
        let expected = "<img src=\"/-/image?signature=15&amp;url=https%3A%2F%2Fa%2Fb%2520c\" alt=\"x\" loading=\"lazy\"> and \
            <img src=\"/-/image?signature=10&amp;url=https%3A%2F%2Fb%2F\" alt=\"y\" loading=\"lazy\">";
        assert_eq!(made, expected);
        assert_eq!(signed(stored, &|_| None), "x and y");
        assert_eq!(signed("no images".to_owned(), &sign), "no images");
    }
}
