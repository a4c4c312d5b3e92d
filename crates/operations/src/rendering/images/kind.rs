//! The kinds of images that are served, recognized by their first bytes: what a server says about them does not count.

/// The number of bytes in which the root element of an SVG image has to begin.
const HEAD_BYTES: usize = 4096;

/// A kind of image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageKind {
    /// Portable Network Graphics.
    Png,
    /// JPEG.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
    /// AVIF.
    Avif,
    /// Scalable Vector Graphics, such as badges. They may contain scripts, which never run in an `img` element.
    Svg,
}

impl ImageKind {
    /// All kinds. The position of a kind is its number in the cache.
    pub(super) const ALL: [Self; 6] = [Self::Png, Self::Jpeg, Self::Gif, Self::Webp, Self::Avif, Self::Svg];

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
            Self::Avif => "image/avif",
            Self::Svg => "image/svg+xml",
        }
    }

    /// Recognizes the kind of an image.
    pub(super) fn of(content: &[u8]) -> Option<Self> {
        let is_at = |place: usize, mark: &[u8]| content.get(place..).is_some_and(|rest| rest.starts_with(mark));
        match content {
            _ if is_at(0, b"\x89PNG\r\n\x1a\n") => Some(Self::Png),
            _ if is_at(0, b"\xff\xd8\xff") => Some(Self::Jpeg),
            _ if is_at(0, b"GIF87a") || is_at(0, b"GIF89a") => Some(Self::Gif),
            _ if is_at(0, b"RIFF") && is_at(8, b"WEBP") => Some(Self::Webp),
            _ if is_at(4, b"ftypavif") || is_at(4, b"ftypavis") => Some(Self::Avif),
            _ if is_svg(content) => Some(Self::Svg),
            _ => None,
        }
    }
}

/// Whether a text is an SVG image: its first element is `svg`, and it declares no entities, which can make a small text
/// very large.
fn is_svg(content: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(content) else { return false };
    if text.contains("<!ENTITY") {
        return false;
    }
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    // Declarations and comments before the first element.
    for (start, end) in [("<?", "?>"), ("<!--", "-->"), ("<!DOCTYPE", ">"), ("<!--", "-->")] {
        if rest.starts_with(start) {
            let Some(place) = rest.find(end).filter(|place| *place < HEAD_BYTES) else { return false };
            rest = rest[place + end.len()..].trim_start();
        }
    }
    rest.strip_prefix("<svg").is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_recognized_by_their_bytes() {
        let known: [(&[u8], ImageKind); 7] = [
            (b"\x89PNG\r\n\x1a\nrest", ImageKind::Png),
            (b"\xff\xd8\xff\xe0", ImageKind::Jpeg),
            (b"GIF89a..", ImageKind::Gif),
            (b"RIFF....WEBPVP8 ", ImageKind::Webp),
            (b"\0\0\0\x20ftypavif", ImageKind::Avif),
            (b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", ImageKind::Svg),
            (b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- a -->\n<!DOCTYPE svg>\n<svg>", ImageKind::Svg),
        ];
        for (content, kind) in known {
            assert_eq!(ImageKind::of(content), Some(kind));
        }
    }

    #[test]
    fn nothing_else_is_an_image() {
        let others: [&[u8]; 8] = [
            b"",
            b"RIFF....WAVE",
            b"<html><svg></svg></html>",
            b"<svgx>",
            b"<!DOCTYPE html><html>",
            b"<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a \"aaaa\">]><svg>&a;</svg>",
            b"\xff<svg>",
            b"%PDF-1.7",
        ];
        for content in others {
            assert_eq!(ImageKind::of(content), None, "{}", String::from_utf8_lossy(content));
        }
    }
}
