//! Repository formats: one folder each, and one line in [`FORMATS`].
//!
//! A format knows its paths and its index files. Storing, publishing, signing and counting are not its affair.

pub mod generic;

/// A kind of repository.
#[derive(Debug)]
pub struct Format {
    /// The `type` of the repositories that use it.
    pub name: &'static str,
}

/// Every format that the server builds something for.
pub const FORMATS: &[&Format] = &[&generic::FORMAT];

/// The format of a repository type; one that has none of its own behaves as generic.
pub fn find(name: &str) -> &'static Format {
    FORMATS.iter().find(|format| format.name == name).unwrap_or(&&generic::FORMAT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_without_its_own_format_is_generic() {
        assert_eq!(find("generic").name, "generic");
        assert_eq!(find("opkg").name, "generic");
    }
}
