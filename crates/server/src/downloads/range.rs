//! The bytes of a file that a `Range` header asks for: RFC 9110 section 14.

use std::ops::Range;

use axum::http::{HeaderMap, header};

/// The most ranges that are answered as separate parts.
const MAX_RANGES: usize = 16;

/// The bytes to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ByteRanges {
    /// The whole file.
    Whole,
    /// At least one part, in the order of the request. No part is empty or exceeds the file, and no two parts touch.
    Parts(Vec<Range<u64>>),
    /// Only parts that are outside the file.
    Nothing,
}

impl ByteRanges {
    /// Parses the header for a file of this size.
    ///
    /// Ignoring a header is always allowed. This happens when it is not a list of byte ranges, when it looks like an
    /// attempt to get the same bytes many times, and when the file is empty: some clients ask for the first bytes of
    /// every file.
    pub(crate) fn by(headers: &HeaderMap, size: u64) -> Self {
        let mut values = headers.get_all(header::RANGE).iter();
        match (values.next().and_then(|value| value.to_str().ok()), values.next()) {
            (Some(value), None) if size > 0 => parse(value, size).unwrap_or(Self::Whole),
            _ => Self::Whole,
        }
    }
}

fn parse(value: &str, size: u64) -> Option<ByteRanges> {
    let (unit, list) = value.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let specs = list.split(',').map(str::trim).filter(|spec| !spec.is_empty());
    let ranges: Vec<Option<Range<u64>>> =
        specs.take(MAX_RANGES + 1).map(|spec| resolve(spec, size)).collect::<Option<_>>()?;
    let parts: Vec<Range<u64>> = ranges.iter().flatten().cloned().collect();
    if ranges.is_empty() || ranges.len() > MAX_RANGES || do_overlap_much(&parts) {
        return None;
    }
    Some(if parts.is_empty() { ByteRanges::Nothing } else { ByteRanges::Parts(coalesce(parts)) })
}

/// The bytes of one range. The outer `None` means that it does not parse, the inner one that it is outside the file.
fn resolve(spec: &str, size: u64) -> Option<Option<Range<u64>>> {
    let (first, last) = spec.split_once('-')?;
    let range = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => first..size.min(last.saturating_add(1)),
        (Some(first), None) if last.is_empty() => first..size,
        (None, Some(count)) if first.is_empty() => size.saturating_sub(count)..size,
        _ => return None,
    };
    Some((range.start < range.end).then_some(range))
}

/// Parses digits only. A number that overflows becomes the largest one, which is beyond the end of every file.
fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

/// Whether more than two parts overlap others.
fn do_overlap_much(parts: &[Range<u64>]) -> bool {
    let overlaps =
        |one: usize, two: usize| one != two && parts[one].start < parts[two].end && parts[two].start < parts[one].end;
    (0..parts.len()).filter(|one| (0..parts.len()).any(|two| overlaps(*one, two))).count() > 2
}

/// Joins parts that overlap or touch; the joined part takes the position of the first of them.
fn coalesce(parts: Vec<Range<u64>>) -> Vec<Range<u64>> {
    let mut joined: Vec<Range<u64>> = Vec::with_capacity(parts.len());
    for part in parts {
        let mut place = joined.len();
        joined.push(part);
        while let Some(other) =
            (0..joined.len()).find(|other| *other != place && do_touch(&joined[*other], &joined[place]))
        {
            let (first, second) = (place.min(other), place.max(other));
            let absorbed = joined.remove(second);
            joined[first] = joined[first].start.min(absorbed.start)..joined[first].end.max(absorbed.end);
            place = first;
        }
    }
    joined
}

