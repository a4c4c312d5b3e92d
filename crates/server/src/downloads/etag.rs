//! Entity tags, which identify a file's content in conditions.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use model::digest::{Digest, hex};

/// A strong tag: equal tags mean equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ETag(HeaderValue);

impl ETag {
    /// The tag of content with this digest.
    pub(crate) fn of(digest: Digest) -> Self {
        Self(HeaderValue::try_from(format!("\"{digest}\"")).expect("a digest is made of hexadecimal digits"))
    }

    /// The tag of content whose clients compare it with its MD5.
    pub(crate) fn of_md5(md5: [u8; 16]) -> Self {
        let tag = format!("\"{}\"", hex(&md5));
        Self(HeaderValue::try_from(tag).expect("a digest is made of hexadecimal digits"))
    }

    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }

    /// Whether a header's list contains this tag; weak tags match only in a weak comparison.
    pub(crate) fn is_in(&self, headers: &HeaderMap, name: &HeaderName, comparison: Comparison) -> bool {
        headers.get_all(name).iter().any(|value| {
            let is_any = value.as_bytes().trim_ascii() == b"*";
            is_any || tags(value.as_bytes()).any(|tag| self.equals(&tag, comparison))
        })
    }

    /// Whether a header's value is exactly this tag.
    pub(crate) fn is(&self, value: &HeaderValue) -> bool {
        value.as_bytes().trim_ascii() == self.0.as_bytes()
    }

    fn equals(&self, other: &Tag<'_>, comparison: Comparison) -> bool {
        other.quoted == self.0.as_bytes() && (comparison == Comparison::Weak || !other.is_weak)
    }
}

/// How tags are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// Weak tags never match.
    Strong,
    /// Weak tags match like strong ones.
    Weak,
}

struct Tag<'h> {
    is_weak: bool,
    quoted: &'h [u8],
}

/// The tags of a list, up to the first element that is not a tag.
fn tags(list: &[u8]) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b','))?;
        let weak = rest[start..].strip_prefix(b"W/");
        let tag = weak.unwrap_or(&rest[start..]);
        let inner = tag.strip_prefix(b"\"")?;
        let end = inner.iter().position(|byte| *byte == b'"')? + 2;
        rest = &tag[end..];
        Some(Tag { is_weak: weak.is_some(), quoted: &tag[..end] })
    })
}

#[cfg(test)]
mod tests {
    use axum::http::header::IF_NONE_MATCH;
    use proptest::prelude::*;

    use super::*;

    fn etag() -> ETag {
        ETag::of(Digest::from_bytes([0xab; 32]))
    }

    fn is_in(list: &str, comparison: Comparison) -> bool {
        let list = list.replace("OURS", &format!("\"{}\"", "ab".repeat(32)));
        let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::try_from(list).expect("printable"))]);
        etag().is_in(&headers, &IF_NONE_MATCH, comparison)
    }

    #[test]
    fn a_tag_is_the_quoted_digest() {
        assert_eq!(etag().header(), format!("\"{}\"", "ab".repeat(32)));
    }

    #[test]
    fn a_tag_is_found_in_lists() {
        for list in
            ["OURS", " OURS ", "\"a\", OURS", "\"a,b\",\tOURS", ",, OURS,", "\"\",OURS", "W/\"x\",OURS", "*", " * "]
        {
            assert!(is_in(list, Comparison::Strong), "{list}");
        }
        for list in ["", ",", "\"a\"", "ours", "\"*\"", "x OURS", "\"a OURS"] {
            assert!(!is_in(list, Comparison::Weak), "{list}");
        }
    }

    #[test]
    fn a_weak_tag_is_found_by_a_weak_comparison_only() {
        assert!(is_in("W/OURS", Comparison::Weak));
        assert!(!is_in("W/OURS", Comparison::Strong));
        assert!(!is_in("w/OURS", Comparison::Weak));
    }

    #[test]
    fn every_line_of_a_header_counts() {
        let lines = [(IF_NONE_MATCH, HeaderValue::from_static("\"a\"")), (IF_NONE_MATCH, etag().header())];
        assert!(etag().is_in(&lines.into_iter().collect(), &IF_NONE_MATCH, Comparison::Strong));
    }

    proptest! {
        #[test]
        fn no_list_brings_the_parser_down(list in proptest::collection::vec(any::<u8>(), 0..60)) {
            let read: usize = tags(&list).map(|tag| tag.quoted.len()).sum();
            prop_assert!(read <= list.len());
        }
    }
}
