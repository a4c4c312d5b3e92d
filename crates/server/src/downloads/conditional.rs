//! Conditional requests, evaluated in the order of precedence of RFC 9110 section 13.2.2.

use axum::http::{HeaderMap, header};
use edge::HttpDate;

use super::etag::{Comparison, ETag};

/// The values that conditions are compared with.
#[derive(Debug, Clone)]
pub(crate) struct Validators {
    pub(crate) etag: ETag,
    pub(crate) last_modified: HttpDate,
}

/// The outcome of the conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The conditions are met, or the request has none.
    Proceed,
    /// The caller already has this content.
    NotModified,
    /// The caller asked for different content.
    Failed,
}

impl Validators {
    /// Evaluates the conditions of a GET or HEAD. A date that does not parse is not a condition.
    pub(crate) fn judge(&self, headers: &HeaderMap) -> Verdict {
        let date = |name| headers.get(name).and_then(HttpDate::parse);
        let wants_same = if headers.contains_key(header::IF_MATCH) {
            self.etag.is_in(headers, &header::IF_MATCH, Comparison::Strong)
        } else {
            date(header::IF_UNMODIFIED_SINCE).is_none_or(|since| self.last_modified <= since)
        };
        if !wants_same {
            return Verdict::Failed;
        }
        let has_same = if headers.contains_key(header::IF_NONE_MATCH) {
            self.etag.is_in(headers, &header::IF_NONE_MATCH, Comparison::Weak)
        } else {
            date(header::IF_MODIFIED_SINCE).is_some_and(|since| self.last_modified <= since)
        };
        if has_same { Verdict::NotModified } else { Verdict::Proceed }
    }

    /// Whether the ranges apply to this content: `If-Range` names it, or is absent.
    pub(crate) fn allow_ranges(&self, headers: &HeaderMap) -> bool {
        headers.get(header::IF_RANGE).is_none_or(|value| {
            self.etag.is(value) || HttpDate::parse(value).is_some_and(|date| date == self.last_modified)
        })
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};
    use model::{digest::Digest, timestamp::Timestamp};
    use proptest::prelude::*;

    use super::*;

    const BEFORE: &str = "Sun, 06 Nov 1994 08:49:36 GMT";
    const EXACTLY: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const AFTER: &str = "Sun, 06 Nov 1994 08:49:38 GMT";

    fn validators() -> Validators {
        let last_modified = Timestamp::from_millis(784_111_777_500).into();
        Validators { etag: ETag::of(Digest::from_bytes([0xab; 32])), last_modified }
    }

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        let ours = format!("\"{}\"", "ab".repeat(32));
        let value = |text: &str| HeaderValue::try_from(text.replace("OURS", &ours)).expect("printable");
        lines.iter().map(|(name, text)| (HeaderName::from_static(name), value(text))).collect()
    }

    fn judge(lines: &[(&'static str, &str)]) -> Verdict {
        validators().judge(&headers(lines))
    }

    #[test]
    fn without_conditions_nothing_stands_in_the_way() {
        assert_eq!(judge(&[]), Verdict::Proceed);
    }

    #[test]
    fn if_none_match_spares_the_transfer() {
        assert_eq!(judge(&[("if-none-match", "OURS")]), Verdict::NotModified);
        assert_eq!(judge(&[("if-none-match", "\"x\", W/OURS")]), Verdict::NotModified);
        assert_eq!(judge(&[("if-none-match", "*")]), Verdict::NotModified);
        assert_eq!(judge(&[("if-none-match", "\"x\"")]), Verdict::Proceed);
        assert_eq!(judge(&[("if-none-match", "")]), Verdict::Proceed);
    }

    #[test]
    fn if_match_wants_exactly_this_content() {
        assert_eq!(judge(&[("if-match", "\"x\", OURS")]), Verdict::Proceed);
        assert_eq!(judge(&[("if-match", "*")]), Verdict::Proceed);
        assert_eq!(judge(&[("if-match", "W/OURS")]), Verdict::Failed);
        assert_eq!(judge(&[("if-match", "\"x\"")]), Verdict::Failed);
    }

    #[test]
    fn dates_are_compared_by_the_second() {
        assert_eq!(judge(&[("if-modified-since", BEFORE)]), Verdict::Proceed);
        assert_eq!(judge(&[("if-modified-since", EXACTLY)]), Verdict::NotModified);
        assert_eq!(judge(&[("if-modified-since", AFTER)]), Verdict::NotModified);
        assert_eq!(judge(&[("if-unmodified-since", BEFORE)]), Verdict::Failed);
        assert_eq!(judge(&[("if-unmodified-since", EXACTLY)]), Verdict::Proceed);
        assert_eq!(judge(&[("if-unmodified-since", AFTER)]), Verdict::Proceed);
    }

    #[test]
    fn dates_that_cannot_be_read_are_no_conditions() {
        assert_eq!(judge(&[("if-modified-since", "tomorrow")]), Verdict::Proceed);
        assert_eq!(judge(&[("if-unmodified-since", "yesterday")]), Verdict::Proceed);
    }

    #[test]
    fn tags_count_more_than_dates() {
        assert_eq!(judge(&[("if-none-match", "\"x\""), ("if-modified-since", AFTER)]), Verdict::Proceed);
        assert_eq!(judge(&[("if-none-match", "OURS"), ("if-modified-since", BEFORE)]), Verdict::NotModified);
        assert_eq!(judge(&[("if-match", "OURS"), ("if-unmodified-since", BEFORE)]), Verdict::Proceed);
        assert_eq!(judge(&[("if-match", "\"x\""), ("if-unmodified-since", AFTER)]), Verdict::Failed);
    }

    #[test]
    fn a_failed_condition_counts_more_than_content_that_is_known() {
        assert_eq!(judge(&[("if-match", "\"x\""), ("if-none-match", "OURS")]), Verdict::Failed);
        assert_eq!(judge(&[("if-unmodified-since", BEFORE), ("if-none-match", "OURS")]), Verdict::Failed);
        assert_eq!(judge(&[("if-match", "OURS"), ("if-none-match", "OURS")]), Verdict::NotModified);
    }

    #[test]
    fn ranges_are_for_the_content_that_if_range_names() {
        let allow = |value: &str| validators().allow_ranges(&headers(&[("if-range", value)]));
        assert!(validators().allow_ranges(&headers(&[])));
        assert!(allow("OURS") && allow(EXACTLY));
        assert!(!allow("W/OURS") && !allow("\"x\"") && !allow("*") && !allow("\"x\", OURS"));
        assert!(!allow(BEFORE) && !allow(AFTER) && !allow("") && !allow("soon"));
    }

    proptest! {
        #[test]
        fn no_condition_brings_it_down(name in 0usize..5, text in "[ -~]{0,40}") {
            let name = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"][name];
            let headers = headers(&[(name, &text)]);
            validators().judge(&headers);
            validators().allow_ranges(&headers);
        }
    }
}