fn do_touch(one: &Range<u64>, two: &Range<u64>) -> bool {
    one.start <= two.end && two.start <= one.end
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn wanted(value: &str, size: u64) -> ByteRanges {
        let value = HeaderValue::try_from(value).expect("printable");
        ByteRanges::by(&HeaderMap::from_iter([(header::RANGE, value)]), size)
    }

    fn part(part: Range<u64>) -> ByteRanges {
        ByteRanges::Parts(vec![part])
    }

    fn parts<const N: usize>(parts: [Range<u64>; N]) -> ByteRanges {
        ByteRanges::Parts(parts.to_vec())
    }

    #[test]
    fn each_form_of_a_range_is_understood() {
        assert_eq!(wanted("bytes=0-0", 10), part(0..1));
        assert_eq!(wanted("bytes=2-5", 10), part(2..6));
        assert_eq!(wanted("bytes=7-", 10), part(7..10));
        assert_eq!(wanted("bytes=-3", 10), part(7..10));
        assert_eq!(wanted("Bytes = 2-5 ", 10), part(2..6));
    }

    #[test]
    fn ranges_end_where_the_file_ends() {
        assert_eq!(wanted("bytes=5-99", 10), part(5..10));
        assert_eq!(wanted("bytes=-99", 10), part(0..10));
        assert_eq!(wanted("bytes=5-99999999999999999999999", 10), part(5..10));
        assert_eq!(wanted("bytes=-18446744073709551616", 10), part(0..10));
        assert_eq!(wanted("bytes=0-18446744073709551615", u64::MAX), part(0..u64::MAX));
    }

    #[test]
    fn bytes_that_the_file_does_not_have_are_nothing() {
        for value in ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999-", "bytes=10-,-0"] {
            assert_eq!(wanted(value, 10), ByteRanges::Nothing, "{value}");
        }
        assert_eq!(wanted("bytes=10-20, 3-4, -0", 10), part(3..5));
    }

    #[test]
    fn what_is_no_range_is_ignored() {
        for value in [
            "",
            "bytes",
            "bytes=",
            "bytes=,",
            "bytes=-",
            "bytes=a-b",
            "bytes=5-2",
            "bytes=+1-2",
            "bytes=1 - 2",
            "bytes=1-2-3",
            "lines=1-2",
            "bytes=0-1,x",
            "bytes=0-1;2-3",
            "1-2",
            "bytes=--1",
        ] {
            assert_eq!(wanted(value, 10), ByteRanges::Whole, "{value}");
        }
    }

    #[test]
    fn several_ranges_keep_their_order() {
        assert_eq!(wanted("bytes=6-7, 0-1 ,,-1", 10), parts([6..8, 0..2, 9..10]));
    }

    #[test]
    fn ranges_that_touch_are_joined() {
        assert_eq!(wanted("bytes=0-3,2-5", 10), part(0..6));
        assert_eq!(wanted("bytes=4-5,0-1,2-3", 10), part(0..6));
        assert_eq!(wanted("bytes=8-8,4-5,0-1,2-3", 10), parts([8..9, 0..6]));
    }

    #[test]
    fn the_same_bytes_are_not_sent_many_times() {
        assert_eq!(wanted("bytes=0-,0-,0-", 10), ByteRanges::Whole);
        assert_eq!(wanted("bytes=0-5,3-7,6-9", 10), ByteRanges::Whole);
    }

    #[test]
    fn too_many_ranges_are_ignored() {
        let list = |count: u64| (0..count).map(|number| format!("{0}-{0}", number * 2)).collect::<Vec<_>>().join(",");
        assert!(matches!(wanted(&format!("bytes={}", list(16)), 100), ByteRanges::Parts(parts) if parts.len() == 16));
        assert_eq!(wanted(&format!("bytes={}", list(17)), 100), ByteRanges::Whole);
    }

    #[test]
    fn an_empty_file_is_sent_whole() {
        assert_eq!(wanted("bytes=0-0", 0), ByteRanges::Whole);
        assert_eq!(wanted("bytes=-5", 0), ByteRanges::Whole);
    }

    #[test]
    fn two_headers_are_ignored() {
        let value = HeaderValue::from_static("bytes=0-0");
        let headers = HeaderMap::from_iter([(header::RANGE, value.clone()), (header::RANGE, value)]);
        assert_eq!(ByteRanges::by(&headers, 10), ByteRanges::Whole);
        assert_eq!(ByteRanges::by(&HeaderMap::new(), 10), ByteRanges::Whole);
    }

    fn check(wanted: &ByteRanges, size: u64) -> Result<(), TestCaseError> {
        let ByteRanges::Parts(parts) = wanted else { return Ok(()) };
        prop_assert!(!parts.is_empty() && parts.len() <= MAX_RANGES);
        for (index, part) in parts.iter().enumerate() {
            prop_assert!(part.start < part.end && part.end <= size, "{:?}", part);
            prop_assert!(parts[..index].iter().all(|other| !do_touch(part, other)), "{:?}", parts);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn no_header_brings_it_down(value in "[ -~]{0,60}", size: u64) {
            check(&wanted(&value, size), size)?;
        }

        #[test]
        fn whatever_looks_like_ranges_stays_within_the_file(value in "bytes=[0-9,-]{0,60}", size in 0u64..1000) {
            check(&wanted(&value, size), size)?;
        }

        #[test]
        fn every_byte_that_is_asked_for_is_sent_once(specs in proptest::collection::vec((0u64..40, 0u64..8), 1..6)) {
            let list: Vec<String> = specs.iter().map(|(start, more)| format!("{start}-{}", start + more)).collect();
            let wanted = wanted(&format!("bytes={}", list.join(",")), 30);
            check(&wanted, 30)?;
            if let ByteRanges::Parts(parts) = wanted {
                for byte in 0..30 {
                    let is_asked = specs.iter().any(|(start, more)| (*start..=start + more).contains(&byte));
                    prop_assert_eq!(parts.iter().filter(|part| part.contains(&byte)).count(), usize::from(is_asked));
                }
            }
        }
    }
}
