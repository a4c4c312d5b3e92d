//! Dates in HTTP headers, in whole seconds.

use std::time::{Duration, SystemTime};

use http::HeaderValue;
use model::timestamp::Timestamp;

/// The date of a header, or of the last modification of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HttpDate(SystemTime);

impl HttpDate {
    /// Parses any of the three formats of HTTP; returns `None` for anything else.
    pub fn parse(value: &HeaderValue) -> Option<Self> {
        httpdate::parse_http_date(value.to_str().ok()?.trim()).ok().map(Self)
    }

    /// Returns the date in the one format that is still in use.
    pub fn header(self) -> HeaderValue {
        HeaderValue::try_from(httpdate::fmt_http_date(self.0)).expect("a date is made of letters, digits and blanks")
    }
}

/// The date of the last response as text, cached because many responses share a second.
#[derive(Debug, Default)]
pub(crate) struct DateText {
    date: Option<HttpDate>,
    text: String,
}

impl DateText {
    pub(crate) fn of(&mut self, moment: Timestamp) -> &str {
        let date = HttpDate::from(moment);
        if self.date != Some(date) {
            (self.date, self.text) = (Some(date), httpdate::fmt_http_date(date.0));
        }
        &self.text
    }
}

impl From<Timestamp> for HttpDate {
    /// Rounds down to the second. Times before 1970 become the start of 1970.
    fn from(moment: Timestamp) -> Self {
        let seconds = u64::try_from(moment.millis().div_euclid(1000)).unwrap_or(0);
        Self(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(milliseconds: i64) -> HeaderValue {
        HttpDate::from(Timestamp::from_millis(milliseconds)).header()
    }

    #[test]
    fn a_moment_is_written_in_whole_seconds() {
        assert_eq!(written(784_111_777_999), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(written(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(written(-1), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(written(i64::MAX), "Thu, 30 Dec 9999 22:00:00 GMT");
    }

    #[test]
    fn the_text_changes_with_the_second() {
        let mut text = DateText::default();
        for milliseconds in [0, 999, 784_111_777_999, 0] {
            assert_eq!(text.of(Timestamp::from_millis(milliseconds)), written(milliseconds));
        }
    }

    #[test]
    fn all_three_forms_are_read() {
        let expected = HttpDate::from(Timestamp::from_millis(784_111_777_000));
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(HttpDate::parse(&HeaderValue::from_static(text)), Some(expected), "{text}");
        }
        for text in ["", "0", "now", "1994-11-06T08:49:37Z", "Sun, 31 Feb 1994 08:49:37 GMT"] {
            assert_eq!(HttpDate::parse(&HeaderValue::from_static(text)), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_brings_the_parser_down(text in "[ -~]{0,40}") {
            let _ = HttpDate::parse(&HeaderValue::try_from(text).expect("printable"));
        }

        #[test]
        fn what_is_written_is_read_back(seconds in 0i64..253_402_207_200) {
            let date = HttpDate::from(Timestamp::from_millis(seconds * 1000));
            prop_assert_eq!(HttpDate::parse(&date.header()), Some(date));
        }
    }
}
