//! The entries of `Packages` in a feed.

use super::inspect::IpkFacts;
use crate::{indexed::IndexedFile, readers::deb822::write_field};

/// The entry of an .ipk, with the empty line at its end. The file name is relative to the feed.
pub fn entry(facts: &IpkFacts, file: &IndexedFile<'_>) -> String {
    let mut text = String::new();
    let fields = || facts.control.fields();
    let is_description = |name: &str| name.eq_ignore_ascii_case("Description");
    fields().filter(|(name, _)| !is_description(name)).for_each(|(name, value)| write_field(&mut text, name, value));
    write_field(&mut text, "Filename", file.name());
    write_field(&mut text, "Size", &file.size_bytes.to_string());
    write_field(&mut text, "SHA256sum", file.sha256);
    // Old readers expect the long text at the end.
    fields().filter(|(name, _)| is_description(name)).for_each(|(name, value)| write_field(&mut text, name, value));
    text.push('\n');
    text
}

/// The entries of a block.
pub fn block<'a>(files: impl IntoIterator<Item = (&'a IpkFacts, IndexedFile<'a>)>) -> String {
    files.into_iter().map(|(facts, file)| entry(facts, &file)).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::inspect::tests::{CONTROL, ipk, look},
        *,
    };
    use crate::indexed::tests::file;

    #[test]
    fn an_entry_is_the_control_file_and_its_place() {
        let facts = look(ipk(CONTROL)).expect("valid");
        let expected = "Package: hello\nVersion: 1.0-1\nDepends: libc\nSection: utils\n\
            Architecture: aarch64_generic\nInstalled-Size: 1024\nFilename: hello.ipk\nSize: 1412\nSHA256sum: 9f86\n\
            Description: greets\n\n";
        assert_eq!(entry(&facts, &file("23.05/base/hello.ipk")), expected);
        assert_eq!(block([(&facts, file("hello.ipk")), (&facts, file("hello.ipk"))]), expected.repeat(2));
    }
}
