//! Several parts of a file in one body: `multipart/byteranges`.

use std::ops::Range;

use axum::http::HeaderValue;
use bytes::Bytes;

/// A piece of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Section {
    /// Text around the file's bytes.
    Text(Bytes),
    /// Bytes of the file.
    File(Range<u64>),
}

impl Section {
    /// The bytes of the file that this section sends.
    pub(crate) fn file(&self) -> Option<Range<u64>> {
        match self {
            Self::Text(_) => None,
            Self::File(range) => Some(range.clone()),
        }
    }

    /// The size of this section in the body.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64,
            Self::File(range) => range.end - range.start,
        }
    }
}

/// The file that the parts belong to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole<'a> {
    pub(crate) size: u64,
    pub(crate) media_type: &'a str,
    /// The line between the parts. It is the file's own digest, which cannot occur in the file.
    pub(crate) boundary: &'a str,
}

impl Whole<'_> {
    /// Builds the body that contains these parts.
    pub(crate) fn sections(&self, parts: Vec<Range<u64>>) -> Vec<Section> {
        let mut sections = Vec::with_capacity(2 * parts.len() + 1);
        for part in parts {
            let line_end = if sections.is_empty() { "" } else { "\r\n" };
            let range = content_range(&part, self.size);
            let (boundary, media_type) = (self.boundary, self.media_type);
            let head =
                format!("{line_end}--{boundary}\r\nContent-Type: {media_type}\r\nContent-Range: {range}\r\n\r\n");
            sections.push(Section::Text(head.into()));
            sections.push(Section::File(part));
        }
        sections.push(Section::Text(format!("\r\n--{}--\r\n", self.boundary).into()));
        sections
    }

    /// The media type of the body.
    pub(crate) fn media_type(&self) -> HeaderValue {
        let text = format!("multipart/byteranges; boundary={}", self.boundary);
        HeaderValue::try_from(text).expect("a boundary is made of hexadecimal digits")
    }
}

/// The `Content-Range` of a part.
pub(crate) fn content_range(part: &Range<u64>, size: u64) -> String {
    format!("bytes {}-{}/{size}", part.start, part.end - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The body of a file that repeats the ten digits.
    fn body(sections: &[Section]) -> String {
        let digits = |range: &Range<u64>| range.clone().map(|at| (at % 10).to_string()).collect::<String>();
        let text = |section: &Section| match section {
            Section::Text(text) => String::from_utf8(text.to_vec()).expect("text"),
            Section::File(range) => digits(range),
        };
        sections.iter().map(text).collect()
    }

    const WHOLE: Whole<'_> = Whole { size: 30, media_type: "text/plain", boundary: "b0" };

    #[test]
    fn parts_stand_between_boundaries() {
        let expected = "--b0\r\nContent-Type: text/plain\r\nContent-Range: bytes 2-4/30\r\n\r\n234\r\n\
                        --b0\r\nContent-Type: text/plain\r\nContent-Range: bytes 29-29/30\r\n\r\n9\r\n\
                        --b0--\r\n";
        assert_eq!(body(&WHOLE.sections(vec![2..5, 29..30])), expected);
        assert_eq!(WHOLE.media_type(), "multipart/byteranges; boundary=b0");
    }

    proptest! {
        #[test]
        fn the_sizes_of_sections_add_up(parts in proptest::collection::vec((0u64..1000, 1u64..100), 1..16)) {
            let parts = parts.into_iter().map(|(start, size)| start..start + size).collect();
            let sections = WHOLE.sections(parts);
            prop_assert_eq!(sections.iter().map(Section::size).sum::<u64>(), body(&sections).len() as u64);
        }
    }
}
