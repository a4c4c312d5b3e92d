//! Repository formats: one folder each, and one line in [`FORMATS`].
//!
//! A format knows its paths and its index files. Storing, publishing, signing and counting are not its affair.

pub mod generic;
pub mod maven;

use operations::format::Format;

/// Every format that the server builds something for. The first takes what no other does.
pub const FORMATS: &[&dyn Format] = &[&generic::Generic, &maven::Maven];

/// The format of a repository type; one that has none of its own behaves as generic.
pub fn find(name: &str) -> &'static dyn Format {
    FORMATS.iter().copied().find(|format| format.name() == name).unwrap_or(&generic::Generic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_without_its_own_format_is_generic() {
        assert_eq!(find("generic").name(), "generic");
        assert_eq!(find("opkg").name(), "generic");
    }

    #[test]
    fn a_format_is_found_by_its_name() {
        assert_eq!(find("maven").name(), "maven");
    }
}
