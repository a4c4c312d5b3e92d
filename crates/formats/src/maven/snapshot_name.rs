//! The build of a snapshot in a file name: `20260101.120000-3`.

/// The length of `20260101.120000`.
const TIMESTAMP: usize = 15;

/// One build of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Build<'a> {
    /// The whole build, as it occurs in the name.
    pub(super) text: &'a str,
    /// The date and the time, `20260101.120000`.
    pub(super) timestamp: &'a str,
    /// The number of the build, in the range that Maven uses.
    pub(super) number: i32,
}

impl<'a> Build<'a> {
    /// Splits a text that begins with a build into the build and the rest.
    pub(super) fn strip(text: &'a str) -> Option<(Self, &'a str)> {
        let (timestamp, rest) = text.split_at_checked(TIMESTAMP).filter(|(timestamp, _)| is_timestamp(timestamp))?;
        let number = rest.strip_prefix('-')?;
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let (text, rest) = text.split_at(TIMESTAMP + 1 + digits);
        Some((Self { text, timestamp, number: number[..digits].parse().ok()? }, rest))
    }

    /// Returns whether a version ends with a build, so that Maven treats it as a snapshot.
    pub(super) fn ends(version: &str) -> bool {
        let words = version.rmatch_indices('-').map(|(at, _)| at + 1).take(2).chain([0]);
        words.into_iter().filter_map(|at| Build::strip(&version[at..])).any(|(_, rest)| rest.is_empty())
    }
}

fn is_timestamp(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| if at == 8 { byte == b'.' } else { byte.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_build_is_read_from_the_front() {
        let build = Build { text: "20260101.120000-3", timestamp: "20260101.120000", number: 3 };
        assert_eq!(Build::strip("20260101.120000-3-sources.jar"), Some((build, "-sources.jar")));
        for text in
            ["", "20260101.120000", "20260101.120000-", "20260101.120000-x", "2026010a.120000-3", "20260101-120000-3"]
        {
            assert_eq!(Build::strip(text), None, "{text}");
        }
        assert_eq!(Build::strip("20260101.120000-2147483648"), None);
    }

    #[test]
    fn a_version_can_end_in_a_build() {
        assert!(Build::ends("1.0-20260101.120000-3"));
        assert!(Build::ends("20260101.120000-3"));
        for version in ["1.0", "1.0-3", "1.020260101.120000-3", "1.0-20260101.120000-3-x", "1.0-20260101.120000"] {
            assert!(!Build::ends(version), "{version}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_asked(text in "\\PC{0,24}") {
            if let Some((build, rest)) = Build::strip(&text) {
                prop_assert_eq!(format!("{}{rest}", build.text), text);
            }
        }
    }
}
