//! Versions of boxes. Vagrant compares them as RubyGems does.

pub use crate::rubygems::version::{GemVersion as BoxVersion, compare};

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    #[test]
    fn versions_are_numbers() {
        assert_eq!(compare("1.10.0", "1.9"), Ordering::Greater);
        assert!(BoxVersion::parse("202611.16.0").is_ok());
        assert!(BoxVersion::parse("1.0.rc1").expect("valid").is_prerelease());
        for bad in ["latest", "", "v1.0", "../1"] {
            assert!(BoxVersion::parse(bad).is_err(), "{bad}");
        }
    }
}
